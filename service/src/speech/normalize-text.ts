import { lineBefore, mayBeWrapped } from '../../../src/speakable/wrapped-line.js';
import { ABBREVIATION_RULES, keys } from './abbreviations.js';
import { ADDRESS, FILE_RULE, sayAddress } from './address-words.js';
import { COMPASS_RULES } from './compass-words.js';
import { DATE_RULES, sayDate } from './date-words.js';
import { DIGIT_RULES } from './digit-words.js';
import { CHARACTER_RULES } from './folded-characters.js';
import { isFraction, sayFraction } from './fraction-words.js';
import { LENGTH_RULES } from './length-words.js';
import { applyRules, MappedText, type Rule } from './mapped-text.js';
import { DASH, END, NO_NOUN, NUMBER, rule, START } from './number-patterns.js';
import { sayDigits, sayInteger, sayNumber, sayOrdinal, sayPlural, sayYear } from './number-words.js';
import { NAME_RULES } from './named-numbers.js';
import { PLURAL_RULES } from './plural-numbers.js';
import { RATE, RATE_RULES, sayRate } from './rate-words.js';
import { ROMAN_RULES } from './roman-numerals.js';
import { SCRIPTURE_RULES } from './scripture.js';
import { COMPARISON_RULES, POWER_RULES, sayGreek, sayPower, SIGN_RULES, SPELLING_RULES } from './sign-words.js';
import { SUM_RULES, valueOf } from './sums.js';
import { CURRENCIES, MONEY, MULTIPLES, SIGN, UNITS } from './unit-words.js';

/** An amount after a sign, which may begin with a point. */
const AMOUNT = String.raw`${NUMBER}|\.\d{1,30}`;

/** A word or letters for thousands or more after an amount. */
const MULTIPLE = `(?:[\\s-]?([Tt]housand|(?:[MmBb]|[Tt]r)illion|lakh\\scrore|lakh|crore)s?\\b|\\s?(${keys(MULTIPLES)})(?![\\p{L}\\p{N}]))?`;

/** A word before what an amount describes, and a noun after it: a $5 coffee, a 10 m (32 ft) wall, his $5 to $10 fee. */
const ARTICLE =
  '(?<=((?<![\\p{L}\\p{N}])(?:[Aa]n?|[Tt]h(?:e|is|at|ese|ose)|[Aa]nother|[Ee]ach|[Mm]y|[Yy]our|[Hh](?:is|er)|[Ii]ts|[Oo]ur|[Tt]heir|' +
  "times|[Tt]wo|[Tt]hree|[Ff]our|[Ff]ive|[Ss]ix|[Tt]en|[Ss]everal|(?!(?:[Ii]t|[Ss]?[Hh]e|[Tt]h(?:at|ere)|[Ww]h(?:at|o|ere)|[Hh](?:ere|ow))\\b)\\p{L}{2,20}['’]s)\\s(?:\\d[\\d.,]{0,12}\\sto\\s)?)?)";
const NOUN = `(?=((?:\\s\\([^()]{1,20}\\))?[\\s-](?!(?:${NO_NOUN})\\b)\\p{L}\\p{Ll}{1,20})?)`;

/** Words after "the" and an amount that are no noun which it describes: "the $5 million he raised". */
const IS_NO_NOUN =
  /^.(?:he|she|it|they|you|we|that|which|who|when|where|because|so|but|are|were|ha[sd]|have|will|would|can|could|should|did|does|not|back|plus|each|every|extra|total|due|left|spent|paid|lost|won|made|given|sought|worth|into|through|under|over|before|after|since|until|ago|later|here|there|now|then|today|yesterday|tomorrow|too|also|already|only|just|during|while|about|above|below|across|around|between|within|off|out|up|down|early|late|again|away|tall|long|wide|high|deep|heavy|thick|apart|\p{Ll}+(?:ed|er|ing))$/u;

/** Nouns that an amount describes without an article: "60W bulb". */
const IS_DEVICE =
  /^.(?:bulbs?|lamps?|charger|adapter|battery|batteries|drill|outlet|motor|speakers?|drive|card|lens|bolts?|pipe|hose|screws?|files?|fuse|breaker|circuit)$/;

/** Fractions that are one character, and how they are written with a slash. */
const FRACTIONS: Readonly<Record<string, string>> = Object.fromEntries(
  Array.from('½⅓⅔¼¾⅕⅖⅗⅘⅙⅚⅐⅛⅜⅝⅞⅑⅒', (sign) => [sign, sign.normalize('NFKD').replace('\u2044', '/')]),
);
const FRACTION = `[${Object.keys(FRACTIONS).join('')}]`;

