import { ABBREVIATION_RULES, DAYS, keys, MONTHS } from './abbreviations.js';
import { ADDRESS, sayAddress } from './address-words.js';
import { applyRules, MappedText, type Rule } from './mapped-text.js';
import { sayDigits, sayInteger, sayNumber, sayOrdinal, sayYear } from './number-words.js';
import { POWER_RULES, sayGreek, sayPower, SIGN_RULES, SPELLING_RULES } from './sign-words.js';
import { CURRENCIES, MONEY, MULTIPLES, PER, UNITS } from './unit-words.js';

/** A number, optionally with commas between thousands and a fraction. Its length is limited, so search is linear. */
const NUMBER = String.raw`\d{1,3}(?:,\d{3}){1,5}(?:\.\d{1,30})?(?!\d)|\d{1,30}(?:\.\d{1,30})?`;

/** Characters that must not precede a number: it would be part of a word or of a longer number. */
const START = String.raw`(?<![\p{L}\p{N}_]|\p{N}[.,:/])`;
/** Characters that must not follow a number. */
const END = String.raw`(?![\p{L}\p{N}_]|[.,:/]\p{N})`;
/** Name of a month, in full or abbreviated. */
const MONTH = String.raw`(${Object.values(MONTHS).join('|')}|Sept|${keys(MONTHS)})(?![\p{L}])\.?`;
/** AM or PM. A full stop that ends the sentence is not part of it. */
const HALF = String.raw`([aApP])(?:[mM](?![\p{L}])|\.[mM](?:\.(?!\s{1,3}\p{Lu}|\s{0,3}$))?)`;
/** A dash of a range, with the spaces around it. */
const DASH = String.raw`\s?[-\u2010-\u2013]\s?`;
const CLOCK = String.raw`\d{1,2}(?::\d{2})?`;
const SIGN = `(?<!\\p{L})(?:${keys(MONEY).replaceAll('$', '\\$')})`;
/** An amount after a sign, which may begin with a point. */
const AMOUNT = String.raw`${NUMBER}|\.\d{1,30}`;

/** Fractions that are one character, and how they are written with a slash. */
const FRACTIONS: Readonly<Record<string, string>> = Object.fromEntries(
  Array.from('½⅓⅔¼¾⅕⅖⅗⅘⅙⅚⅐⅛⅜⅝⅞⅑⅒', (sign) => [sign, sign.normalize('NFKD').replace('\u2044', '/')]),
);
const FRACTION = `[${Object.keys(FRACTIONS).join('')}]`;

/** Denominators of fractions that are read as such: one half, two thirds. Others are probably not fractions. */
const DENOMINATORS = new Set([2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 16, 20, 32, 64, 100]);

