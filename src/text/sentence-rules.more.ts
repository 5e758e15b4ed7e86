import { ENGLISH, type SentenceRules, words } from './sentence-rules.js';

/** Languages whose numbers with a full stop are ordinals, or sections: their sentences end with a verb. */
const WITH_ORDINALS = words('bn bs cs da et fa fi gu hi hr hu is kn lt lv ml mr nb ne nn no pl sk sl sr ta te tr');

const NORWEGIAN = 'dr prof hr fr frk St sct kl nr tlf fig jf ca ev f.eks bl.a dvs t.d cand stud Red';
const SOUTH_SLAVIC = 'g gđa gđica gosp dr prof mr doc ing inž sv ul br str čl st sl tab tel npr tj tzv tzn';

/** Abbreviations of other languages. Nearly always, something follows that belongs to them. */
const ABBREVIATIONS: Readonly<Record<string, string>> = {
  af: 'mnr mev mej dr prof ds nr bl afb hfst bv',
  ar: 'عق',
  bg: 'проф акад доц инж г-н г-жа д-р св ул бул пл ж.к бл вх ет ап обл гр вж срв фиг табл гл прил стр чл ал изд нар т.нар напр',
  bn: 'ডা প্রফ মো সং.রা উ.প্র ম.প্র রু অধ্যা পৃ খ্রি মোছা ইঞ্জি অ্যাড নং',
  bs: SOUTH_SLAVIC,
  cs: 'pí sl dr prof doc ing mgr bc mudr judr rndr phdr arch sv gen plk mjr kpt ul nám tř str čl odst obr tab kap tel např tzv tj mj resp popř',
  da: NORWEGIAN,
  el: 'κα κος δρ αρ τομ σελ παρ βλ πρβλ εικ κεφ αγ τηλ π.χ δηλ λ.χ',
  et: 'hr pr dr prof nt lk nr tel vt',
  fi: 'hra rva prof esim ns nk klo nro puh ks vrt',
  gu: 'ડૉ ડો શ્રી પ્રો પં રૂ રુ કુ સ્વ ઉદા પૃ ક્ર નં તા જિ',
  hi: 'डॉ श्री प्रो प्रा पं कु सौ सं.रा उ.प्र म.प्र रु रू उदा पृ क्र मि इंजी ई.पू मो स्व चौ नं सं दि न्या अनु जि ता',
  hr: SOUTH_SLAVIC,
  hu: 'dr prof özv ifj id gr pl ld kb sz tel',
  hy: 'պրոֆ դոկ ինժ գլ',
  id: 'ir drs dra dr prof moh hlm tn ny jl kab kec PT CV UD hj sdr sdri bpk yth drg jln kel prov',
  is: NORWEGIAN,
  kk: 'проф акад доц басқ инж көш табл сур',
  kn: 'ಡಾ ಶ್ರೀ ಪ್ರೊ ರೂ ಕು ಉದಾ ಪು ನಂ',
  lt: 'prof dr doc gen šv gr nr psl pav lent tel žr plg pvz t.y',
  lv: 'prof dr doc sv nr lpp tel piem',
  ml: 'ഡോ പ്രൊ ശ്രീ ഉ.പ്ര മ.പ്ര പ്രൊഫ രൂ അഡ്വ ഉദാ പേ നം',
  mr: 'डॉ श्री प्रा सौ कु इंजि म.रा भा.रा रु रू उदा पृ क्र प्रो पं मो स्व नं सं दि अॅड ॲड जि ता',
  nb: NORWEGIAN,
  ne: 'डा डॉ श्री प्रा प्रो पं रु उदा पृ',
  nl: 'dhr mevr mw dr drs ir ing prof mgr mr ds bijv bv d.w.z o.a m.n t.a.v i.v.m nr blz pag afb hfdst hst ca zgn resp evt',
  nn: NORWEGIAN,
  no: NORWEGIAN,
  pl: 'dr prof mgr inż hab ks św bł kpt mjr płk ppłk gen ul al pl os nr str rozdz np m.in tzn tj tzw wg',
  ro: 'dl dna dra dr prof conf ing arh sf str bd bul nr pag tel ap sc cf pct Al Gr Col',
  sk: 'pí sl dr prof doc ing mgr mudr judr sv gen ul nám str čl ods obr tab kap tel napr tzv tj resp',
  sl: SOUTH_SLAVIC,
  sr: `${SOUTH_SLAVIC} проф др инж св ул бр стр нпр тзв г`,
  sv: `${NORWEGIAN} t.ex d.v.s s.k jfr`,
  sw: 'bi bw dkt prof eng mh',
  ta: 'திரு திருமதி செல்வி டாக் பேரா ரூ எ.கா பக் இரா கி.மு கி.பி',
  te: 'డా డాక్ శ్రీ ప్రొ ప్రో రూ ఉదా పే నెం క్రీ.శ క్రీ.పూ',
  tr: 'dr prof doç yrd arş öğr müh apt md bkz örn Gör Av Sn Cad Sok Mah',
  uk: 'проф акад доц інж д-р св ген вул пл просп буд кв обл р-н див пор табл розд гл дод цит ім т.зв напр',
  vi: 'ths ts gs pgs bs ks tp',
};

