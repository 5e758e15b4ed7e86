import { DAYS, keys, MONTHS } from './abbreviations.js';
import { isFraction } from './fraction-words.js';
import type { Rule } from './mapped-text.js';
import { DASH, END, rule, START } from './number-patterns.js';
import { sayInteger, sayNumber, sayOrdinal, sayYear } from './number-words.js';
import { VERSE_RULE } from './scripture.js';

/** Name of a month, in full or abbreviated. */
const MONTH = String.raw`(${Object.values(MONTHS).join('|')}|Sept|${keys(MONTHS)})(?![\p{L}])\.?`;
/** Time zones, behind a time. */
const ZONE = String.raw`(?:[ECMP][SD]?T|AK[SD]T|HST|GMT|UTC|BST|CES?T|EES?T|IST|JST|AE[SD]T)(?![\p{L}\p{N}])`;
/** AM or PM. A full stop that ends the sentence is not part of it. */
const HALF = String.raw`([aApP])(?:[mM](?![\p{L}])|\.[mM](?:\.(?!\s{1,3}(?:(?!${ZONE})\p{Lu}|\d{1,6} \p{Ll})|\s{0,3}$))?)`;
const CLOCK = String.raw`\d{1,2}(?::\d{2})?`;

/** Words before a date. */
const BEFORE_DATE =
  'before|after|by|until|till|thru|through|since|starting|effective|(?:re)?scheduled (?:to|for)|(?:moved|postponed) to|deadline(?: is|:)?|' +
  'expires|born|dated|from|between|week of|from \\d{1,2}/\\d{1,2} to|between \\d{1,2}/\\d{1,2} and';

