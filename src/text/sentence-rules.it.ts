import { type SentenceRules, words } from './sentence-rules.js';

export const rules: SentenceRules = {
  titles: words(
    'sig sigg sig.ra sigra sig.na dott dr dr.ssa prof ing avv arch geom rag mons s p.es es cfr vs fig pag pagg cap ' +
      'art vol tel n nr ecc.mo spett egr gent artt vv sez capp prof.ssa On Col Magg Ten Sen p.s n.b',
  ),
  abbreviations: words(
    'gen feb apr mag giu lug sett ott nov dic lun mer gio ven sab dom ecc etc s.p.a s.r.l a.c d.c ' +
      'p ed sez inc ltd jr sr a.m p.m',
  ),
  starters: words(
    'io tu lui lei noi voi loro il lo la i gli le un uno una questo questa questi queste quello quella quelli quelle mio ' +
      'mia tuo tua suo sua nostro nostra che chi cosa come dove quando perché quale quanto se ma e ed o oppure però poi ' +
      'dopo ora adesso anche inoltre tuttavia infine qui oggi ieri domani è sono era erano ha hanno può in a al con per di ' +
      'del da su non sì no tutti tutte ogni molti alcuni altro altra l',
  ),
  hasOrdinals: false,
  numbered: /^(?:ago|set|mar|sec|fax|par|tab|div|max|min|int|att)$/,
};
