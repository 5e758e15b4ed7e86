import type { Rule } from './mapped-text.js';
import { DASH } from './number-patterns.js';
import { sayDigits, sayInteger, sayPair, sayYear } from './number-words.js';
import { valueOfRoman } from './roman-numerals.js';

/** Titles, which precede a name. */
const TITLES: Readonly<Record<string, string>> = {
  Dr: 'Doctor',
  Mr: 'Mister',
  Mrs: 'Missus',
  Ms: 'Ms',
  Prof: 'Professor',
  St: 'Saint',
  Mt: 'Mount',
  Ft: 'Fort',
  Capt: 'Captain',
  Col: 'Colonel',
  Gen: 'General',
  Gov: 'Governor',
  Hon: 'Honorable',
  Lt: 'Lieutenant',
  Rev: 'Reverend',
  Rep: 'Representative',
  Pres: 'President',
  Maj: 'Major',
  Cpl: 'Corporal',
  Adm: 'Admiral',
  Sen: 'Senator',
  Sgt: 'Sergeant',
  Pvt: 'Private',
  Cmdr: 'Commander',
  Cdr: 'Commander',
  Brig: 'Brigadier',
  Supt: 'Superintendent',
  Atty: 'Attorney',
  Assoc: 'Associate',
  Asst: 'Assistant',
  Fr: 'Father',
  Mme: 'Madame',
  Mlle: 'Mademoiselle',
};

/** Abbreviations that precede a number. */
const LABELS: Readonly<Record<string, string>> = {
  no: 'number',
  nos: 'numbers',
  fig: 'figure',
  figs: 'figures',
  vol: 'volume',
  vols: 'volumes',
  ch: 'chapter',
  chs: 'chapters',
  sec: 'section',
  eq: 'equation',
  eqs: 'equations',
  op: 'opus',
  pp: 'pages',
  p: 'page',
  pt: 'part',
  art: 'article',
  tab: 'table',
  tbl: 'table',
  ref: 'reference',
  ca: 'about',
  ext: 'extension',
  ver: 'version',
  rev: 'revision',
};

/** Labels before a numeral of one letter. Others may be a word that ends a sentence: "I like art. I paint." */
const VOLUMES = /^(?:[Vv]ol|[Cc]h|[Ee]q|Fig|Pt)$/;

/** Abbreviations in any position. */
const WORDS: Readonly<Record<string, string>> = {
  'e.g': 'for example',
  'i.e': 'that is',
  'a.k.a': 'also known as',
  'w.r.t': 'with respect to',
  viz: 'namely',
  etc: 'et cetera',
  vs: 'versus',
  approx: 'approximately',
  avg: 'average',
  cf: 'compare',
  incl: 'including',
  qty: 'quantity',
  tel: 'telephone',
  misc: 'miscellaneous',
  mgr: 'manager',
  asst: 'assistant',
  ea: 'each',
  Univ: 'University',
  dept: 'department',
  Inc: 'Incorporated',
  Ltd: 'Limited',
  Corp: 'Corporation',
  Co: 'Company',
  Jr: 'Junior',
  Sr: 'Senior',
  St: 'Street',
  Ave: 'Avenue',
  Blvd: 'Boulevard',
  Rd: 'Road',
  Dr: 'Drive',
  Ln: 'Lane',
  Pkwy: 'Parkway',
  Hwy: 'Highway',
  Ct: 'Court',
  Crt: 'Court',
  Cres: 'Crescent',
  Cir: 'Circle',
  Pl: 'Place',
  Sq: 'Square',
  Ter: 'Terrace',
};

/** Abbreviations in addresses that precede a number. */
const PLACES: Readonly<Record<string, string>> = {
  Apt: 'Apartment',
  Ste: 'Suite',
  Rm: 'Room',
  Fl: 'Floor',
  Bldg: 'Building',
  Hwy: 'Highway',
  Rte: 'Route',
  Rt: 'Route',
};