/** Rules of dates and times. */
export const DATE_RULES: readonly Rule[] = [
  // 1:12 scale, mix 1:10, 1:1000, 3:2:1
  [
    rule(
      `${START}(\\d{1,3}):(?=(?:\\d{1,3}|\\d{1,3}(?:,\\d{3}){1,2})[\\s-](?:scale|dilut|ratio|mix|odds|solution|leverage|model|replica|split|reduction|slope|gear|match|mapping|aspect)|[1-9]\\d{3,5}${END})|(?<=\\b(?:ratio|scale|dilut\\p{L}{1,4}|mix(?:ed|ture)?|odds|proportions?|slope)(?:\\s(?:of|is|was|it|to|about|in\\sa)|:){0,2}\\s)(\\d{1,3}):(?=\\d{1,5}${END})`,
    ),
    (_, first, other) => `${first ?? other} to `,
  ],
  [
    rule(`${START}\\d{1,2}(?::\\d{1,2}){2,4}${END}(?!\\s?${HALF})`),
    (found) => (/:\d(?::|$)/.test(found) ? found.replaceAll(':', ' to ') : found),
  ],
  // 0800 hours
  [
    rule(`${START}0(\\d)([0-5]\\d)\\s(?:hours|hrs)\\b`),
    (_, hour, minutes) => `oh ${sayInteger(hour)} ${minutes === '00' ? 'hundred' : sayInteger(minutes)} hours`,
  ],
  [
    rule(
      `(?<=\\b(?:at|by|until|till|before|since|between|from)\\s)(1\\d|2[0-3])([0-5]\\d)\\s(?:hours|hrs)\\b(?!\\sof\\b)`,
      'giu',
    ),
    '$1:$2 hours',
  ],
  // 1400Z, 05:00Z
  [rule(`${START}([01]\\d|2[0-3]):?([0-5]\\d)\\s?Z(?![\\p{L}\\p{N}])`), '$1:$2 UTC'],
  // 12/03/2021–08/14/2022, 2024-01-05–2024-01-09, 9/5–9/12
  [
    rule(
      `(?<=${START}\\d{1,2}\\1\\d{1,2}([/.])\\d{2,4})${DASH}(?=\\d{1,2}([/.])\\d{1,2}\\2\\d{2}(?:\\d{2})?(?![\\p{L}\\p{N}_]|[.,:/]\\d))|(?<=${START}\\d{4}-\\d{2}-\\d{2})\\s?[-\\u2013]\\s?(?=\\d{4}-\\d{2}-\\d{2}${END})|(?<=${START}\\d{4}-\\d{2})(?:\\s?\\u2013\\s?|\\s-\\s)(?=\\d{4}-\\d{2}${END})`,
    ),
    ' to ',
  ],
  [
    rule(
      `${START}(?<!\\d\\s)(\\d{1,2})/(\\d{1,2})${DASH}(\\d{1,2})/(\\d{1,2})${END}(?!-|\\s(?:cups?|in(?:ch(?:es)?)?|miles?|of)\\b)`,
    ),
    (found, month, day, lastMonth, lastDay) =>
      isLater(month, day, lastMonth, lastDay)
        ? `${sayMonthDay(month, day)} to ${sayMonthDay(lastMonth, lastDay)}`
        : found,
  ],
  // 1st–3rd
  [rule(`(\\d(?:st|nd|rd|th))${DASH}(?=\\d{1,4}(?:st|nd|rd|th)(?![\\p{L}\\p{N}]))`), '$1 to '],
  // 300 BCE–200 CE
  [/(?<=\d\s(?:BCE?|CE|AD))\s?[-–]\s?(?=\d)/gu, ' to '],
  // Jan 5 – Feb 3, Jan-Mar
  [rule(`(?<=\\d(?:st|nd|rd|th)?)${DASH}(?=${MONTH}\\s\\d)`), ' to '],
  [rule(`(?<![\\p{L}])${MONTH}${DASH}${MONTH}`), (_, first, last) => `${monthOf(first)} to ${monthOf(last)}`],
  // Dec. '24
  [
    rule(`(?<![\\p{L}])${MONTH}\\s['’](\\d{2})(?![\\d\\p{L}])`),
    (_, month, year) => `${monthOf(month)} ${sayInteger(year)}`,
  ],
  // the class of '05, '99–'03
  [/(?<=(?<![\p{L}\p{N}])['’]\d{2})\s?[-–]\s?(?=['’]?\d{2}(?![\p{L}\p{N}'’]))/gu, ' to '],
  [
    rule(`(?<![\\p{L}\\p{N}'’])['’](\\d)(\\d)(?![\\d\\p{L}'’])`),
    (_, ten, one) => (ten === '0' ? `oh ${sayInteger(one)}` : sayInteger(ten + one)),
  ],
  // Tue, 5 Mar
  [
    rule(`(?<![\\p{L}])(${keys(DAYS)}),?\\s(?=\\d{1,2}(?:st|nd|rd|th)?\\s${MONTH}|${MONTH}\\s\\d)`),
    (_, day) => `${DAYS[day]}, `,
  ],
  [/(?<=\d|\b(?:noon|midnight))(?:[-\u2013](?=(?:present|today|now)\b)|\s[-\u2013]\s(?=present\b))/gu, ' to '],
  [
    rule(`(?<=\\b(?:noon|midnight))${DASH}(?=\\d)|(?<=\\d(?:\\s?[aApP]\\.?[mM]\\.?)?)${DASH}(?=(?:noon|midnight)\\b)`),
    ' to ',
  ],
  // Mon 11/25, due 6/30
  [
    rule(
      `(?<!\\p{L})(?:(${keys(DAYS)})(?:\\.,?|,)?|(\\p{Lu}\\p{Ll}{2,5}day,?|[Oo]n|[Dd]ue))\\s(\\d{1,2})/(\\d{1,2})(?![\\d/]|\\.\\d|\\s(?:of|cups?|the)\\b)`,
    ),
    (found, day, word, month, date) =>
      Number(month) <= 12 && isDay(date) ? `${day ? `${DAYS[day]},` : word} ${sayMonthDay(month, date)}` : found,
  ],
  // before 5/31, moved to 6/19, 12/25, 5/31 at 3pm, 6/7 May
  [
    rule(
      `(?:(?<=\\b(?:${BEFORE_DATE})\\s)|(?=12/(?:2[45]|31)(?!\\d))|(?=\\d{1,2}/\\d{1,2},?\\s(?:at\\s|from\\s|@\\s?)?\\d{1,2}(?::\\d{2}|\\s?[aApP]\\.?[mM])))${START}(\\d{1,2})/(\\d{1,2})${END}(?!\\s(?:of|correct|complete|done|stars?|points?|questions?|tests?|steps?|cups?|in(?:ch(?:es)?)?|miles?)\\b)(?=(?:\\s(?:to|and|through|until)\\s(\\d{1,2})/(\\d{1,2})${END})?)`,
    ),
    (found, month, day, lastMonth = '1', lastDay = '2') =>
      Number(month) > 0 &&
      Number(month) <= 12 &&
      isDay(day) &&
      !(isFraction(month, day) && isFraction(lastMonth, lastDay))
        ? sayMonthDay(month, day)
        : found,
  ],
  [
    rule(`${START}(\\d{1,2})/(?=\\d{1,2}\\s${MONTH})`),
    (found, day) => (isDay(day) ? `${sayOrdinal(String(Number(day)))} slash ` : found),
  ],
  // 2024-W05, 2024-W05-3
  [
    rule(`${START}((?:19|20)\\d{2})-W(\\d{2})(?:-([1-7]))?(?![\\p{L}\\p{N}-])`),
    (_, year, week, day) => `${day ? `day ${day} of ` : ''}week ${Number(week)} of ${year}`,
  ],
  // 2026-11-21T10:30Z, 2026-11-21 10:30:00,123
  [
    rule(
      `${START}(\\d{4}-\\d{2}-\\d{2})(?:T|\\s(?=\\d{2}:\\d{2}:\\d{2}))(\\d{2}:\\d{2})(?::(\\d{2}))?(?:[.,]\\d{1,9})?(Z|[-+]\\d{2}:\\d{2}|)(?![\\p{L}\\p{N}])`,
    ),
    (_, date, time, second, zone) =>
      `${date} at ${time}${Number(second ?? 0) > 0 ? ` and ${sayCount(second, 'second')}` : ''}${zone && ` UTC${zone.replace('Z', '')}`}`,
  ],
  // 2026-11-21, 2026/11/21, 11/21/2026, 21.11.2026, May 5, 2026, May-5, May 5–7, 5–7 May, 5 May 2026
  [
    rule(`${START}([12]\\d{3})([/.])(\\d{1,2})\\2(\\d{1,2})${END}`),
    (found, year, _, month, day) => sayDate(found, year, month, day),
  ],
  [
    rule(`${START}(\\d{1,2})([-/.])(\\d{1,2})\\2((?:[12]\\d)?\\d{2})(?![\\p{L}\\p{N}_-]|[.,:/]\\p{N})`),
    (found, first, mark, second, year) => sayNumericDate(found, first, mark, second, year),
  ],
  // 5-Jan-2024
  [
    rule(`${START}(\\d{1,2})-${MONTH}-((?:[12]\\d)?\\d{2})${END}`, 'giu'),
    (found, day, month, year) =>
      isDay(day) ? `${sayOrdinal(String(Number(day)))} of ${monthOf(month)} ${sayFullOrShortYear(year)}` : found,
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
  [
    rule(`${START}(\\d{1,2})${DASH}(?=(\\d{1,2})\\s${MONTH}(?:,?\\s([12]\\d{3})${END})?)`, 'giu'),
    (found, first, last, month, year) =>
      isDay(first) && isDay(last) && isMonth(month, Boolean(year)) ? `${sayOrdinal(first)} to ` : found,
  ],
  [
    rule(`${START}([12]\\d{3})-(\\d{1,2})-(\\d{1,2})${END}`),
    (found, year, month, day) => sayDate(found, year, month, day),
  ],
  // 2024-05, but the season 2004-05
  [
    rule(`${START}((?:19|20)(\\d{2}))-(0[1-9]|1[0-2])${END}(?!-)`),
    (found, year, short, month) =>
      Number(month) === Number(short) + 1 ? found : `${Object.values(MONTHS)[Number(month) - 1]} ${year}`,
  ],
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
  // Psalm 23:4, Psalm 23:1-3
  VERSE_RULE,
  [
    rule(`${START}(\\d{1,3}):(\\d{1,3})-(\\d{1,3})(?![\\d:]|\\s?[aApP]\\.?[mM])`),
    (found, chapter, first, last) => (/^[0-5]\d$/.test(first) ? found : `${chapter} ${first} to ${last}`),
  ],
  // 1:59 p.m.est, UTC-5, UTC+01:00
  [
    /([aApP]\.?[mM]\.?)\s?([ecmp])\.?([sd])\.?t(?![\p{L}\p{N}])/giu,
    (_, half, zone, time) => `${half} ${zone}${time}t`.replace(/\S*$/, (name) => name.toUpperCase()),
  ],
  [
    /(?<=(?<![\p{L}\p{N}])(?:GMT|UTC))\s?([-+\u2212])(?:0?(\d{1,2}):00(?!\d)|0(?=\d:)|(?=\d))/gu,
    (_, sign, hours = '') => (sign === '+' ? ' plus ' : ' minus ') + hours,
  ],
  // 8a-5p, 9am-5pm, 8:30 a.m. - 4 p.m., 10:00–11:30
  [rule(`${START}(${CLOCK})[aA]${DASH}(${CLOCK})[pP](?![\\p{L}\\p{N}])`), '$1 am to $2 pm'],
  [rule(`${START}(${CLOCK}(?:\\s?${HALF})?)${DASH}(?=${CLOCK}\\s?[aApP]\\.?[mM])`), '$1 to '],
  [rule(`${START}(\\d{1,2}:\\d{2})${DASH}(?=\\d{1,2}(?::\\d{2})?(?![\\d:/]|\\.\\d))`), '$1 to '],
  // 4:05 min/km, 7:30/mile
  [
    rule(`(?<=${START}\\d{1,2}:[0-5]\\d)\\s?(?:min)?/(km|mi(?:le)?)(?![\\p{L}\\p{N}])`),
    (_, unit) => ` per ${unit === 'km' ? 'kilometer' : 'mile'}`,
  ],
  // 10:30 p.m., 10:30:05, 5pm
  [
    rule(
      `${START}(\\d{1,2}):(\\d{2})(?::(\\d{2}(?:\\.\\d{1,6}|,\\d{3})?))?(?![\\d:]|[.,]\\d)(?:\\s?${HALF}|\\s?h(?:rs)?(?![\\p{L}\\p{N}]))?`,
    ),
    (found, hour, minute, second, half) => sayTime(found, hour, minute, second?.replace(',', '.'), half),
  ],
  [
    rule(`${START}(\\d{1,2})\\.([0-5]\\d)\\s?${HALF}`),
    (found, hour, minute, half) => sayTime(found, hour, minute, undefined, half),
  ],
  [rule(`${START}(\\d{1,2})\\s?${HALF}`), (found, hour, half) => sayTime(found, hour, '00', undefined, half)],
  // 0:58.3, 16:9, 1:10,000
  [
    rule(`${START}(\\d{1,2}):(\\d{2}\\.\\d{1,3})${END}`),
    (_, minutes, seconds) =>
      `${Number(minutes) > 0 ? `${sayCount(minutes, 'minute')} ` : ''}${sayNumber(seconds.replace(/^0/, ''))} seconds`,
  ],
  [rule(`${START}(\\d{1,3}):(\\d{1,3}(?:,\\d{3}){0,3})${END}`), '$1 to $2'],
  // 03/2024
  [
    rule(`${START}(0[1-9]|1[0-2])/((?:19|20)\\d{2})${END}`),
    (_, month, year) => `${Object.values(MONTHS)[Number(month) - 1]} ${year}`,
  ],
  // Dec. 2023
  [rule(`(?<![\\p{L}])${MONTH}(?=\\s[12]\\d{3}${END})`), (_, month) => monthOf(month)],
  // in Jan., the 1st of Sept.
  [
    rule(
      `(?<=\\b(?:of|in|since|by|until|last|next|this|early|late|mid)[ -])(${keys(MONTHS)}|Sept)\\.(?!\\s{1,3}\\p{Lu}|\\s{0,3}$)`,
    ),
    (_, month) => monthOf(month),
  ],
];

function monthOf(name: string): string {
  return MONTHS[name[0]!.toUpperCase() + name.slice(1, 3).toLowerCase()]!;
}

/** Returns false for the verbs "may" and "march", unless what stands with them makes a date of them. */
function isMonth(name: string, isDate: boolean): boolean {
  return isDate || !/^(?:may|march|mar)$/.test(name);
}

function sayFullOrShortYear(year: string): string {
  return year.length === 4 ? sayYear(year) : sayInteger(year);
}

function isDay(day: string): boolean {
  return Number(day) >= 1 && Number(day) <= 31;
}

/** @param month - Number of the month, from 1. */
function sayMonthDay(month: string, day: string): string {
  return `${Object.values(MONTHS)[Number(month) - 1]} ${sayOrdinal(String(Number(day)))}`;
}

/** True if both are dates, the second one is later, and one of them is hardly a fraction: 9/5–9/12, but 1/2–3/4. */
function isLater(month: string, day: string, lastMonth: string, lastDay: string): boolean {
  const [first, last] = [Number(month), Number(lastMonth)];
  const areDates = first >= 1 && first <= 12 && last >= 1 && last <= 12 && isDay(day) && isDay(lastDay);
  const areFractions =
    first < Number(day) &&
    last < Number(lastDay) &&
    [day, lastDay].every((below) => /^(?:[2-8]|10|12|16)$/.test(below));
  return (
    areDates &&
    !areFractions &&
    (last > first || (first > 10 && last < 3) || (last === first && Number(lastDay) > Number(day)))
  );
}

export function sayDate(found: string, year: string, month: string, day: string): string {
  const name = Object.values(MONTHS)[Number(month) - 1];
  return name && isDay(day) ? sayDayOf(found, name, String(Number(day)), year) : found;
}

/** Writes out a date in digits: the month first, as in the United States, but the day before a full stop. */
function sayNumericDate(found: string, first: string, mark: string, second: string, year: string): string {
  const isDayFirst = mark === '.' || Number(first) > 12;
  const [day, month] = isDayFirst ? [first, second] : [second, first];
  const name = Object.values(MONTHS)[Number(month) - 1];
  if (!name || !isDay(day) || (mark !== '/' && year.length < 4)) return found;
  const spokenYear = sayFullOrShortYear(year);
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
  if (minutes > 59 || seconds > 59 || (half && hours > 23) || (second && hours > 23)) return found;
  const start = sayInteger(String(half ? hours || 12 : hours));
  if (hours > 24 && minutes === 0) return `${start} minutes`;
  const after = minutes > 0 ? ` ${minutes < 10 ? 'oh ' : ''}${sayInteger(String(minutes))}` : '';
  if (half) return `${start}${after}${seconds > 0 ? ` and ${sayCount(second!, 'second')}` : ''} ${half.toUpperCase()}M`;
  if (second) return `${sayCount(hour, 'hour')} ${sayCount(minute, 'minute')} and ${sayCount(second, 'second')}`;
  if (minutes > 0) return start + after;
  return hours >= 1 && hours <= 12 ? `${start} o'clock` : `${start} hundred`;
}

/** Writes out how many there are of something whose name takes an s: "one minute". */
function sayCount(digits: string, name: string): string {
  const count = Number(digits);
  return `${sayNumber(String(count))} ${name}${count === 1 ? '' : 's'}`;
}
