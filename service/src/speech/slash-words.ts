import { keys } from './abbreviations.js';
import { sayFraction } from './fraction-words.js';
import type { Rule } from './mapped-text.js';
import { END, rule, START } from './number-patterns.js';
import { sayInteger, sayYear } from './number-words.js';
import { UNITS } from './unit-words.js';

/** Something of which a fraction is a part: "3/10 of a mile". */
const PART = `\\s?(?:(?:of|the|as|scale|size|sec(?:ond)?|inch|in|mile|foot|meter|metre|cup|ounce|pound|gallon|liter|gram|point|price|cost|speed)s?|${keys(UNITS)})(?![\\p{L}\\p{N}])`;

/** Things that are numbered out of how many there are: "step 1/3". */
const STEPS = 'step|part|page|slide|question|lesson|round|episode|chapter';

/** Rules for slashes: short words that have one, fractions, and others. */
export const SLASH_RULES: readonly Rule[] = [
  // b/c, m/m, c/o, w/o, f/2, and/or, he/she
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
  // 3/4, 2 1/2, 24/7
  [
    rule(
      `(?<![\\p{L}\\p{N}/.])(?:(\\d{1,3})\\s)?(\\d{1,3})/(\\d{1,5})(?:((?:st|nd|rd|th)s?)|\\s?(${keys(UNITS)}))?(?![\\p{L}\\p{N}/]|\\.\\d)`,
    ),
    (found, whole, part, of, ending, unit) => sayFraction(found, whole, part, of, ending ?? unit),
  ],
  [/(?<=[\p{L}\d])\/(?=\d)/gu, ' slash '],
  [/(?<=\p{L}{2})\s?\/\s?(?=\p{L}{2})/gu, ' slash '],
];