const SCANDINAVIAN_STARTERS =
  'jag jeg du han hon hun den det vi en et ett och og men så da då dette denne detta hva vad hvad nu nå om';

/** Words with which sentences often begin, and names do not. In India, letters of names are words, too: "पी. वी. राव". */
const STARTERS: Readonly<Record<string, string>> = {
  bg: 'аз ти той тя то ние вие те това този тази но после когато ако какво как',
  bn: 'আমি তুমি আপনি সে তিনি এটা এই তারপর কিন্তু এবং আজ এখন',
  cs: 'já ty on ona my vy oni to ten ta ale pak potom když pokud co jak teď je',
  da: SCANDINAVIAN_STARTERS,
  el: 'εγώ εσύ αυτός αυτή αυτό εμείς ο η το οι τα και αλλά μετά αν τι πώς τώρα',
  fi: 'minä sinä hän me te he se tämä ja mutta sitten kun jos mitä nyt',
  gu: 'હું તમે તે આ અમે પછી પણ અને હવે આજે',
  hi: 'मैं हम आप तुम यह ये वह वे इस उस उसने उन्होंने फिर तब अब आज और लेकिन मगर इसलिए क्या हाँ नहीं',
  hu: 'én te ő mi ti ők a az ez és de aztán ha most',
  id: 'saya aku kamu dia kami kita mereka ini itu tetapi tapi lalu kemudian jika apa sekarang',
  mr: 'मी आम्ही तू तुम्ही तो ती ते हा ही हे मग पण आणि आता आज',
  nb: SCANDINAVIAN_STARTERS,
  ne: 'म हामी तपाईं यो त्यो ऊ अनि तर आज अब',
  nl: 'het dit dat hij zij wij we ik je jij deze een dan daarna toen dus maar als wat nu ook',
  no: SCANDINAVIAN_STARTERS,
  pl: 'ja ty on ona ono my wy oni to ten ta te jest nie ale więc potem gdy jeśli co jak teraz',
  ro: 'eu tu el ea noi voi ei ele acest aceasta dar apoi când dacă ce cum este',
  sv: SCANDINAVIAN_STARTERS,
  tr: 'ben sen o biz siz onlar bu şu bir ve ama sonra şimdi çünkü eğer ne',
  uk: 'я ти він вона воно ми ви вони це цей ця але потім тоді коли якщо що як',
};

/** A word before a number. */
const SHORT = /^\p{L}{1,5}$/u;
/** Consonants of Thai and Lao that are no end of a syllable. Only abbreviations have a full stop after them. */
const CONSONANTS = /(?<![\u0E00-\u0EFF])[ก-ฮກ-ຮ]+$|[ก-ฮກ-ຮ]{2}$/u;
/** Names of Latin letters in Devanagari: "ए", "बी", "जे", "एम". */
const LETTER =
  /^(?:[इईऎएऐऒओ]|आ[इई]|इउ|वाई|वै|[ऎए](?:ं|[फचलमनस\u097B-\u097D]्?|इच|क्स)|हॆच्|आ[र\u097C]्?|[बचसडजगपटव][िी]|भि|[जक][ॆे]|क?्?[यव][ुू]|किउ|डब्ल्यू|जेड)$/u;

/** A letter of a name in the scripts of the south of India, other than words for "come", "go", "give" and "you". */
const SOUTHERN = /^(?!வா|போ|தா|நீ|రా|పో|ಬಾ|ಹೋ|വാ|പോ|താ)[\u0B85-\u0D39]\p{M}?$/u;

/** Recognizes letters of names in the scripts of India, and abbreviations of Thai. */
function isAbbreviation(word: string): boolean {
  // The scripts have the same order in Unicode, each with 128 code points.
  const devanagari = word.replaceAll(/[\u0980-\u0D7F]/g, (sign) =>
    String.fromCharCode(0x900 + (sign.charCodeAt(0) % 128)),
  );
  return devanagari.split('.').every((letter) => LETTER.test(letter)) || SOUTHERN.test(word) || CONSONANTS.test(word);
}

/** Returns the rules of a language that has no file of its own. If its abbreviations are not known, those of English apply. */
export function rulesOf(language: string): SentenceRules {
  const own = ABBREVIATIONS[language];
  return {
    titles: own === undefined ? ENGLISH.titles : words(`mr mrs dr prof St vs cf e.g i.e p.s n.b ${own}`),
    abbreviations: own === undefined ? ENGLISH.abbreviations : words('inc ltd corp'),
    starters: new Set([...ENGLISH.starters, ...(STARTERS[language]?.split(' ') ?? [])]),
    hasOrdinals: WITH_ORDINALS.has(language),
    numbered: SHORT,
    isAbbreviation,
  };
}
