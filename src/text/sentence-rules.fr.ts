import { type SentenceRules, words } from './sentence-rules.js';

export const rules: SentenceRules = {
  titles: words(
    'm mm mme mlle mgr dr pr me st ste cf p.ex env c.-à-d réf fig éd chap tél no n ll aa sgt cdt gén Col Lt p.s n.b',
  ),
  abbreviations: words(
    'janv févr mar avr juil août sept oct nov déc lun ven sam dim av ap j.-c etc p pp ed coll prof dir gouv bull ' +
      'univ cie ste inc ltd jr sr env h a.m p.m s.a',
  ),
  starters: words(
    'je tu il elle on nous vous ils elles le la les un une des du ce cet cette ces cela ça mon ton son ma ta sa mes tes ' +
      'ses notre votre leur leurs que qui quoi où quand comment pourquoi combien quel quelle quels quelles si mais et ou ' +
      'or ni car donc puis ensuite alors aussi cependant pourtant enfin ici là est sont était avez voici voilà dans en à ' +
      'au aux avec pour par sur sous de depuis oui non merci tous toutes chaque plusieurs certains aujourd hier demain l d c j n qu',
  ),
  hasOrdinals: false,
  numbered: /^(?:art|vol|min|max|mer|jeu|ex|app|bât|esc|par)$/,
};
