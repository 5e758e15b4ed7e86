import type { Rule } from './mapped-text.js';
import { isFraction } from './fraction-words.js';
import { DASH, NUMBER, rule, START } from './number-patterns.js';
import { SIGN } from './unit-words.js';

/** A number or a variable, and several of them in brackets with signs between. */
const OPERAND = String.raw`(?:\d[\d.]{0,20}[A-Za-z]?|[A-Za-z])(?!\p{L})`;
const SIGNED = String.raw`(?:[-+*/×÷^\u2212\u2013]|minus|plus)`;
const BRACKETS = String.raw`\(\s?[-\u2212]?${OPERAND}(?:\s?${SIGNED}\s?${OPERAND}){0,5}\s?\)`;
/** A term of a sum: $100, 15%, 2x, b, (3 + 2). */
const TERM = String.raw`(?:[-\u2212]?(?:${SIGN})?\d[\d.,]{0,20}%?[A-Za-z]?(?![\p{L}\d])|[A-Za-z](?![\p{L}\d'’])|[A-Za-z]?${BRACKETS})`;
/** The end of a term. */
const AFTER_TERM = String.raw`(?<=[\d)%]|(?<![\p{L}\p{N}_.'’-])\d{0,9}[A-Za-z])`;

/** Rules of subtraction and division. They precede those of ranges, which have the same signs. */
export const SUM_RULES: readonly Rule[] = [
  // 7-3=4, $100 - $20 = $80, a - b = c
  [rule(`${AFTER_TERM}\\s?[-\u2212\u2013]\\s?(?=${TERM}(?:\\s?${SIGNED}\\s?${TERM}){0,9}\\s?=)`), ' minus '],
  // 2 + 5 - 6, Net = $1,200 - 15%, y = a - b
  [
    rule(
      `(?<=(?:\\d\\s?[+*×÷]\\s?|\\d\\s/\\s|=\\s?)(?:${SIGN})?(?:${NUMBER}))\\s?[-\u2212]\\s?(?=(?:${SIGN})?\\d)|(?<==\\s?${TERM}(?:\\s?${SIGNED}\\s?${TERM}){0,3})\\s[-\u2212\u2013]\\s(?=${TERM})`,
    ),
    ' minus ',
  ],
  // 8 - (3 + 2), (a + b) - c, but Smith (2019-2020) - 5
  [rule(`${AFTER_TERM}\\s?[-\u2212]\\s?(?!\\([A-Za-z]\\))(?=${BRACKETS})`), ' minus '],
  [
    rule(
      `(?<=\\(\\s?[-\u2212]?${OPERAND}(?:\\s?${SIGNED}\\s?${OPERAND}){1,5}\\s?\\)(?<!\\(\\d{4}\\s?[-\u2212]\\s?\\d{2,4}\\)))\\s?[-\u2212]\\s?(?=${TERM})`,
    ),
    ' minus ',
  ],
  // 12 / 4 = 3, 98 / 100
  [
    rule(`(?<=([-+*×÷=\u2212/]\\s)?)(?<![\\d/])(${NUMBER})\\s/\\s(?=(${NUMBER})(\\s[-+*×÷=\u2212/])?)`),
    (_, before, first, second, after) =>
      `${first} ${before || after || valueOf(first) > valueOf(second) ? 'divided by' : 'out of'} `,
  ],
  // 10/2 = 5, x/2
  [
    rule(`${START}(\\d{1,9}(?:\\.\\d{1,9})?)/(\\d{1,9}(?:\\.\\d{1,9})?)(?=\\s?=\\s?[-\\d?x])`),
    (found, first, second) => (isFraction(first, second) ? found : `${first} divided by ${second}`),
  ],
  [
    /(?<=(?<![\p{L}\p{N}/.])(?:\d{1,3}\s?)?(?:[xyzknt]|\p{Script=Greek})[²³]?)\s?\/\s?(?=\d{1,3}(?![\p{L}\p{N}/]))/gu,
    ' over ',
  ],
  // -10 - -5, 3 - -4
  [rule(`(?<=([-\u2212]?)(?:${NUMBER}))\\s[-\u2212]\\s(?=[-\u2212]\\d)`), (_, minus) => (minus ? ' to ' : ' minus ')],
  // $500 - $50: a range would begin with the lower amount.
  [
    rule(
      `(${SIGN})(${NUMBER})\\s[-\u2013]\\s(?=(?:${SIGN})?(${NUMBER})(%|\\s?\\p{L}{1,2}(?!\\p{L})|\\s(?:thousand|[mbtr]+illion))?)`,
    ),
    (found, sign, first, second, unit) =>
      unit === '%' || (!unit && valueOf(first) > valueOf(second)) ? `${sign}${first} minus ` : found,
  ],
  // 1/2-3/4, 1/2 - 1/4
  [
    rule(
      `(?<=(?<![\\d/.])(?:(\\d{1,2})\\s)?(\\d{1,2})/(\\d{1,2}))(${DASH})(?=(?:(\\d{1,2})\\s)?(\\d{1,2})/(\\d{1,2})(?![\\d/]))`,
    ),
    (_, whole = '0', above, below, dash, lastWhole = '0', lastAbove, lastBelow) => {
      const [first, last] = [
        Number(whole) + Number(above) / Number(below),
        Number(lastWhole) + Number(lastAbove) / Number(lastBelow),
      ];
      return dash.startsWith(' ') && first >= last ? ' minus ' : ' to ';
    },
  ],
];

/** Returns the value of digits with optional commas between thousands and a fraction. */
export function valueOf(number: string): number {
  return Number(number.replaceAll(',', ''));
}