/** Abbreviations before the years of a person. */
const LIVES: Readonly<Record<string, string>> = { b: 'born', d: 'died', r: 'reigned', fl: 'flourished' };

/** Keys of a keyboard. */
const KEYS: Readonly<Record<string, string>> = {
  Ctrl: 'Control',
  Cmd: 'Command',
  Opt: 'Option',
  Esc: 'Escape',
  Del: 'Delete',
  Win: 'Windows',
};

/** Full names of months by their first three letters. */
export const MONTHS: Readonly<Record<string, string>> = Object.fromEntries(
  'January February March April May June July August September October November December'
    .split(' ')
    .map((month) => [month.slice(0, 3), month]),
);

/** Names of days by their abbreviations. */
export const DAYS: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    'Monday Tuesday Wednesday Thursday Friday Saturday Sunday'.split(' ').map((day) => [day.slice(0, 3), day]),
  ),
  Tues: 'Tuesday',
  Thur: 'Thursday',
  Thurs: 'Thursday',
};

/** A day by its name or an abbreviation. */
const DAY = `(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)days?|${keys(DAYS)}`;

/** Parts of the name of a rule of a federal court. */
const COURT_RULES: Readonly<Record<string, string>> = {
  'Civ. P': 'Civil Procedure',
  'Crim. P': 'Criminal Procedure',
  'App. P': 'Appellate Procedure',
  'Bankr. P': 'Bankruptcy Procedure',
  Evid: 'Evidence',
};

/** Words after "Sr." that are no name of a sister. */
const ROLES =
  'VP|SVP|EVP|Manager|Engineer|Director|Developer|Vice|Analyst|Software|Data|Product|Project|Program|Account|Associate|Consultant|' +
  'Designer|Editor|Staff|Research|Scientist|Architect|Citizens?|Design|Systems?|Sales|Marketing|Business|Executive|Tech|' +
  'Technical|Lecturer|Advis[eo]r|Counsel|Writer|Producer|Specialist|Lead|Officer|Administrator|Nurse|Security|Network|Web|Financial|Policy|Legal|Quality|Partner|Living|High|Center|Class|Pastor|Fellow';

/** Words with which a sentence begins, and no name. */
const STARTERS = 'It|He|She|We|You|They|I|The|A|This|That|There|Then|But|And|In|On|At|After|When|Go|Turn';

