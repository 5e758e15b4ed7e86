import { keys } from './abbreviations.js';
import type { Rule } from './mapped-text.js';
import { DASH, NUMBER, rule, START } from './number-patterns.js';
import { MULTIPLES, SIGN, UNITS } from './unit-words.js';

/** Rules for the dash between two amounts, numbers or letters. */
export const RANGE_RULES: readonly Rule[] = [
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
];