/** Start of a list item. */
const IS_ITEM = /^[-+*•–]\s/;

/** Names of the letters after how long ago something was, or how long it will take. */
const AGO: Readonly<Record<string, string>> = { m: 'minute', d: 'day', w: 'week', mo: 'month', y: 'year' };

/** Something of which a fraction is a part: "3/10 of a mile". */
const PART = `\\s?(?:(?:of|the|as|scale|size|sec(?:ond)?|inch|in|mile|foot|meter|metre|cup|ounce|pound|gallon|liter|gram|point|price|cost|speed)s?|${keys(UNITS)})(?![\\p{L}\\p{N}])`;

/** Things that are numbered out of how many there are: "step 1/3". */
const STEPS = 'step|part|page|slide|question|lesson|round|episode|chapter';

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
  // CHF 20.-, 15,- €
  [
    rule(
      `(?<=(?:${SIGN}|(?<!\\p{L})(?:${keys(CURRENCIES)}))\\s?\\d{1,9})[.,][-\u2013\u2014]{1,2}|(?<=\\d)[.,][-\u2013\u2014]{1,2}(?=\\s?(?:[€£]|(?:kr|${keys(CURRENCIES)})(?!\\p{L})))`,
    ),
    '',
  ],
  // USD $50, CAD$50, EUR €5, US $50
  [
    rule(`(?<![\\p{L}\\p{N}/])(?:(US|CA|AU|NZ|HK|MX)[DN]\\s?\\$|(?:EUR|GBP|JPY|CNY|INR)\\s?([€£¥₹]))(?=\\s?\\d)`),
    (_, country, sign) => sign ?? `${country}$`,
  ],
  [/(?<=(?<!\p{L}|\b[Tt]he )US) (?=\$\d)/gu, ''],
  // USD 5-10, 5-10 USD, 10€-20€; the INR of blood is not that of India.
  [
    rule(
      `(?<![\\p{L}\\p{N}])INR(?=:?\\s?\\d(?:\\.\\d{1,2})?(?:${DASH}\\d(?:\\.\\d{1,2})?)?(?![\\d.,]*\\d|\\s?\\p{L}+illion|\\s(?:lakh|crore)))`,
    ),
    'I N R',
  ],
  [rule(`(?<![\\p{L}\\p{N}/])(${keys(CURRENCIES)})\\s?(${NUMBER})(?:${DASH}|\\sto\\s)(?=\\d)`), '$2 to $1 '],
  [
    rule(
      `(?<=(?<![\\p{L}\\p{N}.,/-])(?:${NUMBER}))${DASH}(?=(?:${NUMBER})${MULTIPLE}\\s?(?:${keys(CURRENCIES)})(?!\\p{L}))`,
    ),
    ' to ',
  ],
  [rule(`(?<=\\d\\s?[€£])${DASH}(?=\\d[\\d.,]{0,12}\\s?[€£])`), ' to '],
  // USD 5, 20 EUR
  [
    rule(`(?<![\\p{L}\\p{N}/])(${keys(CURRENCIES)})\\s?(${NUMBER})${MULTIPLE}(?![\\p{L}\\p{N}]|[.,]\\d)`),
    (_, code, amount, word, letter) => sayCurrency(code, amount, word ?? MULTIPLES[letter]),
  ],
  [
    rule(`(?:${START}|${SIGN})(${NUMBER})${MULTIPLE}\\s?(${keys(CURRENCIES)})(?![\\p{L}\\p{N}])`),
    (_, amount, word, letter, code) => sayCurrency(code, amount, word ?? MULTIPLES[letter]),
  ],
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
  // $5k-$10k, 20°C-25°C, 100 km/h–120 km/h, A–Z, Q1-Q3
  [
    rule(
      `(?<=\\d(?:${keys(MULTIPLES)}|\\s(?:thousand|[mb]illion|trillion|lakh|crore)))(?:${DASH}|—)(?=(?:${SIGN})?\\d)`,
    ),
    ' to ',
  ],
  [rule(`(?<=\\d\\s?(?:${keys(UNITS)}))${DASH}(?=[-\u2212]?\\d)`), ' to '],
  // 5 minutes–10 minutes, #3–#5
  [rule(`(?<=\\d\\s(\\p{Ll}{3,20}))${DASH}(?=\\d[\\d.,]{0,12}\\s\\1(?!\\p{L}))|(?<=#\\d{1,5})${DASH}(?=#\\d)`), ' to '],
  [/(?<=(?<![\p{L}\p{N}])(\p{Lu})\d{1,2})[-\u2013](?=\1\d{1,2}(?![\p{L}\p{N}]))/gu, ' to '],
  [/(?<![\p{L}\p{N}])(\p{Lu})\u2013(?=\p{Lu}(?![\p{L}\p{N}]))/gu, '$1 to '],
  // $5.50-$10, $5–10, 10–12, a 747-400, 10-12
  [rule(`(${SIGN})(${NUMBER})${DASH}(?=\\1\\d{1,9}\\.\\d)`), '$1$2 to '],
  [rule(`(${SIGN})(${NUMBER})(?:[-\u2010-\u2013]|\\s[-\u2012\u2013]\\s)(?:${SIGN})?(?=\\d)`), '$2 to $1'],
  [rule(`(\\d%?)(?:\\s?[\u2012\u2013]\\s?|\u2014)(?=[-+\u2212]?\\d)`), '$1 to '],
  [/(?<=(?<![\p{L}\p{N}.-])7[0-8]7)-(?=(?:[1-9]00|[89])s?(?![\p{L}\p{N}]))/gu, ' '],
  [rule(`(?<!\\p{L}-)${START}(\\d{1,4}\\.\\d{1,3}%?)-(?=\\d{1,4}(?:\\.\\d{1,3})?(?![\\p{N}\\-/.]))`), '$1 to '],
  [rule(`(?<![\\p{L}\\p{N}.\\-/])(\\d{1,4}%?)-(?=\\d{1,4}(?![\\p{N}/]|-(?!\\p{Ll})))`), '$1 to '],
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
  // $5 million dollars
  [/(?<=[$€£]\d[\d.,]{0,15}(?:\s?(?:[Tt]housand|(?:[MmBb]|[Tt]r)illion|[kKmMbB]))?)\s(?:dollars|euros|pounds)\b/g, ''],
  // $3.50, £1m, 20 €
  [
    rule(
      `${ARTICLE}(${SIGN})\\s?(${AMOUNT})(\\+(?=\\s?(?:thousand|[mbtr]+illion|[kKmMbB](?!\\p{L}))))?${MULTIPLE}(?=(\\p{L}?))${NOUN}`,
    ),
    (_, article, sign, amount, plus, word, letter, next, noun) => {
      const multiple = word ?? MULTIPLES[letter];
      return sayMoney(sign, amount, plus ? `plus ${multiple}` : multiple, describesNoun(article, noun)) + (next && ' ');
    },
  ],
  [rule(`${START}(${NUMBER})\\s?¢`), (_, amount) => `${sayNumber(amount)} ${amount === '1' ? 'cent' : 'cents'}`],
  [
    rule(`${START}(${NUMBER})\\s?([$€£₹¥₩₽₺₴₱₫₪฿₸₾₼৳₡₲₵₭₮֏₿])(?!\\d)`),
    (_, amount, sign) => sayMoney(sign, amount, undefined),
  ],
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
  // 3/4, 2 1/2, 24/7, 5/6/2026
  [/(?<![\p{L}\p{N}/])b\/c(?=\s)/gu, 'because'],
  [
    /(?<![\p{L}\p{N}/])(?:([yqm])\/\1|([YQM])o\2)(?![\p{L}\p{N}/])/gu,
    (_, small, large) => {
      const span = { y: 'year', q: 'quarter' }[(small ?? large).toLowerCase()] ?? 'month';
      return `${span} over ${span}`;
    },
  ],
  [/(?<![\p{L}\p{N}/])c\/o(?=\s\p{L})/gu, 'care of'],
  [
    /(?<![\p{L}\p{N}/])w\/(o(?:ut)?(?!\d)|)(?=[\s,.;:!?)]|$|(\d))/gu,
    (_, out, next) => (out ? 'without' : next ? 'with ' : 'with'),
  ],
  [/(?<=\b[fƒ])\/(?=\d)/g, ' '],
  [/(?<![\p{L}\p{N}/])and\/or(?![\p{L}\p{N}/])/giu, 'and or'],
  [/(?<![\p{L}\p{N}/])(s?he|his|hers?|him)\/(?=(?:s?he|his|hers?|him)(?![\p{L}\p{N}/]))/giu, '$1 or '],
  // FY23/24
  [/(?<=(?<![\p{L}\p{N}])FY\s?(?:\d{2}){1,2})\/(?=\d{2}(?!\d))/gu, ' '],
  // step 1/3, 2023/24, 4.5/5, 7/10, rated 4/5, but 2.4/5 GHz, 3/10 of a mile
  [rule(`(?<=\\b(?:${STEPS})\\s\\d{1,3})/(?=\\d{1,3}${END})`, 'giu'), ' of '],
  [
    rule(`${START}((?:19|20)\\d{2})/(\\d{2})${END}`),
    (found, first, second) =>
      (Number(first) + 1) % 100 === Number(second) ? `${sayYear(first)} ${sayInteger(second)}` : found,
  ],
  [
    rule(`${START}((?:19|20)\\d{2})/(?=((?:19|20)\\d{2})${END})`),
    (found, first, second) => (Number(first) + 1 === Number(second) ? `${first} ` : found),
  ],
  [
    rule(
      `${START}(?<!\\d\\s)(\\d{1,3})/(?=\\d{1,3}\\s(?:stars?|points|marks|sections|steps|tasks|tests|questions|ratings?|reviews?|scores?)\\b|(?<=\\b(?:scor|rat|giv|gav|pain)(?:e[ds]?|ing)?(?:\\s(?:it|this|that|them|him|her|of|is|was|at|level)|:)?(?:\\san?)?(?:\\ssolid)?\\s\\d{1,3}/)\\d{1,3}${END}|(?:10|(?<=\\d{2}/)100)${END}(?!${PART}))`,
    ),
    '$1 out of ',
  ],
  [
    rule(
      `${START}(\\d{1,3}\\.\\d{1,2})/(?=(?:[4-7]|10|20|100)(?:\\.00?)?${END}(?!\\s?(?:${keys(UNITS)})(?![\\p{L}\\p{N}])))`,
    ),
    '$1 out of ',
  ],
  [
    rule(
      `(?<![\\p{L}\\p{N}/.])(?:(\\d{1,3})\\s)?(\\d{1,3})/(\\d{1,5})(?:((?:st|nd|rd|th)s?)|\\s?(${keys(UNITS)}))?(?![\\p{L}\\p{N}/]|\\.\\d)`,
    ),
    (found, whole, part, of, ending, unit) => sayFraction(found, whole, part, of, ending ?? unit),
  ],
  [/(?<=[\p{L}\d])\/(?=\d)/gu, ' slash '],
  [/(?<=\p{L}{2})\s?\/\s?(?=\p{L}{2})/gu, ' slash '],
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

