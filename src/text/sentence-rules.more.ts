import { ENGLISH, type SentenceRules, words } from './sentence-rules.js';

/** Languages whose numbers with a full stop are ordinals. */
const WITH_ORDINALS = words('bs cs da et fi hr hu is lt lv nb nn no pl sk sl sr tr');

const NORWEGIAN = 'dr prof hr fr frk St sct kl nr tlf fig jf ca ev f.eks bl.a dvs t.d cand stud Red';
const SOUTH_SLAVIC = 'g gđa gđica gosp dr prof mr doc ing inž sv ul br str čl st sl tab tel npr tj tzv tzn';

/** Abbreviations of other languages. Nearly always, something follows that belongs to them. */
const ABBREVIATIONS: Readonly<Record<string, string>> = {
  af: 'mnr mev mej dr prof ds nr bl afb hfst bv',
  ar: 'عق',
  bg: 'проф акад доц инж г-н г-жа д-р св ул бул пл ж.к бл вх ет ап обл гр вж срв фиг табл гл прил стр чл ал изд нар т.нар напр',
  bn: 'ডা প্রফ মো সং.রা উ.প্র ম.প্র',
  bs: SOUTH_SLAVIC,
  cs: 'pí sl dr prof doc ing mgr bc mudr judr rndr phdr arch sv gen plk mjr kpt ul nám tř str čl odst obr tab kap tel např tzv tj mj resp popř',
  da: NORWEGIAN,
  el: 'κα κος δρ αρ τομ σελ παρ βλ πρβλ εικ κεφ αγ τηλ π.χ δηλ λ.χ',
  et: 'hr pr dr prof nt lk nr tel vt',
  fi: 'hra rva prof esim ns nk klo nro puh ks vrt',
  hi: 'डॉ श्री प्रो पं कु सौ सं.रा उ.प्र म.प्र',
  hr: SOUTH_SLAVIC,
  hu: 'dr prof özv ifj id gr pl ld kb sz tel',
  hy: 'պրոֆ դոկ ինժ գլ',
  id: 'ir drs dra dr prof moh hlm tn ny jl kab kec PT CV UD hj sdr sdri bpk yth drg jln kel prov',
  is: NORWEGIAN,
  kk: 'проф акад доц басқ инж көш табл сур',
  lt: 'prof dr doc gen šv gr nr psl pav lent tel žr plg pvz t.y',
  lv: 'prof dr doc sv nr lpp tel piem',
  ml: 'ഡോ പ്രൊ ശ്രീ ഉ.പ്ര മ.പ്ര',
  mr: 'डॉ श्री प्रा सौ कु इंजि म.रा भा.रा',
  nb: NORWEGIAN,
  nl: 'dhr mevr mw dr drs ir ing prof mgr mr ds bijv bv d.w.z o.a m.n t.a.v i.v.m nr blz pag afb hfdst hst ca zgn resp evt',
  nn: NORWEGIAN,
  no: NORWEGIAN,
  pl: 'dr prof mgr inż hab ks św bł kpt mjr płk ppłk gen ul al pl os nr str rozdz np m.in tzn tj tzw wg',
  ro: 'dl dna dra dr prof conf ing arh sf str bd bul nr pag tel ap sc cf pct Al Gr Col',
  sk: 'pí sl dr prof doc ing mgr mudr judr sv gen ul nám str čl ods obr tab kap tel napr tzv tj resp',
  sl: SOUTH_SLAVIC,
  sr: SOUTH_SLAVIC,
  sv: `${NORWEGIAN} t.ex d.v.s s.k jfr`,
  sw: 'bi bw dkt prof eng mh',
  tr: 'dr prof doç yrd arş öğr müh apt md bkz örn Gör Av Sn Cad Sok Mah',
  uk: 'проф акад доц інж д-р св ген вул пл просп буд кв обл р-н див пор табл розд гл дод цит ім т.зв напр',
  vi: 'ths ts gs pgs bs ks tp',
};

/** A word before a number. */
const SHORT = /^\p{L}{1,5}$/u;
/** Returns the rules of a language that has no file of its own. If its abbreviations are not known, those of English apply. */
export function rulesOf(language: string): SentenceRules {
  const own = ABBREVIATIONS[language];
  return {
    titles: own === undefined ? ENGLISH.titles : words(`mr mrs dr prof St vs cf e.g i.e p.s n.b ${own}`),
    abbreviations: own === undefined ? ENGLISH.abbreviations : words('etc inc ltd corp jr sr a.m p.m'),
    starters: ENGLISH.starters,
    hasOrdinals: WITH_ORDINALS.has(language),
    numbered: SHORT,
  };
}
