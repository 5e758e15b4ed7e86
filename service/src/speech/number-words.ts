const ONES = (
  'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen ' +
  'eighteen nineteen'
).split(' ');
const TENS = ['', '', 'twenty', 'thirty', 'forty', 'fifty', 'sixty', 'seventy', 'eighty', 'ninety'];
const SCALES = ['', ' thousand', ' million', ' billion', ' trillion', ' quadrillion', ' quintillion'];
const ORDINALS: Readonly<Record<string, string>> = {
  one: 'first',
  two: 'second',
  three: 'third',
  five: 'fifth',
  eight: 'eighth',
  nine: 'ninth',
  twelve: 'twelfth',
};

/** Maximum length of an integer that is read as a number, in digits. Longer ones are read digit by digit. */
const INTEGER_DIGITS = 15;

/**
 * Writes out an integer in English: "one thousand two hundred five". One that begins with a zero, or has more than 15
 * digits, is read digit by digit.
 *
 * Pure; linear in the length of `digits`; the result is at most 12 times as long.
 *
 * @param digits - Decimal digits only, at least one.
 */
export function sayInteger(digits: string): string {
  if (digits.length > INTEGER_DIGITS || (digits.length > 1 && digits.startsWith('0'))) return sayDigits(digits);
  return sayWhole(digits);
}

/** Writes out an integer of up to 21 digits. */
function sayWhole(digits: string): string {
  const groups: string[] = [];
  for (let scale = 0, end = digits.length; end > 0; scale++, end -= 3) {
    const group = Number(digits.slice(Math.max(0, end - 3), end));
    if (group > 0) groups.unshift(`${sayHundreds(group)}${SCALES[scale]}`);
  }
  return groups.join(' ') || ONES[0]!;
}

/** Writes out each digit: "one two zero". */
export function sayDigits(digits: string): string {
  return Array.from(digits, (digit) => ONES[Number(digit)]).join(' ');
}

/**
 * Writes out an integer or a decimal fraction: "three point one four".
 *
 * @param number - Digits, with optional commas between thousands and at most one point.
 */
export function sayNumber(number: string): string {
  const [whole = '', fraction] = number.replaceAll(',', '').split('.', 2);
  const spoken = number.includes(',') ? sayWhole(whole) : sayInteger(whole || '0');
  return fraction ? `${spoken} point ${sayDigits(fraction)}` : spoken;
}

/** Writes out an ordinal number: "twenty-first". */
export function sayOrdinal(digits: string): string {
  const cardinal = sayInteger(digits);
  const last = /[a-z]+$/.exec(cardinal)![0];
  const ordinal = ORDINALS[last] ?? `${last.replace(/y$/, 'ie')}th`;
  return cardinal.slice(0, -last.length) + ordinal;
}

/** Writes out a number of which there are many: "nineteen eighties", "fifty-twos", "seven forty-sevens". */
export function sayPlural(number: string): string {
  const say = { 3: sayPair, 4: sayYear }[/^[1-9]\d*$/.test(number) ? number.length : 0] ?? sayNumber;
  return `${say(number).replace(/y$/, 'ie').replace(/x$/, 'xe')}s`;
}

/** Writes out three digits as one and two: "one oh one", but "one hundred". The first digit is not 0. */
export function sayPair(digits: string): string {
  const [first, rest] = [sayDigits(digits.slice(0, 1)), digits.slice(1)];
  if (rest === '00') return `${first} hundred`;
  return `${first} ${rest.startsWith('0') ? `oh ${sayDigits(rest.slice(1))}` : sayInteger(rest)}`;
}

/**
 * Writes out a year as it is spoken: "nineteen eighty-four", "two thousand five", "twenty twenty-six", "nineteen
 * hundred".
 *
 * @param digits - Four digits, from 1000.
 */
export function sayYear(digits: string): string {
  const [century, year] = [Number(digits.slice(0, 2)), Number(digits.slice(2))];
  if (century % 10 === 0 && year < 10) return sayInteger(digits);
  if (year === 0) return `${sayHundreds(century)} hundred`;
  return `${sayHundreds(century)} ${year < 10 ? `oh ${ONES[year]}` : sayHundreds(year)}`;
}

/** Writes out a number from 1 to 999. */
function sayHundreds(number: number): string {
  const [hundreds, rest] = [Math.floor(number / 100), number % 100];
  return [hundreds ? `${ONES[hundreds]} hundred` : '', rest ? sayTens(rest) : ''].filter(Boolean).join(' ');
}

/** Writes out a number from 1 to 99. */
function sayTens(number: number): string {
  if (number < 20) return ONES[number]!;
  const one = number % 10;
  return TENS[Math.floor(number / 10)]! + (one ? `-${ONES[one]}` : '');
}
