import type { MappedText, Rule } from './mapped-text.js';
import { keys } from './abbreviations.js';
import { rule } from './number-patterns.js';
import { sayDigits, sayInteger, sayOrdinal } from './number-words.js';
import { SIGN, UNITS } from './unit-words.js';

/** Greek letters, which stand for something in English text. */
const GREEK = (
  'alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi omicron pi rho sigma tau upsilon phi chi ' +
  'psi omega'
).split(' ');

const SUPERSCRIPTS = '⁰¹²³⁴⁵⁶⁷⁸⁹';

/** Directions behind degrees. */
const DIRECTIONS: Readonly<Record<string, string>> = { N: 'north', S: 'south', E: 'east', W: 'west' };

/** Signs that are read like another one. */
const ALIKE: Readonly<Record<string, string>> = {
  '⩽': '≤',
  '≦': '≤',
  '⩾': '≥',
  '≧': '≥',
  '∼': '≈',
  '≃': '≈',
  '≅': '≈',
  '⟶': '→',
  '⟵': '←',
  '⟷': '↔',
  '⟹': '⇒',
  '⟺': '⇔',
  '⟂': '⊥',
  '∕': '/',
};

/** Rules of signs and numbers that are another way to write what the other rules know. */
export const SPELLING_RULES: readonly Rule[] = [
  // 10^24 kg
  [
    new RegExp(
      `(?<=\\b(?:10(?:[⁻${SUPERSCRIPTS}]{1,5}|\\^[-\u2212]?\\d{1,3})|\\d[eE][-+\u2212]?\\d{1,3})\\s)(${keys(UNITS)})(?![\\p{L}\\p{N}/])`,
      'gu',
    ),
    (_, unit) => UNITS[unit]![1],
  ],
  [new RegExp(`[${Object.keys(ALIKE).join('')}]`, 'g'), (sign) => ALIKE[sign]!],
  [/(?<=\d\s?)[·∙⋅](?=\s?\d)/g, '×'],
  // Na⁺, Ca²⁺
  [
    new RegExp(`(?<=[\\p{L}\\]]\\d?)([${SUPERSCRIPTS}]?)([⁺⁻])(?![${SUPERSCRIPTS}])`, 'gu'),
    (_, digit, sign) => `${digit && ` ${SUPERSCRIPTS.indexOf(digit)}`} ${sign === '⁺' ? 'plus' : 'minus'}`,
  ],
  // notes¹, "Yes."²
  [
    new RegExp(
      `(?<=\\p{L}{4}(?<!(?:second|meter|metre|mile|yard|inche?)s?|feet)|[.,;:!?'"”’])[${SUPERSCRIPTS}]{1,3}(?=[\\s.,;:!?'"”’)]|$)`,
      'gu',
    ),
    '',
  ],
  // ▼ 3%, ★★★★☆
  [/[▲↗]\s?(?=[$€£]?\d)/g, '↑'],
  [/[▼↘]\s?(?=[$€£]?\d)/g, '↓'],
  [
    /★{5}|(★{1,4})☆{1,4}|(?<=\d\s?)[★⭐]/g,
    (stars, lit) => (lit ? `${lit.length} out of ${stars.length} stars` : `${stars.length > 1 ? '5' : ''} stars`),
  ],
  // I <3 you
  [/(?<=\b(?:I|[Ww]e|[Yy]ou|they)\s)<3(?=\s\p{L})/gu, 'love'],
  [
    /(?<=[\p{L}!.,]\s(?<!\b(?:ages?|[A-Z]|pH|[A-Z]{2,5}|is|was|are|were|be|at|of|to|than|for|with|and|or|score|count|level|value|ratio|range|if|when|only|keep|rated|number|size|grade)\s))<3{1,5}(?=[.,!?]{0,3}(?:\s{0,3}$|\n|\s[\p{Lu}\p{Extended_Pictographic}]))/gu,
    '',
  ],
  // 3...2...1, 1..10, wait...5 minutes
  [/(?<=(?<![\d.])\d{1,3})\.\.(?=\d{1,3}(?![.\d]))/g, ' to '],
  [/\.{2,4}(?=\s?[$€£]?\d)/g, '... '],
  // :-D, ^_^
  [/(?<=^|(?<!\d)[\s.!?])(?:[:;]['’]?-?[()DPpOo3|/\\\][*]|=[()D]|\^[_.]?\^|-_+-|T_T|[xX]D)(?=[\s.,!?]|$)/g, ''],
  [/(?<=\d\s(?:deg|degrees?))\s([FC])(?![\p{L}\p{N}])/gu, (_, scale) => (scale === 'F' ? ' Fahrenheit' : ' Celsius')],
  // 4g/24h, (1+√5)/2, 3/$10
  [
    /(?<=\d\s?(?:m?[gGL]|ml|mcg|km|miles|tablets?|doses?))\/(?=\d{1,3}\s?(?:h|hrs?|hours|d|days|min)(?![\p{L}\p{N}]))/gu,
    ' per ',
  ],
  [/(?<=\d)\s?\+\s?(?=[√π])/g, ' plus '],
  [/(?<=\d\))\s?\/\s?(?=\d)/g, ' divided by '],
  [/(?<=(?<![\d.,/])\d)\/(?=\$\d)/g, ' for '],
  // 300 K
  [
    /(?<=(?<![\p{L}\d$€£.,-])[1-9]\d{0,3}(?:\.\d{1,2})?)\sK(?=[.;)]|$|,(?!\d)|\s(?:and|or|to|at|is|was|in)\b)/gu,
    ' kelvin',
  ],
  [/℃/g, '°C'],
  [/℉/g, '°F'],
  [/(?<=\d\s?)[º˚]/g, '°'],
  // It is 72 F. Heat the oven to 180C.
  [
    /(?<=\b(?:an?|is|was|to|of|at|and|or|from|around|about|below|above|hits?|reach(?:es)?|oven|temp:?)\s(?:\d{2,3}\s?(?:[-–]|to|or|and)\s?)?\d{2,3}(?:\.\d)?)\s?F(?![\p{L}\p{N}])|(?<=\b(?:oven|temp(?:erature)?s?|fever|heat|preheat|bake|highs?|lows?)\b[^.\n]{0,20}\s\d{2,3}(?:\.\d)?)\s?C(?![\p{L}\p{N}])/giu,
    (found) => `°${found.trim()}`,
  ],
  [/№\s?|(?<![\p{L}\p{N}])[Nn][º°]\.?\s?(?=\d)/gu, 'No. '],
  [/µ/g, 'μ'],
  // 2π
  [/(?<=\d)(?=[α-λν-ωΓΔΘΛΞΠΣΦΨ])/g, ' '],
  // 5! = 120
  [/(?<=(?<![\p{L}\p{N}])(?:\d{1,3}|[nkm]))!(?=\s?[-+*/×=)])/gu, ' factorial'],
  [/\u2126/g, 'Ω'],
  [/\u2206/g, 'Δ'],
  [/\u2044/g, '/'],
  [/\+\/-|\+-(?=\d)/g, '±'],
  // A row of signs divides parts of a text.
  [/(?<![\p{L}\p{N}])(?:={4,}|([-*_#~+^|])\1{2,})(?![\p{L}\p{N}])/gu, ' '],
  [/(?<=\d)\*\*(?=\d)/g, '^'],
  // 1-1/2 cups
  [/(?<![\p{L}\p{N}.,/-])(\d{1,2})-(?=[1-7]\/[2-8](?![\d/]))/gu, '$1 '],
  [/§§\s?/g, 'sections '],
  [/(?<=\bQ[1-4])['’](?=\d{2}(?!\d))/g, ' '],
  // 10x-15x, 4/4 time
  [/(?<=\d)[xX][-–](?=\d[\d.]{0,5}[xX])/g, ' to '],
  [/(?<=(?<![\d/.])(?:[2-9]|12))\/(?=\d{1,2}\s(?:time|meter|beat)\b)/g, ' '],
  // x^{2}
  [/(?<=[\p{L}\p{N})\]])\^\{(-?\d{1,3}|\p{L})\}/gu, '^$1'],
  // 2x+3, x-1, x² - y, 2^32-1
  [/(?<=\^\d{1,3}|[²³])\s?[-\u2212]\s?(?=\d)/g, ' minus '],
  [
    /(?<=(?<![\p{L}\p{N}.])\d{1,3})x(?=\s?[-+=^\u2212²³])|(?<=(?:(?<![\p{L}\p{N}])[-\u2212]|=\s?)\d{1,3})x(?![\p{L}\p{N}])/gu,
    ' x',
  ],
  [
    /(?<=(?<![\p{L}\p{N}])[xyznkrt](?:\^\d|[²³])?)(?:-(?=\d)|\s[-\u2212]\s(?=\d|[xyznkrt](?![\p{L}\d])))|(?<=\d)\s[-\u2212]\s(?=[xyz](?![\p{L}\d'’-]))/gu,
    ' minus ',
  ],
  // 37°46'30"N, 40.7° N
  [
    /(\d)°\s?(\d{1,2})['’′](?:\s?(\d{1,2}(?:\.\d{1,3})?)["”″])?\s?/g,
    (_, degree, minute, second) => `${degree} degrees ${minute} minutes${second ? ` ${second} seconds` : ''} `,
  ],
  [/(?<=°\s?|\d (?:minutes|seconds) )([NSEW])(?![\p{L}\p{N}])/gu, (_, letter) => ` ${DIRECTIONS[letter]!}`],
  // 27,50 €, €27,50, 12,5 %, 1,5 kg
  [
    /(?<![\d.,])(\d{1,9}),(?=\d{2}\s?(?:€|EUR\b)|\d{1,2}\s?(?:%|°C|(?:[mb]|tr)illion\b|(?:[kcm]?[mgl]|[kM]Wh?|[MG]B|L)(?![\p{L}\p{N}])))/gu,
    '$1.',
  ],
  [/(?<=(?:€|\bEUR)\s?\d{1,9}),(?=\d{2}(?!\d|,\d))/g, '.'],
  // 1.009 €
  [/(?<=(?<![\d.,])\d{1,3})\.(?=\d{3}\s?(?:€|EUR\b))|(?<=€\s?\d{1,3})\.(?=\d{3}(?!\d|[.,]\d))/g, ','],
  // 1.000,50 and 1.000.000 as on the European continent, 1'000 as in Switzerland, 25 000
  [
    /(?<![\d.,])\d{1,3}(?:\.\d{3}){1,5},(?:\d{1,2}|(?<=\.\d{3}\.\d{3},)\d{3,9})(?![\d.,]\d|\d)/g,
    (number) => number.replaceAll('.', '').replace(',', '.'),
  ],
  [/(?<![\d.,])\d{1,3}(?:\.\d{3}){2}(?![.,]?\d)/g, (number) => number.replaceAll('.', ',')],
  [/(?<![\d.,'’])\d{1,3}(?:['’]\d{3}){1,5}(?:\.\d{1,9})?(?![.,'’]?\d)/g, (number) => number.replace(/['’]/g, ',')],
  // 1,00,000 as in India
  [
    /(?<![\d.,])\d{1,2}(?:,\d{2}){1,5},\d{3}(?![.,]?\d)/g,
    (number) => Number(number.replaceAll(',', '')).toLocaleString('en'),
  ],
  [
    /(?<![\d.,-]|\d )[1-9]\d{0,2}(?: \d{3}){0,4} (?:000(?![.,-]?\d| \d)|0\d{2}(?= \p{Ll}))/gu,
    (number) => number.replaceAll(' ', ','),
  ],
  // 12 345 678, 12 345 €, 1_000
  [
    /(?<![\d.,+(-]|[\d+] )[1-9]\d?(?: \d{3}){2,4}(?![,-]?\d| \d)|(?<![\d.,+(-]|[\d+] )[1-9]\d{0,2}(?: \d{3}){1,4}(?=(?:[.,]\d{1,2})?\s?[€$£%])/g,
    (number) => number.replaceAll(' ', ','),
  ],
  [/(?<![\p{L}\d_.])\d{1,3}(?:_\d{3}){1,5}(?![\p{L}\d_])/gu, (number) => number.replaceAll('_', ',')],
  [/(?<![\p{L}\p{N}])Rs\.?\s?(?=\d)/gu, '₹'],
  // 500 Rs, 5 lacs, ₹5L
  [/(?<=\d)\s?Rs(?![\p{L}\p{N}])(?:\.(?=\s\p{Ll}))?/gu, '₹'],
  [/(?<=\d)\s?lacs?(?!\p{L})|(?<=₹\s?\d[\d.,]{0,9})\s?L(?![\p{L}\p{N}])/gu, ' lakh'],
  // ₹500/-, a $20-a-month plan
  [/(?<=₹\s?\d[\d,.]{0,15})\/-(?!\d)/g, ''],
  [/(?<=\d)-(an?)-(?=(?:month|year|week|day|night|hour|head|plate|person|piece|pop|share|barrel|gallon)\b)/g, ' $1 '],
  // #2024-0015
  [
    /(?<=^|[\s(])#(\d{1,6})-(\d{3,6})(?![\d-])/g,
    (_, first, second) => `number ${sayDigits(first)}, ${sayDigits(second)}`,
  ],
  // Order #A1, Room #, C#, .NET, #topic, $AAPL, @user
  [
    /(?<=\b(?:[Aa]ccount|[Cc]ase|[Ii]ncident|[Ii]nvoice|[Ii]ssue|[Ii]tem|[Mm]odel|[Oo]rder|[Rr]oom|[Ss]uite|[Tt]icket|[Uu]nit)\s)#\s?(?=([\p{Lu}\p{N}]?))(?!\p{Ll})/gu,
    (_, next) => `number${next && ' '}`,
  ],
  [/(?<![\p{L}\p{N}])([A-GJ])#(?![\p{L}\p{N}#])/gu, '$1 sharp'],
  [/(?<![\p{L}\p{N}.])\.NET(?![\p{L}\p{N}])/gu, 'dot NET'],
  [/(?<=^|\n)#(?=(?:include|define|ifn?def|endif|pragma|undef|import)\b)/g, 'hash '],
  [
    /(?<=^|[\s(])#((?:\p{L}|\d{1,9}\p{Lu}\p{Ll})[\p{L}\p{N}]{0,99})/gu,
    (_, tag) => `hashtag ${tag.replace(/(?<=\p{L}\p{Ll}|\d)(?=\p{Lu}\p{Ll})/gu, ' ')}`,
  ],
  [/(?<![\p{L}\p{N}$])\$(?=\p{Lu}{2,5}(?![\p{L}\p{N}$]))/gu, ''],
  [/(?<=^|[\s(])@(?=[\p{L}_]|\s)/gu, 'at '],
  // friend(s)
  [/(?<=\p{Ll}{2})\(s\)(?!\p{L})/gu, 's'],
  [/[™®℠]/g, ''],
  [/(?<=\s)<=>(?=\s)/g, '⇔'],
  [/(?<=\s)<-{1,2}(?=\s)/g, '←'],
  [/<=/g, '≤'],
  [/>=/g, '≥'],
  [/!=/g, '≠'],
  [/-{1,2}>|=>/g, '→'],
  [/(?<![=<>!])={2,3}(?!=)/g, '='],
  [/(?<=\S\s)(?:&&|(\|\|))(?=\s\S)/g, (_, or) => (or ? 'or' : 'and')],
];

/** Signs that are read wherever they stand. Rules that know what they mean have been applied before. */
const SIGNS: Readonly<Record<string, string>> = {
  '€': 'euros',
  '£': 'pounds',
  '¥': 'yen',
  '₹': 'rupees',
  '₩': 'won',
  '₽': 'rubles',
  '¢': 'cents',
  '×': 'times',
  '÷': 'divided by',
  '±': 'plus or minus',
  '∓': 'minus or plus',
  '⋅': 'times',
  '\u2212': 'minus',
  '≈': 'about',
  '≠': 'is not equal to',
  '≤': 'is at most',
  '≥': 'is at least',
  '≪': 'is much less than',
  '≫': 'is much greater than',
  '∞': 'infinity',
  '√': 'square root of',
  '∛': 'cube root of',
  '∑': 'sum of',
  '∏': 'product of',
  '∫': 'integral of',
  '∂': 'partial',
  '∇': 'del',
  '∈': 'in',
  '∉': 'not in',
  '∪': 'union',
  '∩': 'intersection',
  '⊂': 'is a subset of',
  '⊆': 'is a subset of or equal to',
  '∅': 'the empty set',
  '∀': 'for all',
  '∃': 'there exists',
  '¬': 'not',
  '∧': 'and',
  '∨': 'or',
  '∝': 'is proportional to',
  '≡': 'is equivalent to',
  '∥': 'is parallel to',
  '⊥': 'is perpendicular to',
  '∠': 'angle',
  '△': 'triangle',
  '∴': 'therefore',
  '∵': 'because',
  '♯': 'sharp',
  '♮': 'natural',
  '♭': 'flat',
  '¶': 'paragraph',
  '→': 'to',
  '⇒': 'implies',
  '⇔': 'if and only if',
  '←': 'from',
  '⇐': 'is implied by',
  '↦': 'maps to',
  '↑': 'up',
  '↓': 'down',
  '↔': 'to and from',
  '✓': 'check',
  '✔': 'check',
  '✗': 'cross',
  '✘': 'cross',
  '§': 'section',
  '©': 'copyright',
  '‰': 'per mille',
};

/** Rules of powers. They come after those of units, such as m². */
export const POWER_RULES: readonly Rule[] = [
  // ¹⁴C
  [
    new RegExp(`(?<![\\p{L}\\p{N})\\]${SUPERSCRIPTS}⁻])([${SUPERSCRIPTS}]{1,3})(\\p{Lu}\\p{Ll}?)(?!\\p{L})`, 'gu'),
    (_, digits, element) => `${element} ${sayInteger(digitsOf(digits))}`,
  ],
  [
    new RegExp(`(?<=[\\p{L}\\p{N})\\]])(⁻?)([${SUPERSCRIPTS}]{1,15})(?=([\\p{L}\\p{N}]?))`, 'gu'),
    (_, minus, digits, after) => {
      const words = sayPower(minus, digitsOf(digits));
      return ` ${words}${after && words.startsWith('to') ? ' ' : ''}`;
    },
  ],
];

function digitsOf(superscripts: string): string {
  return Array.from(superscripts, (digit) => SUPERSCRIPTS.indexOf(digit)).join('');
}

/** Returns how a number or a letter is raised to a power of `digits`. */
export function sayPower(minus: string, digits: string): string {
  if (!minus && digits === '2') return 'squared';
  if (!minus && digits === '3') return 'cubed';
  return `to the ${minus ? `minus ${digits}` : sayOrdinal(digits)}`;
}

/** Name of a menu item or of a page in a path. */
const MENU_ITEM = String.raw`\p{Lu}\p{L}{1,30}(?: [\p{L}\p{N}&]{1,30}){0,3}`;

/** Words after which a comparison has no verb of its own: "it was < 5", "keep it at ≥ 2". */
const BEFORE_COMPARISON =
  "[a-z]{1,20}['’](?:s|re)|an?|the|and|but|not|am|is|are|was|were|be|been|being|stays?|remains?|keep|has|have|had|takes?|took|needs?|requires?|uses?|costs?|at|by|" +
  'of|to|from|for|with|in|or|than|about|only|ideally|usually|typically|always';

const IN_COMPARISON = `(?<=^|\\(|(?:(?<![\\p{L}\\p{N})])|(?<![\\p{L}\\p{N}])(?:${BEFORE_COMPARISON}))\\s)`;

/** Rules of comparisons with a number. */
export const COMPARISON_RULES: readonly Rule[] = [
  [
    rule(`${IN_COMPARISON}([<>≤≥])\\s?(?=(?:${SIGN}|\\.)?\\d)|(?<=\\s)([<>≤≥])(?=(?:${SIGN}|\\.)?\\d)`),
    (_, found, attached) =>
      `${{ '<': 'less than', '>': 'more than', '≤': 'at most', '≥': 'at least' }[found ?? attached]!} `,
  ],
  [/(?<=(?<![\p{L}\p{N}])(?:is|are|was|were|be)\s)≠/gu, 'not equal to'],
  // p<0.05, x>5
  [/(?<=[\p{L}\p{N})])\s?<(?=[-.]?\d)|(?<=\d)<(?=\p{L}<)|(?<=\d<\p{L})<(?=\p{L}(?![\p{L}>]))/gu, ' is less than '],
  [/(?<=(?<!<\/?\w{0,20})[\p{L}\p{N})])\s?>(?=[-.]?\d)/gu, ' is greater than '],
];

/** Rules of the remaining signs. */
export const SIGN_RULES: readonly Rule[] = [
  // Settings > Privacy > Location, open File > Save As
  [
    new RegExp(
      `(?= > ${MENU_ITEM})(?<=(?:\\b(?:[Tt]o|[Ii]n|[Uu]nder|[Oo]pen|[Ss]elect|[Cc]hoose|[Cc]lick|[Tt]ap|[Pp]ress|[Vv]ia|[Ff]rom)|>) ${MENU_ITEM}|\\p{Lu}[\\p{L} ]{1,40}(?= > ${MENU_ITEM} > ${MENU_ITEM})) > `,
      'gu',
    ),
    ', ',
  ],
  [/(?<=[\p{L}\p{N})])\s<\s(?=[\p{L}\p{N}(])/gu, ' is less than '],
  [/(?<=[\p{L}\p{N})])\s>\s(?=[\p{L}\p{N}(])/gu, ' is greater than '],
  [/(?<=^|\s)[<>]{1,9}(?=\s|$)|[<>]{2,9}/g, ''],
  // 100+, A+, an A- grade, BBB-, O- blood, but C++ and A- and B-levels
  [/(?<=[\p{L}\p{N}])\+(?=[\s.,;:!?)-]|$)/gu, ' plus'],
  [
    /(?<=(?<![\p{L}\p{N}.])(?:[A-FO]|AA|BB|CC|AAA|BBB|CCC|AB|OH|Cl|Br|CN|(?:HC|N|Cl|Mn|HS)O\d))[-\u2212](?=[\s.,;:!?)/]|$)(?!\s(?:and|or|to)\s\p{L}{1,20}-\p{L})/gu,
    ' minus',
  ],
  [/°\s?C\b/g, ' degrees Celsius'],
  [/°\s?F\b/g, ' degrees Fahrenheit'],
  [/°(?=([\p{L}\p{N}]?))/gu, (_, after) => ` degrees${after && ' '}`],
  [/(?<=[\p{L}\p{N})])\^(?=[\p{L}(])/gu, ' to the '],
  [new RegExp(`[${Object.keys(SIGNS).join('')}]`, 'gu'), (sign) => ` ${SIGNS[sign]!} `],
  [/(?<=[\p{L}\p{N}]\s)&(?=\s)/gu, 'and'],
  [/(?<=\p{L})&(?=\p{L})/gu, ' and '],
];

const GREEK_RULE: Rule = [
  /(\p{L}?)(\p{Script=Greek})(?=(\p{L}?))/gu,
  (found, before, letter, after) => {
    const code = letter.normalize('NFD').toLowerCase().codePointAt(0)!;
    // The end form of sigma is between rho and sigma.
    const name = GREEK[code - 0x3b1 - (code > 0x3c2 ? 1 : 0)];
    return name === undefined ? found : `${before && `${before} `}${name}${after && ' '}`;
  },
];

/**
 * Writes out Greek letters. A text with a Greek word keeps them: it is in Greek.
 *
 * @param text - Text in which Ω after a number was read before.
 */
export function sayGreek(text: MappedText): MappedText {
  return /\p{Script=Greek}{2}/u.test(text.text) ? text : text.replace(GREEK_RULE);
}
