import { ABBREVIATION_RULES, keys, MONTHS, type Rule } from './abbreviations.js';
import { sayDigits, sayInteger, sayNumber, sayOrdinal, sayYear } from './number-words.js';
import { MONEY, MULTIPLES, UNITS } from './unit-words.js';

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
const SIGN = `[${Object.keys(MONEY).join('')}]`;

/** Fractions that are one character: read alone, and after a number. */
const FRACTIONS: Readonly<Record<string, readonly [alone: string, after: string]>> = {
  '½': ['one half', 'a half'],
  '⅓': ['one third', 'a third'],
  '⅔': ['two thirds', 'two thirds'],
  '¼': ['one quarter', 'a quarter'],
  '¾': ['three quarters', 'three quarters'],
  '⅛': ['one eighth', 'an eighth'],
};

/** Denominators of fractions that are read as such: one half, two thirds. Others are probably not fractions. */
const DENOMINATORS = new Set([2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 16, 20, 32, 64, 100]);

/** Web and e-mail addresses, whose numbers are not read as numbers. */
const ADDRESS = /((?:https?:\/\/|www\.)\S{1,2000}|(?<![\w.+-])[\w.+-]{1,64}@[\w-]{1,64}\.[\w.-]{1,255})/g;

/** Rules, in order. Rules that recognize the meaning of a number precede those for the remaining numbers. */
const RULES: readonly Rule[] = [
  ...ABBREVIATION_RULES,
  // 2½, ½
  [/(\d)\s?([½⅓⅔¼¾⅛])/g, (_, digit, sign) => `${digit} and ${FRACTIONS[sign]![1]}`],
  [/[½⅓⅔¼¾⅛]/g, (sign) => ` ${FRACTIONS[sign]![0]}`],
  // 2026-11-21, May 5, 2026, 5 May 2026
  [rule(`${START}([12]\\d{3})-(\\d{2})-(\\d{2})${END}`), (found, year, month, day) => sayDate(found, year, month, day)],
  [
    rule(`(?<![\\p{L}])${MONTH}\\s(\\d{1,2})(?:st|nd|rd|th)?${END}(?:,?\\s([12]\\d{3})${END})?`),
    (found, month, day, year) => sayDayOf(found, monthOf(month), day, year),
  ],
  [
    rule(`${START}(\\d{1,2})(?:st|nd|rd|th)?\\s${MONTH}(?:,?\\s([12]\\d{3})${END})?`),
    (found, day, month, year) =>
      isDay(day) ? `${sayOrdinal(day)} of ${monthOf(month)}${year ? ` ${sayYear(year)}` : ''}` : found,
  ],
  // 10:30 p.m., 10:30:05, 5pm
  [
    rule(`${START}(\\d{1,2}):(\\d{2})(?::(\\d{2}))?(?![\\d:])(?:\\s?${HALF})?`),
    (found, hour, minute, second, half) => sayTime(found, hour, minute, second, half),
  ],
  [rule(`${START}(\\d{1,2})\\s?${HALF}`), (found, hour, half) => sayTime(found, hour, '00', undefined, half)],
  [rule(`${START}(\\d{1,3}):(\\d{1,3})${END}`), '$1 to $2'],
  // telephone numbers, versions, addresses of machines
  [/\+\d{1,3}(?:[ .-]?\(?\d{1,5}\)?){1,6}/g, (found) => sayPhone(found)],
  [
    rule(`(?<![\\p{L}\\p{N}.-])(?:1[ .-])?\\(?\\d{3}\\)?[ .-]\\d{3}[ .-]\\d{4}(?![\\p{L}\\p{N}-])`),
    (found) => sayPhone(found),
  ],
  [rule(`(?<![\\p{L}\\p{N}.-])\\d{3}-\\d{4}(?![\\p{L}\\p{N}-])`), (found) => sayPhone(found)],
  [rule(`(?<![\\p{L}\\p{N}])[vV](?=\\d{1,5}[.\\s]|\\d{1,5}$)`), 'version '],
  [
    rule(`${START}\\d{1,5}(?:\\.\\d{1,5}){2,6}(?![\\p{L}\\p{N}])`),
    (found) =>
      found
        .split('.')
        .map(sayInteger)
        .join(found.split('.').length === 4 ? ' dot ' : ' point '),
  ],
  // $5–10, 10–12, 10-12
  [rule(`(${SIGN})(${NUMBER})(?:[-\u2010-\u2013]|\\s[-\u2012\u2013]\\s)${SIGN}?(?=\\d)`), '$2 to $1'],
  [rule(`(\\d%?)\\s?[\u2012\u2013]\\s?(?=\\d)`), '$1 to '],
  [rule(`(?<![\\p{L}\\p{N}.\\-/])(\\d{1,4}%?)-(?=\\d{1,4}(?![\\p{N}\\-/]))`), '$1 to '],
  // -7, -$5
  [rule(`(?<![\\p{L}\\p{N})\\]_.-])[-\u2212](?=[${Object.keys(MONEY).join('')}.]?\\d)`), 'minus '],
  // 1980s, '80s, 1st
  [
    rule(`${START}([12]\\d{2}0)['’]?s(?![\\p{L}\\p{N}])`),
    (_, decade) => sayYear(decade).replace(/y?$/, (end) => (end ? 'ies' : 's')),
  ],
  [rule(`(?<![\\p{L}\\p{N}])['’]([2-9]0)s(?![\\p{L}\\p{N}])`), (_, decade) => sayInteger(decade).replace(/y$/, 'ies')],
  [
    rule(`${START}(\\d{1,3}(?:,\\d{3}){1,4}|\\d{1,15})(?:st|nd|rd|th)(?![\\p{L}\\p{N}])`),
    (_, digits) => sayOrdinal(digits.replaceAll(',', '')),
  ],
  // $3.50, £1m, 20 €
  [
    rule(
      `(?:US)?(${SIGN})\\s?(${NUMBER})(?:\\s(thousand|million|billion|trillion)\\b|(${keys(MULTIPLES)})(?![\\p{L}\\p{N}]))?`,
    ),
    (_, sign, amount, multiple, letter) => sayMoney(sign, amount, multiple ?? MULTIPLES[letter]),
  ],
  [rule(`${START}(${NUMBER})\\s?([€£₹¥])`), (_, amount, sign) => sayMoney(sign, amount, undefined)],
  // 5 kg, 50 %, 20 °C, 10k, 1.5x
  [
    rule(`${START}(${NUMBER})[ \u00a0\u202f-]?(${keys(UNITS)})(?![\\p{L}\\p{N}])`),
    (_, number, unit) => `${sayNumber(number)} ${UNITS[unit]![number === '1' ? 0 : 1]}`,
  ],
  [
    rule(`${START}(${NUMBER})(k|M|bn)(?![\\p{L}\\p{N}])`),
    (_, number, letter) => `${sayNumber(number)} ${MULTIPLES[letter]}`,
  ],
  [rule(`${START}(${NUMBER})[xX×](?![\\p{L}\\p{N}])`), (_, number) => `${sayNumber(number)} times`],
  // 3/4, 2 1/2, 24/7, 5/6/2026
  [/(?<![\d/.])24\/7(?![\d/])/g, 'twenty-four seven'],
  [
    rule(`(?<![\\p{L}\\p{N}/.])(?:(\\d{1,3})\\s)?(\\d{1,3})/(\\d{1,3})(?![\\p{L}\\p{N}/]|\\.\\d)`),
    (found, whole, part, of) => sayFraction(found, whole, part, of),
  ],
  [/(\d)\/(?=\d)/g, '$1 slash '],
  // signs between and before numbers
  [/(?<=\d)\s?\+\s?(?=\d)/g, ' plus '],
  [/(?<=\d)\s?[×*]\s?(?=\d)/g, ' times '],
  [/(?<=\d)\s?=\s?(?=[-\d])/g, ' equals '],
  [/(?<=\d)\s-\s(?=\d)/g, ' minus '],
  [/#\s?(?=\d)/g, 'number '],
  [/~\s?(?=\d)/g, 'about '],
  // years, digit strings, and all other numbers
  [
    rule(`((?:^|\\s|\\()(?:in|since|by|from|until|year|before|after|during|circa)\\s{1,2})(1[0-4]\\d{2})${END}`, 'giu'),
    (_, before, year) => before + sayYear(year),
  ],
  [rule(`${START}(1[5-9]\\d{2}|20\\d{2})${END}`), (_, year) => sayYear(year)],
  [
    rule(`${START}(\\d{10,15})${END}`),
    (_, digits) => (digits.endsWith('000000') ? sayInteger(digits) : sayDigits(digits)),
  ],
  [rule(`(?<![\\p{L}\\p{N}_])\\.(\\d{1,30})(?![\\p{L}\\p{N}])`), (_, digits) => `point ${sayDigits(digits)}`],
  [rule(`${START}(?:${NUMBER})${END}`), (number) => sayNumber(number)],
  [rule(`(?<![\\p{L}_\\d])\\d+(?![\\p{L}_\\d])`), (digits) => sayInteger(digits)],
  [/(?<=[a-z]),(?=[a-z])/g, ', '],
  // remaining signs
  [/€/g, ' euros'],
  [/£/g, ' pounds'],
  [/¥/g, ' yen'],
  [/₹/g, ' rupees'],
  [/°\s?C\b/g, ' degrees Celsius'],
  [/°\s?F\b/g, ' degrees Fahrenheit'],
  [/°/g, ' degrees'],
  [/×/g, ' times '],
  [/÷/g, ' divided by '],
  [/±/g, ' plus or minus '],
  [/≈/g, ' about '],
  [/≠/g, ' is not equal to '],
  [/≤/g, ' is at most '],
  [/≥/g, ' is at least '],
  [/§/g, ' section '],
  [/©/g, ' copyright '],
  [/(?<=[\p{L}\p{N}]\s)&(?=\s)/gu, 'and'],
];

/**
 * Writes out numbers, amounts, dates, times, units, signs and abbreviations in English words: "Dr. Hu paid $3.50 at
 * 10:30" becomes "Doctor Hu paid three dollars and fifty cents at ten thirty". Numbers within words, such as MP3, and
 * addresses stay as they are.
 *
 * Pure; linear in the length of the text. The result is at most 20 times as long plus 40 characters.
 *
 * @param text - Text without runs of spaces; line feeds are kept.
 */
export function normalizeText(text: string): string {
  return text
    .split(ADDRESS)
    .map((part, index) => (index % 2 ? part : RULES.reduce(applyRule, part)))
    .join('')
    .replace(/ {2,}/g, ' ');
}

function applyRule(text: string, [pattern, by]: Rule): string {
  return typeof by === 'string' ? text.replace(pattern, by) : text.replace(pattern, by);
}

function rule(pattern: string, flags = 'gu'): RegExp {
  return new RegExp(pattern, flags);
}

function monthOf(name: string): string {
  return MONTHS[name.slice(0, 3)]!;
}

function isDay(day: string): boolean {
  return Number(day) >= 1 && Number(day) <= 31;
}

function sayDate(found: string, year: string, month: string, day: string): string {
  const name = Object.values(MONTHS)[Number(month) - 1];
  return name && isDay(day) ? sayDayOf(found, name, String(Number(day)), year) : found;
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

function sayMoney(sign: string, amount: string, multiple: string | undefined): string {
  const [one, several, part, parts] = MONEY[sign]!;
  const [whole = '', fraction] = amount.replaceAll(',', '').split('.', 2);
  const unit = (number: string, single: string, plural: string): string =>
    `${sayInteger(number)} ${number === '1' ? single : plural}`;
  if (multiple) return `${sayNumber(amount)} ${multiple} ${several}`;
  if (fraction === undefined || fraction === '00') return unit(whole, one, several);
  if (fraction.length !== 2 || !part || !parts) return `${sayNumber(amount)} ${several}`;
  const cents = unit(String(Number(fraction)), part, parts);
  return whole === '0' ? cents : `${unit(whole, one, several)} and ${cents}`;
}

function sayFraction(found: string, whole: string | undefined, part: string, of: string): string {
  const [above, below] = [Number(part), Number(of)];
  if (above === 0 || above >= below || !DENOMINATORS.has(below)) return found;
  const name = { 2: 'half', 4: 'quarter' }[below] ?? sayOrdinal(String(below));
  const parts = above === 1 ? name : `${name}s`;
  const before = whole ? `${sayInteger(whole)} and ` : '';
  return `${before}${whole && above === 1 ? 'a' : sayInteger(String(above))} ${parts}`;
}