/** Rules, in order. Rules that recognize the meaning of a number precede those for the remaining numbers. */
export const RULES: readonly Rule[] = [
  ...SPELLING_RULES,
  ...ABBREVIATION_RULES,
  // 2½, ½
  [rule(`\\s?(${FRACTION})(?=([\\p{L}\\p{N}]?))`), (_, sign, next) => ` ${FRACTIONS[sign]}${next && ' '}`],
  // 2026-11-21T10:30Z
  [
    rule(`${START}(\\d{4}-\\d{2}-\\d{2})T(\\d{2}:\\d{2}(?::\\d{2})?)(?:\\.\\d{1,9})?(Z?)(?![\\p{L}\\p{N}])`),
    (_, date, time, zone) => `${date} at ${time}${zone && ' UTC'}`,
  ],
  // 2026-11-21, 2026/11/21, 11/21/2026, 21.11.2026, May 5, 2026, May-5, May 5–7, 5 May 2026
  [
    rule(`${START}([12]\\d{3})/(\\d{1,2})/(\\d{1,2})${END}`),
    (found, year, month, day) => sayDate(found, year, month, day),
  ],
  [
    rule(`${START}(\\d{1,2})([-/.])(\\d{1,2})\\2((?:[12]\\d)?\\d{2})(?![\\p{L}\\p{N}_-]|[.,:/]\\p{N})`),
    (found, first, mark, second, year) => sayNumericDate(found, first, mark, second, year),
  ],
  [
    rule(`(?<![\\p{L}])${MONTH}-(\\d{1,2})(?:-([12]\\d{3}))?${END}`, 'giu'),
    (found, month, day, year) => sayDayOf(found, monthOf(month), day, year),
  ],
  [
    rule(`(?<![\\p{L}])${MONTH}\\s(\\d{1,2})${DASH}(\\d{1,2})${END}(?!${DASH}\\d)`, 'giu'),
    (found, month, first, last) =>
      isDay(first) && isDay(last) ? `${monthOf(month)} ${sayOrdinal(first)} to ${sayOrdinal(last)}` : found,
  ],
  [rule(`${START}([12]\\d{3})-(\\d{2})-(\\d{2})${END}`), (found, year, month, day) => sayDate(found, year, month, day)],
  [
    rule(`(?<![\\p{L}])${MONTH}\\s(\\d{1,2})(st|nd|rd|th)?${END}(?:,?\\s([12]\\d{3})${END})?`, 'giu'),
    (found, month, day, suffix, year) =>
      isMonth(month, Boolean(suffix ?? year)) ? sayDayOf(found, monthOf(month), day, year) : found,
  ],
  [
    rule(`${START}(\\d{1,2})(st|nd|rd|th)?\\s${MONTH}(?:,?\\s([12]\\d{3})${END})?`, 'giu'),
    (found, day, suffix, month, year) =>
      isDay(day) && isMonth(month, Boolean(suffix ?? year))
        ? `${sayOrdinal(day)} of ${monthOf(month)}${year ? ` ${sayYear(year)}` : ''}`
        : found,
  ],
  // 9am-5pm, 8:30 a.m. - 4 p.m., 10:00–11:30
  [rule(`${START}(${CLOCK}\\s?${HALF})${DASH}(?=${CLOCK}\\s?[aApP]\\.?[mM])`), '$1 to '],
  [rule(`${START}(\\d{1,2}:\\d{2})${DASH}(?=\\d{1,2}:\\d{2}(?![\\d:]))`), '$1 to '],
  // 10:30 p.m., 10:30:05, 5pm
  [
    rule(`${START}(\\d{1,2}):(\\d{2})(?::(\\d{2}))?(?![\\d:])(?:\\s?${HALF})?`),
    (found, hour, minute, second, half) => sayTime(found, hour, minute, second, half),
  ],
  [
    rule(`${START}(\\d{1,2})\\.([0-5]\\d)\\s?${HALF}`),
    (found, hour, minute, half) => sayTime(found, hour, minute, undefined, half),
  ],
  [rule(`${START}(\\d{1,2})\\s?${HALF}`), (found, hour, half) => sayTime(found, hour, '00', undefined, half)],
  [rule(`${START}(\\d{1,3}):(\\d{1,3})${END}`), '$1 to $2'],
  // telephone numbers, versions, addresses of machines
  [/\+\d{1,3}(?:[ .-]?\(?\d{1,5}\)?){1,6}/g, (found) => sayPhone(found)],
  [
    rule(
      `(?<![\\p{L}\\p{N}.-])(?:1[ .-])?(?:\\(\\d{3}\\)[ .-]?|\\d{3}[ .-])\\d{3}[ .-]\\d{4}(?:-\\d{1,5})?(?![\\p{L}\\p{N}-])`,
    ),
    (found) => sayPhone(found),
  ],
  [rule(`(?<![\\p{L}\\p{N}.-])\\d{3}-\\d{2}-\\d{4}(?![\\p{L}\\p{N}-])`), (found) => sayPhone(found)],
  // 1300 555 019, 020 7946 0958: numbers have groups of three after the first.
  [
    rule(
      `(?<![\\p{L}\\p{N}.,-])(?:\\d{4}\\s\\d{3}\\s\\d{3}|0\\d{1,4}(?:[ -]\\d{2,4}){2,4})(?![\\p{L}\\p{N}]|[ .,-]\\d)`,
    ),
    (found) => sayPhone(found),
  ],
  [/(?<=\b(?:ending in|code|PIN|extension|ext\.?)\s)\d{3,8}(?![\d.,])/gi, (digits) => sayDigits(digits)],
  [rule(`(?<![\\p{L}\\p{N}.-])\\d{3}-\\d{4}(?![\\p{L}\\p{N}-])`), (found) => sayPhone(found)],
  [rule(`(?<![\\p{L}\\p{N}])[vV](?=\\d{1,5}[.\\s]|\\d{1,5}$)`), 'version '],
  [
    rule(`${START}\\d{1,5}(?:\\.\\d{1,5}){2,6}(?![\\p{L}\\p{N}])`),
    (found) => {
      const parts = found.split('.');
      return parts.length === 4 ? parts.map(sayDigits).join(' dot ') : parts.map(sayInteger).join(' point ');
    },
  ],
  // 1e-6, 10^-3
  [
    rule(`${START}(\\d{1,9}(?:\\.\\d{1,9})?)[eE]([-\u2212]?)(\\d{1,3})(?![\\p{L}\\p{N}])`),
    (_, number, minus, power) => `${number} times ten to the ${minus ? `minus ${power}` : sayOrdinal(power)}`,
  ],
  [
    rule(`(?<=[\\p{L}\\p{N})\\]])\\^([-\u2212]?)(\\d{1,3})(?![\\p{L}\\p{N}])`),
    (_, minus, power) => ` ${sayPower(minus, power)}`,
  ],
  // 5'10", 2in, 2h 5m, 1h30, 5m ago
  [/(?<!\d)(\d)['’′]\s?(\d{1,2})["”″]/g, '$1 ft $2in'],
  [rule(`${START}(\\d{1,3})in(?![\\p{L}\\p{N}])`), (_, number) => `${number} ${number === '1' ? 'inch' : 'inches'}`],
  [
    rule(`${START}(\\d{1,2})h(?:\\s?(\\d{1,2})m(?:in)?|(\\d{2}))(?![\\p{L}\\p{N}])`),
    (_, hours, minutes, more) => `${hours} h ${minutes ?? more} min`,
  ],
  [rule(`${START}(\\d{1,3})m(?=\\sago\\b)`), '$1 min'],
  // Mon-Fri, 1st–3rd
  [
    rule(`(?<![\\p{L}\\p{N}])(${keys(DAYS)})${DASH}(${keys(DAYS)})(?![\\p{L}\\p{N}])`),
    (_, first, last) => `${DAYS[first]} to ${DAYS[last]}`,
  ],
  [rule(`(\\d(?:st|nd|rd|th))${DASH}(?=\\d{1,4}(?:st|nd|rd|th)(?![\\p{L}\\p{N}]))`), '$1 to '],
  // USD 5, 20 EUR
  [
    rule(`(?<![\\p{L}\\p{N}])(${keys(CURRENCIES)})\\s?(${NUMBER})(?![\\p{L}\\p{N}]|[.,]\\d)`),
    (_, code, amount) => sayCurrency(code, amount),
  ],
  [
    rule(`(?:${START}|${SIGN})(${NUMBER})\\s?(${keys(CURRENCIES)})(?![\\p{L}\\p{N}])`),
    (_, amount, code) => sayCurrency(code, amount),
  ],
  // 7-3=4
  [rule(`(?<=\\d)\\s?[-\u2212]\\s?(?=\\d[\\d.,]{0,20}(?:\\s?[-+*/×]\\s?\\d[\\d.,]{0,20}){0,9}\\s?=)`), ' minus '],
  // $5.50-$10, $5–10, 10–12, 10-12, 1960s-80s
  [rule(`(${SIGN})(${NUMBER})${DASH}(?=\\1\\d{1,9}\\.\\d)`), '$1$2 to '],
  [rule(`(${SIGN})(${NUMBER})(?:[-\u2010-\u2013]|\\s[-\u2012\u2013]\\s)(?:${SIGN})?(?=\\d)`), '$2 to $1'],
  [rule(`${START}([12]\\d{2}0)['’]?s${DASH}['’]?(?=(?:[12]\\d)?\\d0['’]?s(?![\\p{L}\\p{N}]))`), '$1s to '],
  [rule(`(\\d%?)\\s?[\u2012\u2013]\\s?(?=\\d)`), '$1 to '],
  [rule(`(?<![\\p{L}\\p{N}.\\-/])(\\d{1,4}%?)-(?=\\d{1,4}(?![\\p{N}\\-/]))`), '$1 to '],
  // -7, -$5, –5 °C
  [/(?<=^|[\s(])\u2013(?=\d)/g, 'minus '],
  [rule(`(?<![\\p{L}\\p{N})\\]_.-])[-\u2212](?=(?:${SIGN}|\\.)?\\d)`), 'minus '],
  // signs between and before numbers
  [/(?<=\d)\s?\+\s?(?=\d)/g, ' plus '],
  [
    rule(`(?<!\\d)(${NUMBER})\\s-\\s(?=(${NUMBER}))`),
    (_, first, second) => `${first} ${valueOf(first) < valueOf(second) ? 'to' : 'minus'} `,
  ],
  [/(?<=[\d)])\s?[×*]\s?(?=[\d(])/g, ' times '],
  [/(?<=^|\(|(?<![\p{L}\p{N})])\s)<\s?(?=\d)/gu, 'less than '],
  [/(?<=^|\(|(?<![\p{L}\p{N})])\s)>\s?(?=\d)/gu, 'more than '],
  [/(?<=\d)x(?=\d)/g, ' by '],
  [/(?<=([\p{L}\p{N}.,:;]?))#\s?(?=\d)/gu, (_, before) => `${before && ' '}number `],
  [rule(`(?<=([\\p{L}\\p{N}.,:;]?))~\\s?(?=(?:${SIGN})?\\d)`), (_, before) => `${before && ' '}about `],
  // 1980s, '80s, 1st
  [
    rule(`${START}([12]\\d{2}0)['’]?s(?![\\p{L}\\p{N}])`),
    (_, decade) => sayYear(decade).replace(/y?$/, (end) => (end ? 'ies' : 's')),
  ],
  [
    rule(`(?<![\\p{L}\\p{N}])(?:['’]|(?<=\\b(?:to|mid|early|late)[ -]))([2-9]0)['’]?s(?![\\p{L}\\p{N}])`, 'giu'),
    (_, decade) => sayInteger(decade).replace(/y$/, 'ies'),
  ],
  [
    rule(`${START}(\\d{1,3}(?:,\\d{3}){1,4}|\\d{1,15})(st|nd|rd|th)(?![\\p{L}\\p{N}])`, 'giu'),
    (_, digits, suffix) => sayOrdinalOf(digits.replaceAll(',', ''), suffix.toLowerCase()),
  ],
  // $3.50, £1m, 20 €
  [
    rule(
      `(${SIGN})\\s?(${AMOUNT})(?:\\s(thousand|million|billion|trillion)\\b|\\s?(${keys(MULTIPLES)})(?![\\p{L}\\p{N}]))?`,
    ),
    (_, sign, amount, multiple, letter) => sayMoney(sign, amount, multiple ?? MULTIPLES[letter]),
  ],
  [rule(`${START}(${NUMBER})\\s?¢`), (_, amount) => `${sayNumber(amount)} ${amount === '1' ? 'cent' : 'cents'}`],
  [rule(`${START}(${NUMBER})\\s?([$€£₹¥₩₽₺₴₱₫₪฿])(?!\\d)`), (_, amount, sign) => sayMoney(sign, amount, undefined)],
  [
    rule(`(?<=\\b(?:dollars?|euros?|pounds?|cents?|pence|yen|rupees?))/(${keys(PER)})(?![\\p{L}\\p{N}])`),
    (_, unit) => ` per ${PER[unit]}`,
  ],
  // 5 kg, 50 %, 20 °C, 10k, 1.5x
  [
    rule(`${START}(${NUMBER})[ \u00a0\u202f-]?(${keys(UNITS)})(?:/(${keys(PER)}))?(?![\\p{L}\\p{N}])`),
    (_, number, unit, per) =>
      `${sayNumber(number)} ${UNITS[unit]![number === '1' ? 0 : 1]}${per ? ` per ${PER[per]}` : ''}`,
  ],
  [
    rule(`(?<=\\d\\s?(?:thousand|million|billion|trillion)\\s)(${keys(UNITS)})(?![\\p{L}\\p{N}])`),
    (_, unit) => UNITS[unit]![1],
  ],
  [rule(`(?<=\\d)/(kg|lb|oz|km|GB|kWh|hr|min)(?![\\p{L}\\p{N}])`), (_, unit) => ` per ${PER[unit]}`],
  ...POWER_RULES,
  [
    rule(`${START}(${NUMBER})(k|M|bn)(?![\\p{L}\\p{N}])`),
    (_, number, letter) => `${sayNumber(number)} ${MULTIPLES[letter]}`,
  ],
  [rule(`${START}(${NUMBER})[xX×](?![\\p{L}\\p{N}])`), (_, number) => `${sayNumber(number)} times`],
  // 3/4, 2 1/2, 24/7, 5/6/2026
  [/(?<![\d/.])24\/7(?![\d/])/g, 'twenty-four seven'],
  [/(?<![\d/.])50\/50(?![\d/])/g, 'fifty-fifty'],
  [/(?<![\p{L}\p{N}/])w\/(o?)(?=\s|$)/gu, (_, out) => (out ? 'without' : 'with')],
  [
    rule(
      `(?<![\\p{L}\\p{N}/.])(?:(\\d{1,3})\\s)?(\\d{1,3})/(\\d{1,3})(?:st|nd|rd|th|\\s?(${keys(UNITS)}))?(?![\\p{L}\\p{N}/]|\\.\\d)`,
    ),
    (found, whole, part, of, unit) => sayFraction(found, whole, part, of, unit),
  ],
  [/(\d)\/(?=\d)/g, '$1 slash '],
  [/(?<=\p{L}{2})\s?\/\s?(?=\p{L}{2})/gu, ' slash '],
  // signs between letters, and letters and numbers
  [/(?<=\d|\b\p{L}|\bsquared|\bcubed)\s?\+\s?(?=\d|\p{L}(?![\p{L}\p{N}]))|(?<=\S) \+ (?=\S)/gu, ' plus '],
  [/(?<=[\p{L}\p{N})])\s?=\s?(?=[-\p{L}\p{N}(?])/gu, ' equals '],
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
    rule(`((?:^|\\s|\\()(?:in|since|by|from|until|year|before|after|during|circa)\\s{1,2})(1[0-4]\\d{2})${END}`, 'giu'),
    (_, before, year) => before + sayYear(year),
  ],
  [rule(`${START}(1[5-9]\\d{2}|20\\d{2})${END}`), (_, year) => sayYear(year)],
  [
    rule(`${START}(\\d{10,15})${END}`),
    (_, digits) => (digits.endsWith('000000') ? sayInteger(digits) : sayDigits(digits)),
  ],
  [rule(`${START}(?:${NUMBER})${END}`), (number) => sayNumber(number)],
  [rule(`(?<![\\p{L}_\\d])\\d+(?![\\p{L}_\\d])`), (digits) => sayInteger(digits)],
  [/(?<=[a-z]),(?=[a-z])/g, ', '],
  ...SIGN_RULES,
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

function rule(pattern: string, flags = 'gu'): RegExp {
  return new RegExp(pattern, flags);
}

function valueOf(number: string): number {
  return Number(number.replaceAll(',', ''));
}

function monthOf(name: string): string {
  return MONTHS[name[0]!.toUpperCase() + name.slice(1, 3).toLowerCase()]!;
}

/** Returns false for the verbs "may" and "march", unless what stands with them makes a date of them. */
function isMonth(name: string, isDate: boolean): boolean {
  return isDate || !/^(?:may|march|mar)$/.test(name);
}

function isDay(day: string): boolean {
  return Number(day) >= 1 && Number(day) <= 31;
}

function sayDate(found: string, year: string, month: string, day: string): string {
  const name = Object.values(MONTHS)[Number(month) - 1];
  return name && isDay(day) ? sayDayOf(found, name, String(Number(day)), year) : found;
}

/** Writes out a date in digits: the month first, as in the United States, but the day before a full stop. */
function sayNumericDate(found: string, first: string, mark: string, second: string, year: string): string {
  const isDayFirst = mark === '.' || Number(first) > 12;
  const [day, month] = isDayFirst ? [first, second] : [second, first];
  const name = Object.values(MONTHS)[Number(month) - 1];
  if (!name || !isDay(day) || (mark !== '/' && year.length < 4)) return found;
  const spokenYear = year.length === 4 ? sayYear(year) : sayInteger(year);
  const ordinal = sayOrdinal(String(Number(day)));
  return isDayFirst ? `${ordinal} of ${name} ${spokenYear}` : `${name} ${ordinal}, ${spokenYear}`;
}

function sayDayOf(found: string, month: string, day: string, year: string | undefined): string {
  if (!isDay(day)) return found;
  return `${month} ${sayOrdinal(String(Number(day)))}${year ? `, ${sayYear(year)}` : ''}`;
}

/** Writes out a time of day, such as "ten thirty PM"; returns `found` if it is not one. */
function sayTime(
  found: string,
  hour: string,
  minute: string,
  second: string | undefined,
  half: string | undefined,
): string {
  const [hours, minutes, seconds] = [Number(hour), Number(minute), Number(second ?? 0)];
  if (minutes > 59 || seconds > 59 || hours > (half ? 12 : 23) || (half && hours === 0)) return found;
  const after = [
    minutes > 0 ? ` ${minutes < 10 ? 'oh ' : ''}${sayInteger(String(minutes))}` : '',
    second ? ` and ${sayInteger(String(seconds))} second${seconds === 1 ? '' : 's'}` : '',
  ].join('');
  const start = sayInteger(String(hours));
  if (half) return `${start}${after} ${half.toUpperCase()}M`;
  if (minutes > 0 || second) return start + after;
  return hours >= 1 && hours <= 12 ? `${start} o'clock` : `${start} hundred`;
}

/** Writes out a telephone number digit by digit, with pauses between groups; returns `found` if its length is wrong. */
function sayPhone(found: string): string {
  const groups = found.match(/\d+/g) ?? [];
  const length = groups.join('').length;
  if (length < 7 || length > 15) return found;
  return (found.startsWith('+') ? 'plus ' : '') + groups.map(sayDigits).join(', ');
}

function sayCurrency(code: string, amount: string): string {
  const parts = CURRENCIES[code]!.formatToParts(valueOf(amount));
  return `${sayNumber(amount)} ${parts.find(({ type }) => type === 'currency')!.value}`;
}

function sayMoney(sign: string, amount: string, multiple: string | undefined): string {
  const [one, several, part, parts] = MONEY[sign]!;
  const [whole = '', all = ''] = amount.replaceAll(',', '').split('.', 2);
  const fraction = all.replace(/0+$/, '');
  const unit = (number: string, single: string, plural: string): string =>
    `${sayInteger(number)} ${number === '1' ? single : plural}`;
  if (multiple) return `${sayNumber(amount)} ${multiple} ${several}`;
  if (fraction === '') return unit(whole || '0', one, several);
  if (fraction.length > 2 || !part || !parts)
    return `${whole ? sayNumber(amount) : `point ${sayDigits(fraction)}`} ${several}`;
  const cents = unit(String(Number(fraction.padEnd(2, '0'))), part, parts);
  return Number(whole) === 0 ? cents : `${unit(whole, one, several)} and ${cents}`;
}

/** Writes out an ordinal number; one with the suffix of another as it is written. */
function sayOrdinalOf(digits: string, suffix: string): string {
  const ordinal = sayOrdinal(digits);
  const ending = ordinal.endsWith('third') ? 'rd' : ordinal.slice(-2);
  return ending === suffix ? ordinal : `${sayInteger(digits)} ${suffix}`;
}

function sayFraction(found: string, whole: string | undefined, part: string, of: string, unit?: string): string {
  const [above, below] = [Number(part), Number(of)];
  if (above === 0 || above >= below || !DENOMINATORS.has(below)) return found;
  const name = { 2: 'half', 4: 'quarter' }[below] ?? sayOrdinal(String(below));
  const parts = above === 1 ? name : `${name}s`;
  const before = whole ? `${sayInteger(whole)} and ` : '';
  const article = below === 8 ? 'an' : 'a';
  const fraction = `${before}${whole && above === 1 ? article : sayInteger(String(above))} ${parts}`;
  if (!unit) return fraction;
  return `${fraction} ${whole ? UNITS[unit]![1] : `of a ${UNITS[unit]![0]}`}`;
}
