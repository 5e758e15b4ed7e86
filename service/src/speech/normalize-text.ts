import { lineBefore, mayBeWrapped } from '../../../src/speakable/wrapped-line.js';
import { ABBREVIATION_RULES, keys } from './abbreviations.js';
import { ADDRESS, FILE_RULE, sayAddress } from './address-words.js';
import { COMPASS_RULES } from './compass-words.js';
import { DATE_RULES, sayDate } from './date-words.js';
import { ARTICLE, describesNoun, NOUN } from './described-noun.js';
import { DIGIT_RULES } from './digit-words.js';
import { CHARACTER_RULES } from './folded-characters.js';
import { isFraction } from './fraction-words.js';
import { LENGTH_RULES } from './length-words.js';
import { applyRules, MappedText, type Rule } from './mapped-text.js';
import { CURRENCY_RULES, MONEY_RULES } from './money-words.js';
import { END, NUMBER, rule, START } from './number-patterns.js';
import { sayDigits, sayInteger, sayNumber, sayOrdinal, sayPlural, sayYear } from './number-words.js';
import { NAME_RULES } from './named-numbers.js';
import { PLURAL_RULES } from './plural-numbers.js';
import { RANGE_RULES } from './range-words.js';
import { RATE, RATE_RULES, sayRate } from './rate-words.js';
import { ROMAN_RULES } from './roman-numerals.js';
import { SCRIPTURE_RULES } from './scripture.js';
import { COMPARISON_RULES, POWER_RULES, sayGreek, sayPower, SIGN_RULES, SPELLING_RULES } from './sign-words.js';
import { SLASH_RULES } from './slash-words.js';
import { SUM_RULES, valueOf } from './sums.js';
import { MULTIPLES, SIGN, UNITS } from './unit-words.js';

/** Fractions that are one character, and how they are written with a slash. */
const FRACTIONS: Readonly<Record<string, string>> = Object.fromEntries(
  Array.from('½⅓⅔¼¾⅕⅖⅗⅘⅙⅚⅐⅛⅜⅝⅞⅑⅒', (sign) => [sign, sign.normalize('NFKD').replace('\u2044', '/')]),
);
const FRACTION = `[${Object.keys(FRACTIONS).join('')}]`;

/** Start of a list item. */
const IS_ITEM = /^[-+*•–]\s/;

/** Names of the letters after how long ago something was, or how long it will take. */
const AGO: Readonly<Record<string, string>> = { m: 'minute', d: 'day', w: 'week', mo: 'month', y: 'year' };

