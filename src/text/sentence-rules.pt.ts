import { type SentenceRules, words } from './sentence-rules.js';

export const rules: SentenceRules = {
  titles: words(
    'sr sra srta srs sras dr dra drs dras prof profa eng exmo exma ilmo ilma d fr pe sto sta st p.ex cf vs núm nº ' +
      'aprox fig pág págs art cap vol tel lic Cel cmdt transv diag urb n.º Dom Gen Ten Sgt Dep Sen Gov p.s n.b',
  ),
  abbreviations: words(
    'jan fev abr mai jun jul ago out nov seg qua qui sex sáb av r ltda cia s.a inc etc p pp ed ' +
      'depto univ a.c d.c jr obs séc a.m p.m',
  ),
  starters: words(
    'eu tu ele ela nós vós eles elas você vocês o a os as um uma uns umas este esta estes estas esse essa esses essas ' +
      'isto isso aquele aquela meu minha seu sua nosso nossa que quem quando onde como qual quanto por porque se mas e ou ' +
      'nem embora depois então agora também além aqui ali hoje ontem amanhã é são está estão era eram há foi em no na ao ' +
      'com para de do da desde sobre não sim todos todas cada muitos alguns outro outra',
  ),
  hasOrdinals: false,
  numbered: /^(?:mar|set|dez|ter|dom|ex|max|máx|min|mín|apt|apto|bl|esc|fl|fls|sec)$/,
};