function sayCurrency(code: string, amount: string, multiple: string | undefined): string {
  const parts = CURRENCIES[code]!.formatToParts(multiple ? 1e6 : valueOf(amount));
  const name = parts.find(({ type }) => type === 'currency')!.value;
  return `${sayNumber(amount)} ${multiple ? `${multiple} ` : ''}${name}`;
}

/** True if an amount describes the noun after it. @param article - Word before the amount. */
function describesNoun(article: string | undefined, noun: string | undefined): boolean {
  if (!noun) return false;
  return IS_DEVICE.test(noun) || (article !== undefined && (/^an?\s/i.test(article) || !IS_NO_NOUN.test(noun)));
}

/** @param isPart - Whether the amount describes a noun, so that its units are in the singular. */
function sayMoney(sign: string, amount: string, multiple: string | undefined, isPart = false): string {
  const [one, many, cent, cents] = MONEY[sign]!;
  const several = isPart ? one : many;
  const [whole = '', all = ''] = amount.replaceAll(',', '').split('.', 2);
  const fraction = all.replace(/0+$/, '');
  const unit = (number: string, single: string, plural: string): string =>
    `${sayInteger(number)} ${number === '1' || isPart ? single : plural}`;
  if (multiple) return `${sayNumber(amount)} ${multiple} ${several}`;
  if (fraction === '') return unit(whole || '0', one, many);
  if (fraction.length > 2 || !cent || !cents)
    return `${whole ? sayNumber(amount) : `point ${sayDigits(fraction)}`} ${several}`;
  const parts = unit(String(Number(fraction.padEnd(2, '0'))), cent, cents);
  return Number(whole) === 0 ? parts : `${unit(whole, one, many)} and ${parts}`;
}

/** Writes out an ordinal number; one with the suffix of another as it is written. */
function sayOrdinalOf(digits: string, suffix: string): string {
  const ordinal = sayOrdinal(digits);
  const ending = ordinal.endsWith('third') ? 'rd' : ordinal.slice(-2);
  return ending === suffix ? ordinal : `${sayInteger(digits)} ${suffix}`;
}
