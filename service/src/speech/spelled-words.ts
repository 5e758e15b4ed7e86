import { keys } from './abbreviations.js';
import type { Rule } from './mapped-text.js';
import { rule } from './number-patterns.js';

/** Words in capitals whose letters people name, though the voice could read them as words. */
const SPELLED = (
  'ABS ACA ACLU ADA AED AEDT AES AEST AGI AI AKA ALS AMA AMD AOL APA API APR APY ASR ASU ATV AUV AWD AWS BYU CEO CEST ' +
  'CET CFO CIA CIO CLI COB COO CPU CTO DEI DIY DOB DOJ DOD DUI EC ECG ECU EDT EEG EEOC EIN EKG EMF EMG EMI EMP EMS EMT EOD ' +
  'EOM EPA EPO EPS EQ ERP ESA EST ET ETA ETF ETL EU EV FAA FAQ FYI GED GMO GPU GRE HOA HSA IB ICT ICU ID IDE IED IMF IMHO ' +
  'IMO INR IOC IOU IP IPA IPO IQ IRA IRL IRS ISP ISS IST IUD LED MIT MOU MRI NDA NGO NRA NYC NYT NYU OEM OJ OMG OOP ' +
  'OS OSU OTC PLO POC POV PTO ROI SEC SEO SHA SLA STI SUV TIL TPU TSA UAE UAV UAW UC UCLA UEFI UFO UHD UI UK UN UNC UPI ' +
  'UPS URI URL USA USAF USB USC USD USN USPS USS UTI UUID UV UVA UX VOC'
).replaceAll(' ', '|');

/** Others that are words in a text in capitals: "TELL US". */
const AMBIGUOUS = 'AP|AR|BA|CO|ER|IR|IT|LA|MA|OP|PA|PE|PO|SAT|US';

/** Names in which the voice does not recognize the words. */
const NAMES: Readonly<Record<string, string>> = {
  AUX: 'awks',
  DoD: 'D-o-D',
  DoJ: 'D-o-J',
  GUI: 'gooey',
  IEEE: 'I triple-E',
  IoT: 'I-o-T',
  JSON: 'Jason',
  LaTeX: 'Lay-tek',
  OLED: 'O-L-E-D',
  PaaS: 'pass',
  PhDs: "Ph.D's",
  PostgreSQL: 'Postgres-Q-L',
  PyTorch: 'Pie-Torch',
  SaaS: 'sass',
  SpO2: 'S-p-O-2',
  'Wi-Fi': 'WiFi',
  blockchain: 'block-chain',
  git: 'ghit',
  Git: 'Ghit',
  login: 'log-in',
  nginx: 'engine-x',
};

/** Chemical elements of formulas that people write. */
const ELEMENTS =
  'Ag|Al|Ar|Au|Ba|Br|Ca|Cd|Cl|Co|Cr|Cs|Cu|Fe|Ga|Hg|Kr|Li|Mg|Mn|Na|Ne|Ni|Pb|Pt|Si|Sn|Ti|Xe|Zn|[BCFHIKNOPSUV]';

/** Words before a letter that names one of several: vitamin A, plan B. */
const LETTERED =
  'appendix|class|exhibit|figure|grade|group|hepatitis|option|part|plan|point|schedule|section|series|team|type|vitamin';

/** Characters around a word. */
const BEFORE = '(?<![A-Za-z0-9])';
const AFTER = '(?![A-Za-z0-9])';

const NAME_RULE: Rule = [rule(`${BEFORE}(?:${keys(NAMES)})${AFTER}`), (name) => NAMES[name]!];

/**
 * Rules that divide words as people read them: AI is spelled, and GitHub is two words. The voice reads a word in capitals
 * as one if it can be pronounced, and loses AM.
 *
 * The text is ASCII.
 */
export const SPELLED_RULES: readonly Rule[] = [
  NAME_RULE,
  // GitHub, getUserById, MySQL, VSCode; iPhone, eBay, iOS
  [
    /(?<=[A-Za-z]{2}[a-z](?<!\bMac))(?=[A-Z])|(?<=\bMac)(?=OS|Book)|(?<=\b(?:My|No|Rx))(?=SQL|JS)|(?<=[A-Z]{2})(?=[A-Z][a-z]{2})/g,
    '-',
  ],
  [/(?<=\b[ei])(?=[A-Z][a-z]|OS)/g, '-'],
  // Again, for those that were part of a word: GeoJSON
  NAME_RULE,
  [/(?<=\bI )AM\b|\bAM(?= I\b)/g, 'am'],
  [
    rule(
      `${BEFORE}(${SPELLED}|AM|(?<=\\bthe )WHO|(?:[A-D]{2,3}|OH)(?= (?:minus|plus)\\b)|[B-DF-HJ-NP-TV-Z]{2,5}(?='?s))('?s)?${AFTER}`,
    ),
    spell,
  ],
  [
    rule(`${BEFORE}(${AMBIGUOUS})('?s)?${AFTER}`),
    (...found) => {
      const [word, letters, s] = found;
      const [at, text] = found.slice(-2) as unknown as [number, string];
      return isShouted(text, at, word!.length) ? word! : spell(word!, letters!, s);
    },
  ],
  // H2SO4, CO2, ES2015
  [
    rule(`${BEFORE}(?=\\p{L}{0,9}\\d)(?:(?:${ELEMENTS})\\d{0,2}){2,9}${AFTER}`),
    (formula) => formula.match(/\d+|[A-Za-z]/g)!.join('-'),
  ],
  [rule(`${BEFORE}(?=[A-Z]?[AEIOU])([A-Z])([A-Z])(?=\\d)`), '$1-$2-'],
  // I/O, N/A, an A/B test
  [
    rule(`(?<![A-Za-z0-9/])(?:[A-Z](?:/[A-Z]){1,3}|n/a)(?![A-Za-z0-9/])`),
    (letters) => letters.toUpperCase().replaceAll('/', '-'),
  ],
  // The letter A is no article: vitamin A is, an A minor, A to Z
  [
    rule(
      `(?<=\\b(?:[Aa]n|[Aa]nd|[Oo]r|${LETTERED}|${LETTERED.replaceAll(/(?<=^|\|)[a-z]/g, (first) => first.toUpperCase())}) )A(?= [a-z])|\\bA(?= (?:to|or|and|through) [B-Z]\\b)|(?<=[a-z] )A(?= (?:and|is|or|was|will|works) [a-z])`,
    ),
    'Ay',
  ],
];

/** @param s - The ending of a plural or of a genitive. */
function spell(_: string, letters: string, s?: string): string {
  return Array.from(letters).join('-') + (s ? "'s" : '');
}

/** True if the words around one in capitals are in capitals too, and can be pronounced. */
function isShouted(text: string, at: number, length: number): boolean {
  const before = /([A-Za-z']+)[ ,]*$/.exec(text.slice(Math.max(0, at - 30), at))?.[1];
  const after = /^[ ,]*([A-Za-z']+)/.exec(text.slice(at + length, at + length + 30))?.[1];
  const around = [before, after].filter((word) => word !== undefined);
  return around.length > 0 && around.every((word) => /^(?=.*[AEIOUY])[A-Z']{2,}$/.test(word));
}