/** Rules, in order. Rules that recognize the meaning of a number precede those for the remaining numbers. */
export const RULES: readonly Rule[] = [
  // Line feeds are doubled while rules are applied, so that one that allows a space does not join two lines: "3\n- 5". Full
  // lines may go on.
  [
    /\n/g,
    (end, at, text) => {
      const next = Number(at) + 1;
      return mayBeWrapped(lineBefore(text, next - 1)) && !IS_ITEM.test(text.slice(next, next + 2)) ? end : '\n\n';
    },
  ],
  ...CHARACTER_RULES,
  ...SPELLING_RULES,
  FILE_RULE,
  ...SCRIPTURE_RULES,
  ...COMPASS_RULES,
  ...ABBREVIATION_RULES,
  ...NAME_RULES,
  // 70/30, the 80-20 rule
  [
    rule(
      `(?<![\\d/.-])([1-9]\\d)(?:/|[-\u2013](?=\\d\\d\\s(?:rule|principle|split|mix|law|ratio)\\b))([1-9]\\d)(?![\\d/-]|\\.\\d)`,
    ),
    (found, first, second) =>
      Number(first) + Number(second) === 100 ? `${sayInteger(first)} ${sayInteger(second)}` : found,
  ],
  // 2½, ½
  [rule(`\\s?(${FRACTION})(?=([\\p{L}\\p{N}]?))`), (_, sign, next) => ` ${FRACTIONS[sign]}${next && ' '}`],
  ...ROMAN_RULES,
  ...DATE_RULES,
  ...DIGIT_RULES,
  // 20241105
  [
    rule(`${START}(?<![$€£¥₹#])((?:19[5-9]|20[0-4])\\d)(0[1-9]|1[0-2])(0[1-9]|[12]\\d|3[01])${END}`),
    (found, year, month, day) => sayDate(found, year, month, day),
  ],
  // 1e-6, 1.5E6, 10^-3, but gate 1E4
  [
    rule(
      `${START}(\\d{1,9}(?:\\.\\d{1,9})?)(?:e|E(?=[-+\u2212])|(?<=\\.\\d{1,9})E)(?:([-\u2212])|\\+)?(\\d{1,3})(?![\\p{L}\\p{N}])`,
    ),
    (_, number, minus, power) => `${number} times ten to the ${minus ? `minus ${power}` : sayOrdinal(power)}`,
  ],
  [
    rule(`(?<=[\\p{L}\\p{N})\\]])\\^([-\u2212]?)(\\d{1,3})(?![\\p{L}\\p{N}])`),
    (_, minus, power) => ` ${sayPower(minus, power)}`,
  ],
  ...LENGTH_RULES,
  // 100m people
  [
    rule(
      `(?<=${START}\\d{1,4}(?:\\.\\d{1,2})?)m(?=\\s(?:people|users|customers|views|viewers|voters|visitors|passengers|followers|subscribers|downloads|copies|jobs|workers|members|households|children|adults|deaths|doses|barrels|tonnes|tons|dollars|euros|pounds)\\b)`,
    ),
    ' million',
  ],
  // 2h 5m, 1h30, 5m ago
  [rule(`${START}(\\d{1,3})m\\s?(\\d{1,2})s(?![\\p{L}\\p{N}])`), '$1 min $2 s'],
  [
    rule(`${START}(\\d{1,2})h(?:\\s?(\\d{1,2})m(?:in)?|(\\d{2}))(?![\\p{L}\\p{N}])`),
    (_, hours, minutes, more) => `${hours} h ${Number(minutes ?? more)} min`,
  ],
  [
    rule(
      `${START}(\\d{1,3})(?:(mo|[mdwy])(?=\\s(?:ago|remaining|left(?!\\sof)|to\\sgo|later|elapsed|overdue|early|late|ETA)\\b)|(m)(?=\\s(?:read|drive|commute|nap)\\b)|(?<=\\b(?:ET[AD](?::|\\sis)?|(?:start|arriv|leav|end|expir|resum|finish)(?:e?[ds]|ing)?\\sin|(?:back|ready|done|due|again)\\sin)\\s\\d{1,3})(m)(?![\\p{L}\\p{N}])|(d)(?=\\s\\d{1,2}h))`,
    ),
    (_, number, unit, long, eta, day) =>
      `${number} ${AGO[unit ?? long ?? eta ?? day]}${number === '1' || long ? '' : 's'}`,
  ],
  [rule(`${START}(\\d{1,3})(?:yo|\\s?y/o|\\s?y\\.o\\.)(?![\\p{L}\\p{N}])`), '$1 year old'],
  ...CURRENCY_RULES,
  ...SUM_RULES,
  // BP 120/80, a reading of 135/85, 20/40 vision
  [
    rule(
      `(?<=\\b(?:BP|pressure|reading)(?:\\s(?:of|is|was|at)|:)?\\s)(\\d{2,3})/(?=\\d{2,3}${END})|${START}(\\d{2,3})/(?=\\d{2,3}\\s?mmHg)`,
      'giu',
    ),
    (_, upper, other) => `${upper ?? other} over `,
  ],
  [
    rule(`${START}(1\\d{2}|2[0-3]\\d)/([4-9]\\d|1[0-3]\\d)${END}(?!\\s?(?:${keys(UNITS)}|[A-Z]\\d)(?![\\p{L}\\p{N}]))`),
    (found, upper, lower) => {
      const difference = Number(upper) - Number(lower);
      return difference >= 20 && difference <= 100 ? `${upper} over ${lower}` : found;
    },
  ],
  [
    rule(
      `(?<=${START}20)[/-](?=(?:[1-9]\\d|[1-4]00)\\s(?:vision|acuity|eyesight|hindsight)\\b)|(?<=\\b(?:vision|hindsight|acuity|eyesight)(?:\\s(?:is|was|of|at|to|in|the|my|his|her|left|right|eye)){0,4}\\s20)[/-](?=(?:[1-9]\\d|[1-4]00)${END})`,
      'giu',
    ),
    ' ',
  ],
  // 2.4/5 GHz, 50/60 Hz
  [
    rule(
      `${START}(?<![$€£¥₹])(\\d{1,5}(?:\\.\\d{1,2})?)/(?=(\\d{1,5}(?:\\.\\d{1,2})?)\\s?(${keys(UNITS)})(?![\\p{L}\\p{N}/]))`,
    ),
    (found, first, second, unit) =>
      (first === '1' || isFraction(first, second)) && !/Hz$|bps$|^V$/.test(unit) ? found : `${first} slash `,
  ],
  ...RANGE_RULES,
  // -7, -$5, $-5, $(5), –5 °C
  [rule(`(${SIGN})\\((${NUMBER})\\)`), '-$1$2'],
  [rule(`(${SIGN})[-\u2212](?=\\d)`), '-$1'],
  [rule(`(?<=^|[\\s(])\u2013(?=(?:${SIGN})?\\d)`), 'minus '],
  [rule(`(?<![\\p{L}\\p{N})\\]_.-])[-\u2212](?=(?:(?:${SIGN})\\s?)?\\.?\\d)`), 'minus '],
  // -x, -π
  [/(?<=^|[\s(=])-(?=(?:[xyz]|pi|\p{Script=Greek})(?![\p{L}\d]))/gu, 'minus '],
  // signs between and before numbers
  [rule(`(?<=^|[\\s(])\\+(?=(?:${SIGN}|\\.)?\\d)`), 'plus '],
  [/(?<=\d)\s?\+\s?(?=\d)/g, ' plus '],
  [
    rule(`(?<!\\d)(${NUMBER})\\s-\\s(?=(${NUMBER}))`),
    (_, first, second) => `${first} ${valueOf(first) < valueOf(second) ? 'to' : 'minus'} `,
  ],
  [
    /(?<=(?<!\d)\d{3,4})\s?×\s?(?=\d{3,4}(?!\d))|(?<=\b[Aa]n?\s(?:\d{1,3}\s?×\s?){0,2}\d{1,3})\s?×\s?(?=\d{1,3}(?![\d.]|\s?=))|(?<=\d)\s?×\s?(?=\d{1,3}(?:\s?×\s?\d{1,3}){0,2}[\s-](?:grid|matri(?:x|ces)|pan|cube|array|board|table|kernel|block|tile|layout|panel|photo|card|pixel|inch|foot|feet|square|rug|room|bed|sheet|canvas|frame|filter|patch|puzzle|baking|lumber|stud)s?\b)|(?<=\d)\s?×\s?(?=\d[\d.]{0,9}(?:\s?×\s?\d[\d.]{0,9}){0,3}\s?(?:[kcm]?m|in|ft|px)(?!\p{L}))/gu,
    ' by ',
  ],
  [/(?<=[\d)])\s?[×*]\s?(?=[\d(])/g, ' times '],
  ...COMPARISON_RULES,
  [rule(`(?<=\\d)x(\\d{1,2})s(?![\\p{L}\\p{N}])`), (_, number) => ` by ${sayPlural(number)}`],
  [/(?<=(?<![\d.])\d{1,2})x(?=\d{1,4}\s?(?:k?g|m?[lL]|oz)(?![\p{L}\p{N}]))/gu, ' times '],
  [/(?<=(?<!(?!x)\p{L}\d{0,9})\d)x(?=\d)/gu, ' by '],
  [
    rule(
      `(?<=\\d(?:\\s?(?:${keys(UNITS)}))?)\\sx\\s(?=\\d[\\d.,]{0,20}(\\s?=|\\s?(?:k?g|m?[lL]|oz|lbs?|tsp|tbsp|cups?|mins?)(?!\\p{L}))?)`,
    ),
    (_, sum) => (sum ? ' times ' : ' by '),
  ],
  [/(?<=([\p{L}\p{N}.,:;]?))#\s?(?=\d)/gu, (_, before) => `${before && ' '}number `],
  [/(?<=\sby\s\d{1,3}(?:\.\d{1,3})?)\sin(?=[.,;:)]|$)/gu, ' inches'],
  [/(?<=\d)~(?=\d)/g, ' to '],
  [rule(`(?<=([\\p{L}\\p{N}.,:;]?))~\\s?(?=(?:${SIGN})?\\d)`), (_, before) => `${before && ' '}about `],
  ...PLURAL_RULES,
  // 1st
  [
    rule(`${START}(\\d{1,3}(?:,\\d{3}){1,4}|\\d{1,15})(st|nd|rd|th)(?![\\p{L}\\p{N}])`, 'giu'),
    (_, digits, suffix) => sayOrdinalOf(digits.replaceAll(',', ''), suffix.toLowerCase()),
  ],
  ...MONEY_RULES,
  ...RATE_RULES,
  // up 3pp, 0.5 pp
  [
    rule(
      `(?<=(?:[-+\\u2212]|minus |plus |\\b(?:up|down|by|rose|fell|gained|lost) )(${NUMBER})|${START}(\\d{1,2}\\.\\d{1,2}))\\s?(?:pp|p\\.p\\.)(?![\\p{L}\\p{N}])`,
    ),
    (_, whole, decimal) => ` percentage point${(whole ?? decimal) === '1' ? '' : 's'}`,
  ],
  // a 20 A fuse, .5%, 5 kg, 50 %, 20 °C, 10k, 1.5x
  [/(?<=\d)\s?A(?=\s(?:fuses?|breakers?|circuits?|current|service|outlet|load|charger|supply|socket)\b)/gu, ' amp'],
  [rule(`(?<![\\p{L}\\p{N}_.])\\.(?=\\d{1,30}\\s?(?:${keys(UNITS)})(?![\\p{L}\\p{N}]))`), '0.'],
  [
    rule(
      `${ARTICLE}${START}(${NUMBER})([ \u00a0\u202f-]?)(${keys(UNITS)})(?<!\\sJ(?=\\.\\s\\p{Lu}))(${RATE})?(?![\\p{L}\\p{N}])${NOUN}`,
    ),
    (_, article, number, dash, unit, rate, noun) =>
      `${sayNumber(number)} ${UNITS[unit]![number === '1' || dash === '-' || describesNoun(article, noun) ? 0 : 1]}${sayRate(rate)}`,
  ],
  [
    rule(`(?<=\\d\\s?(?:thousand|million|billion|trillion)\\s)(${keys(UNITS)})(?![\\p{L}\\p{N}])`),
    (_, unit) => UNITS[unit]![1],
  ],
  // in km/h
  [
    rule(`(?<![\\p{L}\\p{N}/])(?=\\p{L}{2}[^\\s/]?/|m/s)(${keys(UNITS)})(${RATE})?(?![\\p{L}\\p{N}/])`),
    (_, unit, rate) => UNITS[unit]![1] + sayRate(rate),
  ],
  // 50 tokens/s
  [/(?<=(?:\d|thousand|million)\s\p{L}{2,12}|\p{Ll}{2}s)\/s(?![\p{L}\p{N}])/gu, ' per second'],
  ...POWER_RULES,
  [
    rule(
      `${START}(?<![\\p{L}\\p{N}]-)(${NUMBER})(k|M|bn|mn|MM|tn|(?<=\\.\\d{1,3})[KB]|(?<=[2-9]\\d|\\d{3}|per \\d)K)(?![\\p{L}\\p{N}])`,
    ),
    (_, number, letter) => `${sayNumber(number)} ${MULTIPLES[letter]}`,
  ],
  [
    rule(
      `${START}(\\d{1,3}(?:,\\d{3}){1,4}(?=\\p{L})(?![xX](?!\\p{L}))|\\d{1,4}\\.\\d{1,4}(?=(?![xX])\\p{L}{1,2}(?![\\p{L}\\p{N}]))|\\d{1,4}(?=\\p{Ll}{3,20}(?![\\p{L}\\p{N}]))|\\d{1,2}(?=(?:\\p{Lu}\\p{Ll}?\\d{0,2}){2,6}(?![\\p{L}\\p{N}])))`,
    ),
    (_, number) => `${sayNumber(number)} `,
  ],
  [
    rule(`${START}(${NUMBER})(?:[x×]|(?<!\\d{4})X)(${RATE})?(?![\\p{L}\\p{N}])`),
    (_, number, rate) => `${sayNumber(number)} times${sayRate(rate)}`,
  ],
  ...SLASH_RULES,
  // signs between letters, and letters and numbers
  [/(?<=\d|\b\p{L}|\bsquared|\bcubed)\s?\+\s?(?=\d|\p{L}(?![\p{L}\p{N}]))|(?<=\S) \+ (?=\S)/gu, ' plus '],
  [/(?<=[\p{L}\p{N})])\s?=\s?(?=[-\p{L}\p{N}(?]|\.\d)/gu, ' equals '],
  // .5, house numbers, years, digit strings, and all other numbers
  [rule(`(?<![\\p{L}\\p{N}_])\\.(\\d{1,30})(?![\\p{L}\\p{N}])`), (_, digits) => `point ${sayDigits(digits)}`],
  [
    rule(
      `${START}(\\d{4})(?=\\s(?:\\p{Lu}\\p{L}{1,30}\\s){1,3}(?:Street|Avenue|Road|Boulevard|Drive|Lane|Way|Court)\\b)`,
    ),
    (_, number) => (/^0|00\d$/.test(number) ? sayDigits(number) : sayYear(number)),
  ],
  [/(?<=\p{L})-(?=\d)/gu, ' '],
  [
    rule(
      `((?:^|\\s|\\()(?:in|since|by|from|until|year|before|after|during|circa|born|died|reigned)\\s{1,2})(1[0-4]\\d{2})${END}`,
      'giu',
    ),
    (_, before, year) => before + sayYear(year),
  ],
  // 1493 to 1479 BC, AD 1066
  [
    rule(
      `(?<=\\bAD\\s|\\breigned\\s[\\p{L}\\d -]{3,30}\\sto\\s)1[0-4]\\d{2}${END}|${START}1[0-4]\\d{2}(?=(?:\\s(?:to|or|and)\\s\\d{3,4})?\\s(?:AD|BCE?|CE|[AB]\\.[DC]\\.)(?!\\p{L}))`,
    ),
    (year) => sayYear(year),
  ],
  [
    rule(`(?<![\\p{L}\\p{N}])(?:([1-4])Q|([12])H(?![03-9]))(?:(\\d{2})|\\s?(20\\d{2}))(?![\\p{L}\\p{N}])`),
    (_, quarter, half, short, long) =>
      `the ${quarter ? `${sayOrdinal(quarter)} quarter` : `${sayOrdinal(half)} half`} of ${long ? sayYear(long) : sayInteger(short)}`,
  ],
  [/(?<![\p{L}\p{N}])FY(?=\d{2}(?:\d{2})?(?!\d))/gu, 'FY '],
  [rule(`${START}(1[5-9]\\d{2}|20\\d{2})${END}`), (_, year) => sayYear(year)],
  [
    rule(`${START}(\\d{10,15})${END}`),
    (_, digits) => (digits.endsWith('000000') ? sayInteger(digits) : sayDigits(digits)),
  ],
  [rule(`${START}(?:${NUMBER})${END}`), (number) => sayNumber(number)],
  [rule(`(?<![\\p{L}_\\d])\\d+(?![\\p{L}_\\d])`), (digits) => sayInteger(digits)],
  [/(?<=[a-z]),(?=[a-z])/g, ', '],
  ...SIGN_RULES,
  [/\n\n/g, '\n'],
];

const ADDRESS_RULE: Rule = [/^[^]+$/g, sayAddress];

const SPACE_RULES: readonly Rule[] = [
  [/ {2,}/g, ' '],
  [/(?<=\p{L}) (?=[.,;:!?](?:\s|$))/gu, ''],
];

/**
 * Writes out numbers, amounts, dates, times, units, signs and abbreviations in English words: "Dr. Hu paid $3.50 at
 * 10:30" becomes "Doctor Hu paid three dollars and fifty cents at ten thirty". Numbers within words, such as MP3, stay as
 * they are.
 *
 * Pure; linear in the length of the text. The result is at most 20 times as long plus 40 characters.
 *
 * @param text - Without runs of spaces; line feeds are kept.
 */
export function normalizeText(text: MappedText): MappedText {
  let end = 0;
  const parts: MappedText[] = [];
  for (const { 0: address, index } of text.text.matchAll(ADDRESS)) {
    parts.push(writeOut(text.slice(end, index)));
    end = index + address.length;
    parts.push(text.slice(index, end).replace(ADDRESS_RULE));
  }
  parts.push(writeOut(text.slice(end, text.text.length)));
  return applyRules(MappedText.join(parts), SPACE_RULES);
}

function writeOut(text: MappedText): MappedText {
  return sayGreek(applyRules(text, RULES));
}

/** Writes out an ordinal number; one with the suffix of another as it is written. */
function sayOrdinalOf(digits: string, suffix: string): string {
  const ordinal = sayOrdinal(digits);
  const ending = ordinal.endsWith('third') ? 'rd' : ordinal.slice(-2);
  return ending === suffix ? ordinal : `${sayInteger(digits)} ${suffix}`;
}