const isSentenceEnd = /^(?:$|\n|["')\]](?!s\b)|\s{1,3}\p{Lu})/u;

/** Names and streets, which a number may follow in the next sentence: "He left Foo Inc. 5 people stayed." */
const isBeforeAmount = /^(?:Inc|Ltd|Corp|Co|Jr|Sr|St|Ave|Blvd|Dr|Ln|Ct|Pl|Sq|etc) \d[\d,.]{0,12} \p{Ll}/u;

/** Units of time, and people: a number of them begins a sentence. */
const COUNTED = 'years?|months?|weeks?|days?|hours?|minutes?|seconds?|people|percent|more|others|of (?:us|them|you)';

/**
 * Labels that are a word at the end of a sentence: "Open a tab. 3 tabs are open.", "He said no. 20 years later"; but not in
 * "the no. 1 hit".
 */
const IS_WORD = new RegExp(
  `(?<=\\b(?:an?|one|another|my|your|his|her|our|their|some|any|each|every|say(?:s|ing)?|said|answer(?:s|ed)?|(?:stud|repl)ied|lov(?:es?|ed)|likes?|teach(?:es)?|taught|made?|makes|modern|fine) )(?:no|figs?|ch|sec|art|tab|ref|pt|op|ext)\\. {0,2}\\d|` +
    `(?<!\\p{L})(?:no|art|tab|sec|fig|ref)\\. {0,2}\\d[\\d,.]{0,12}\\s(?:${COUNTED})\\b|(?<!\\p{L})(?<label>tab|fig|sec|art|ref)\\. {0,2}\\d{1,3} \\k<label>s\\b`,
  'giuy',
);

/**
 * Rules that write out English abbreviations. A full stop that also ends the sentence is kept.
 *
 * Linear in the length of the text.
 */
export const ABBREVIATION_RULES: readonly Rule[] = [
  // Pennsylvania Ave. NW
  [
    /(?<=\p{Lu}\p{L}{1,30}\s|\d(?:st|nd|rd|th)\s)(Ave|St|Blvd|Rd|Dr|Ln|Ct|Pl)\.?,?\s([NS])([EW])(?![\p{L}\p{N}])/gu,
    (_, word, first, second) =>
      `${WORDS[word]!} ${first === 'N' ? 'North' : 'South'}${second === 'E' ? 'east' : 'west'}`,
  ],
  // 42nd St, 12 Elm Rd, Sunset Blvd, Apt. 4
  [
    new RegExp(
      `(?<=\\d(?:st|nd|rd|th)\\s|\\d\\p{Lu}?\\s(?:\\p{Lu}\\p{L}{1,30}\\s){1,3})(St|Dr|Ave|Rd|Ln|Crt|Ct|Cres|Cir|Pl|Sq|Ter|Blvd|Pkwy|Hwy)(?![\\p{L}\\p{N}.])`,
      'gu',
    ),
    (_, word) => WORDS[word]!,
  ],
  [/(?<=\p{Lu}\p{L}{1,30}\s)(Ave|Blvd|Pkwy|Hwy)(?![\p{L}\p{N}.])/gu, (_, word) => WORDS[word]!],
  [new RegExp(`(?<![\\p{L}\\p{N}])(${keys(PLACES)})\\.?\\s(?=\\d)`, 'gu'), (_, word) => `${PLACES[word]!} `],
  // (9th Cir. 1997), M-F 9-5
  [
    /(?<=(?<!\d\s)\b(?:\d{1,2}(?:st|nd|rd|th|d)|Fed\.|D\.C\.)\s)Cir\.(?=(\s\p{Lu}|\s?$)?)/gu,
    (_, end) => `Circuit${end === undefined ? '' : '.'}`,
  ],
  [/(?<![\p{L}\d])([23])d(?=\sCir(?:\.|cuit))/gu, (_, digit) => (digit === '2' ? 'second' : 'third')],
  // Fed. R. Civ. P. 12(b)(6), P.L. 117-58, No. 21-1234, Co. Rd. 12, Sr. Mary
  [
    new RegExp(`(?<!\\p{L})Fed\\. ?R\\. ?(${keys(COURT_RULES)})\\.(?=\\s\\d)`, 'gu'),
    (_, part) => `Federal Rule of ${COURT_RULES[part]}`,
  ],
  [
    /(?<!\p{L})(?:P\.\s?L\.|Pub\.\s?L\.)(?:\sNo\.)?\s(\d{2,3})-(\d{1,3})(?![\d-])/gu,
    (_, congress, law) => `Public Law ${sayInteger(congress)} ${sayInteger(law)}`,
  ],
  [
    /(?<=(?<!\p{L})No(?:\.\s\d{2}|s\.\s(?:\d{2}-\d{4,5}(?:,|,?\sand)\s){0,4}\d{2}(?=-\d{4})))-([1-9]\d{2,3}|\d{5})(?![\p{L}\d-])/gu,
    (_, number) => ` ${(number.length === 4 ? sayYear : number.length === 3 ? sayPair : sayDigits)(number)}`,
  ],
  [/(?<!\p{L})(?:Co\.?|Cty\.?)\sRd\.?(?=\s\d)/gu, 'County Road'],
  [new RegExp(`(?<=^|\\n|[.!?]\\s|["“])Sr\\.(?=\\s(?!(?:${ROLES})\\b)\\p{Lu}\\p{Ll})`, 'gu'), 'Sister'],
  [new RegExp(`(?<!\\p{L})Sr\\.(?=\\s(?:${ROLES})\\b)`, 'gu'), 'Senior'],
  [/(?<![\p{L}\p{N}])M-F(?=:?\s\d)|(?<=\d(?:\s?[aApP]\.?[mM]\.?)?\s)M-F(?![\p{L}\p{N}-])/gu, 'Monday to Friday'],
  // Ctrl+C, Alt+F4, press Esc
  [
    new RegExp(
      `(?<![\\p{L}\\p{N}])(${keys(KEYS)}|Alt|Shift|Fn|Option|Control|Command)(?:\\s?\\+\\s?(?=[\\p{L}\\p{N}])|-(?=\\p{Lu}\\d{0,2}(?![\\p{L}\\p{N}])))`,
      'gu',
    ),
    (_, key) => `${KEYS[key] ?? key} `,
  ],
  [/(?<![\p{L}\p{N}])(?:Ctrl|Esc|(?<=\b[Pp]ress )Del)(?![\p{L}\p{N}])/gu, (key) => KEYS[key]!],
  // Mon-Fri, Mondays–Thurs
  [
    new RegExp(
      `(?<![\\p{L}\\p{N}])(${DAY})\\.?(?:${DASH}|\u2014)(${DAY})(?![\\p{L}\\p{N}])(?:\\.(?!\\s{1,3}\\p{Lu}|\\s{0,3}$))?`,
      'giu',
    ),
    (_, first, last) => `${dayOf(first)} to ${dayOf(last)}`,
  ],
  // Sat. & Sun., Tues and Thurs
  [
    new RegExp(
      `(?<![\\p{L}\\p{N}])(${keys(DAYS)})\\.?(\\s(?:&|and|or|to|thru|through)\\s)(${keys(DAYS)})(?![\\p{L}\\p{N}])(?:\\.(?!\\s{1,3}\\p{Lu}|\\s{0,3}$))?`,
      'gu',
    ),
    (_, first, between, last) => DAYS[first] + between + DAYS[last],
  ],
  // Mon/Wed/Fri
  [
    new RegExp(`(?<![\\p{L}\\p{N}/])(?:${keys(DAYS)})(?:/(?:${keys(DAYS)})){1,6}(?![\\p{L}\\p{N}/])`, 'gu'),
    (days) =>
      days
        .split('/')
        .map((day) => DAYS[day]!)
        .join(', '),
  ],
  // Mon., Sat. 5
  [
    new RegExp(`(?<![\\p{L}\\p{N}]|\\bthe\\s)(${keys(DAYS)})\\.(?=,|\\s(?:\\d|(?:${keys(MONTHS)})))`, 'gu'),
    (_, day) => DAYS[day]!,
  ],
  // Sat 10am, Sun 9-5
  [
    new RegExp(
      `(?<![\\p{L}\\p{N}])(${keys(DAYS)})(?=:?\\s\\d{1,2}(?::\\d{2})?(?:\\s?[ap]\\.?m|\\s?[-\u2013]\\s?\\d))`,
      'gu',
    ),
    (_, day) => DAYS[day]!,
  ],
  // q6h, q4-6h
  [/(?<![\p{L}\p{N}])q\.?\s?(?=\d{1,2}(?:\s?[-–]\s?\d{1,2})?\s?(?:h|hrs?|min)(?!\p{L}))/gu, 'every '],
  // 12th c.
  [
    /(?<=\d(?:st|nd|rd|th)\s)c(?:ent)?\.(?=(,|;|\)|\s\p{Ll}|\s(?:BC|AD|CE))?)/gu,
    (_, on) => `century${on === undefined ? '.' : ''}`,
  ],
  // Est. 1985, est. $5M
  [
    /(?<![\p{L}\p{N}])([Ee]st)\.(?=(\s(?:1[5-9]|20)\d{2}(?![,.]?\d|\s(?!in\b|by\b|and\b|as\b)\p{Ll}))?)(?=\s(?:[$€£~]|\d|\p{Ll}))/gu,
    (_, word, isYear) => likeFirst(isYear === undefined ? 'estimated' : 'established', word),
  ],
  // c. 1450
  [
    /(?<![\p{L}\p{N}.])ca?\.\s?(?=1\d{3}(?!\d)|\d{1,4}(?:\s?[-\u2013]\s?\d{1,4})?\s(?:BC|AD|CE)E?(?!\p{L}))/gu,
    'circa ',
  ],
  // (b. 1950), d. 2010, r. 1558–1603
  [
    /(?<=[(;,]\s?)(b|d|r|fl)\.\s?(?=(?:c(?:a|irca)?\.?\s?|\d{1,2}\s\p{Lu}\p{Ll}{2,8}\s|\p{Lu}\p{Ll}{2,8}\s\d{1,2},?\s)?\d{3,4}(?!\d|[.,]\d))/gu,
    (_, word) => `${LIVES[word]!} `,
  ],
  // 100 sq. ft., 12 fl. oz., 6 in. wide
  [/(?<=\d\s?|\/)(sq|cu|fl)\.\s?(?=(?:ft|in|yd|mi?|km|oz)(?![\p{L}\p{N}]))/gu, '$1 '],
  [/(?<=\d)\sin\.(?=([,;:)]|\s\p{Ll})|\s{0,3}$|\n|\s\p{Lu})/gu, (_, on) => (on === undefined ? 'in.' : 'in')],
  [
    /(?<=(?<![\p{L}\p{N}-])\d{1,3}(?:\.\d)?)-in(?:\.(?=\s\p{Ll})|(?=\s(?!(?:the|and|for|with|from|one|our|his|her|their|this|that)\b)\p{Ll}{3}))/gu,
    '-inch',
  ],
  // 8 oz. of, 6 ft.,
  [
    /(?<=(?:\d[\s-]?|\/)(?:(?:sq|cu|fl)\s)?(?:oz|lbs?|ft|yds?|hrs?|yrs?|mins?|secs?|mi|mos?|wks?|qts?|[tT]bsp|[tT]sp|gal|doz|pkg)|(?<=\d (?:sq|cu) )in)\.(?=[,;:)]|-?\s?\p{Ll}|\s\d{1,3}\s?(?:oz|in|mins?|secs?|qts?|pts?|cups?|ft|yds?|hrs?|days?|wks?|weeks?|mos?|months?)(?!\p{L})|\s[NS]?[EW]?\sof\b)/gu,
    '',
  ],
  // 12 Elm St., Mulholland Dr. The
  [
    new RegExp(
      `(?<=\\d\\s(?:\\p{Lu}\\p{L}{1,30}\\s){1,3})(St|Dr)\\.(?=(\\s{1,2}(?:\\p{Lu}|\\d{1,6} \\p{Ll})|\\s{0,3}$)|)`,
      'gu',
    ),
    (_, word, end) => (word === 'St' ? 'Street' : 'Drive') + (end === undefined ? '' : '.'),
  ],
  [
    new RegExp(`(?<=\\p{Lu}\\p{L}{1,30}\\s)(St|Dr)\\.(?=\\s(?:${STARTERS})\\b)`, 'gu'),
    (_, word) => (word === 'St' ? 'Street.' : 'Drive.'),
  ],
  [new RegExp(`(?<![\\p{L}\\p{N}])(${keys(TITLES)})\\.(?=\\s{1,2}\\p{Lu})`, 'gu'), (_, title) => TITLES[title]!],
  // Mr Brown, Mr. & Mrs. Hu, but Sunset Dr Apt 4
  [
    /(?<![\p{L}\p{N}]|\p{Lu}\p{L}{1,30}\s(?=Dr))(Mrs?|Dr|Prof)(?:(?=\s\p{Lu}\p{Ll})|(?<=Mr)\.(?=\s(?:&|and)\s))/gu,
    (_, title) => TITLES[title]!,
  ],
  // Yes, Dr., but not Mulholland Dr.
  [/(?<![\p{L}\p{N}.]|\p{Lu}\p{L}{1,30}\s)Dr\.(?=[,;:!?])/gu, 'Doctor'],
  // cats vs dogs, Roe v Wade, max. 5
  [/(?<=\S\s)(?:vs(?=\s[\p{L}\p{N}])|v\.?(?=\s\p{Lu}\p{L}))/gu, 'versus'],
  [/(?<![\p{L}\p{N}.]|\d\s)([Mm]ax|[Mm]in)\.(?=\s(?:\d|\p{Ll}))/gu, '$1imum'],
  // No. 5, Fig. IV, but "No. I do."
  [
    new RegExp(
      `(?<![\\p{L}\\p{N}]|\\d\\s(?!No))(${keys(LABELS)})\\. {0,2}(?:(?=\\(?\\d)|([IVXL]{1,7})(?![\\p{L}\\p{N}’']))`,
      'giu',
    ),
    (...match) => {
      const [found, label, numeral = ''] = match as [string, string, string?];
      [IS_WORD.lastIndex] = match.slice(-2) as unknown as [number];
      if (!numeral && IS_WORD.test(match.at(-1)!)) return found;
      const isPage = /^pp?$/i.test(label);
      const number = isPage ? numeral : numeral && valueOfRoman(numeral);
      const isWord = numeral.length === 1 ? !VOLUMES.test(label) : !isPage && /[IVXL]/i.test(number);
      return isWord ? found : `${likeFirst(LABELS[label.toLowerCase()]!, label)} ${number}`;
    },
  ],
  [/(?<![\p{L}\p{N}])App\.(?=\s(?:\p{Lu}|\d{1,2})(?![\p{L}\p{N}]))/gu, 'Appendix'],
  [/(?<![\p{L}\p{N}])([Nn])o\.(?=\sof\s(?!course\b))/gu, '$1umber'],
  [
    new RegExp(
      `(?<![\\p{L}\\p{N}.])(${keys(WORDS)
        .replaceAll('.', '\\.')
        .replace(/(?<=^|\|)[a-z]/g, (first) => `[${first}${first.toUpperCase()}]`)})\\.`,
      'gu',
    ),
    (...found) => {
      const [match, abbreviation] = found as [string, string];
      const word = abbreviation in WORDS ? abbreviation : abbreviation[0]!.toLowerCase() + abbreviation.slice(1);
      const [at, text] = (found as unknown[]).slice(2) as [number, string];
      const after = text.slice(at + match.length, at + match.length + 20);
      const isEnd = isSentenceEnd.test(after) && !/^(?:e\.g|i\.e|a\.k\.a|w\.r\.t|viz|vs|cf|approx)$/.test(word);
      return likeFirst(WORDS[word]!, abbreviation) + (isEnd || isBeforeAmount.test(word + after) ? '.' : '');
    },
  ],
];

/** Returns the names as a pattern, the longest first, so that a name does not hide a longer one. */
export function keys(words: Readonly<Record<string, unknown>>): string {
  return Object.keys(words)
    .sort((a, b) => b.length - a.length)
    .join('|');
}

/** Returns the name of a day. One that is not abbreviated stays as it is. */
function dayOf(day: string): string {
  return DAYS[day[0]!.toUpperCase() + day.slice(1).toLowerCase()] ?? day;
}

/** Capitalizes `word` if `first` is capitalized. */
function likeFirst(word: string, first: string): string {
  return /^\p{Lu}/u.test(first) ? word[0]!.toUpperCase() + word.slice(1) : word;
}
