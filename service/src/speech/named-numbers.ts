import { keys } from './abbreviations.js';
import type { Rule } from './mapped-text.js';
import { rule } from './number-patterns.js';
import { sayPair, sayYear } from './number-words.js';

/** Numbers with signs that have become names. */
const NAMES: Readonly<Record<string, string>> = {
  '24/7': 'twenty-four seven',
  '24/7/365': 'twenty-four seven three sixty-five',
  '802.11': 'eight oh two dot eleven ',
  '50/50': 'fifty-fifty',
  '50-50': 'fifty-fifty',
  '20/20': 'twenty-twenty',
  '9/11': 'nine eleven',
  '1s and 0s': 'ones and zeros',
  '0s and 1s': 'zeros and ones',
  '401(k)': 'four oh one k',
  '403(b)': 'four oh three b',
  '401k': 'four oh one k',
  '403b': 'four oh three b',
};

/** Roads, standards and models, whose numbers are read in pairs: Highway 101, RTX 4090, Boeing 737. */
const IN_PAIRS =
  'Route|Highway|Interstate|ISO|IEC|IEEE|DIN|RFC|PEP|RTX|GTX|RX|Boeing|Xbox|Office|Microsoft|Porsche|Peugeot';

/** Rules of numbers that are names. */
export const NAME_RULES: readonly Rule[] = [
  // 24/7, 401(k)
  [
    rule(`(?<![\\d/.]|(?<!\\p{L})-)(?:${keys(NAMES).replace(/[().]/g, '\\$&')})(?![\\d/-]|(?<=[kb])\\p{L})`),
    (found) => NAMES[found]!,
  ],
  // I-280, Highway 101, ISO 8601, RFC 793
  [
    rule(`(?<=\\b(?:(?:I|US)-|(?:${IN_PAIRS})[ -]))([1-9]\\d{2,3})(?![\\d.,]\\d|\\d|\\p{L})`),
    (_, number) => (number.length === 4 ? sayYear(number) : sayPair(number)),
  ],
  // the iPhone 5s
  [/(?<=\biPhone \d{1,2})s(?![\p{L}\p{N}])/gu, ' S'],
  // grades K–5
  [/(?<=(?<![\p{L}\p{N}])K)\u2013(?=\d{1,2}(?![\p{L}\p{N}]))/gu, ' '],
];
