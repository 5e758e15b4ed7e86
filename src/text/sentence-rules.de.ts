import { type SentenceRules, words } from './sentence-rules.js';

export const rules: SentenceRules = {
  titles: words(
    'hr hrn frl dr prof dipl ing st gebr bzw ca vgl z.b z d.h d evtl ggf inkl exkl zzgl einschl sog ehem geb verh ' +
      'ungef med phil jur rer nat kath evang röm nr tel abs aufl bd hrsg ausg abb fa fam hl Mag bspw insb insbes lfd lt gem urspr inh präs vors p.s n.b',
  ),
  abbreviations: words(
    'jan feb febr mär apr jun jul aug sep sept okt nov dez mo di mi do sa mio mrd tsd std min sek str pl ' +
      'usw etc u.s.w uvm u.ä o.ä u.v.a m.e v.chr n.chr chr jh jhd e.v co ltd inc jr sr abt univ gen u.a a.d a.m p.m fr engl frz lat dt österr schweiz bes max mind durchschn insg ges zul allg bzgl betr amtl staatl städt techn wiss chem gegr gest versch tägl monatl jährl gesetzl entspr',
  ),
  starters: words(
    'ich er sie es wir ihr du man der die das den dem des ein eine einen einem einer dies diese dieser dieses diesen ' +
      'mein meine dein deine sein seine ihre unser unsere was wer wie wo wann warum wieso welche welcher welches wohin ' +
      'und oder aber denn doch sondern wenn weil obwohl während nachdem bevor seit dann danach jetzt nun auch jedoch ' +
      'trotzdem deshalb daher außerdem dort hier heute morgen gestern ist sind war waren hat haben kann können soll ' +
      'sollte wird werden muss müssen darf bitte ja nein nicht in im am an auf bei für mit nach von vor zu zum zur ' +
      'alle beide jeder jede jedes viele einige manche',
  ),
  hasOrdinals: true,
  numbered:
    /^(?:art|höchst|zus|rd|zi|whg|hs|etg|hnr|stk|pkt|ziff|abschn|anm|anl|bl|jg|sp|rn|rdnr|kap|tab|fig|gl|kl|tl|lekt|nrn|bhf|kto|ver|bez|stg|app|gr|aufg|bsp|gg|zw|mob)$/,
  // Addresses: "Hauptstr. 5".
  isAbbreviation: (word) => /.(?:str|pl)$/u.test(word),
};
