import { keys } from './abbreviations.js';
import type { Rule } from './mapped-text.js';
import { rule } from './number-patterns.js';

const POINTS: Readonly<Record<string, string>> = { N: 'north', S: 'south', E: 'east', W: 'west' };

/** Directions by their abbreviations: NE is northeast, NNE north-northeast. */
const DIRECTIONS: Readonly<Record<string, string>> = {
  ...POINTS,
  ...Object.fromEntries(
    'NE NW SE SW NNE NNW SSE SSW ENE ESE WNW WSW'.split(' ').map((name) => [
      name,
      Array.from(name, (point) => POINTS[point]!)
        .join(name.length === 3 ? '-' : '')
        .replace(/-(\w+)-/, '-$1'),
    ]),
  ),
};
const DIRECTION = keys(DIRECTIONS);

/** Rules of directions in addresses, of roads and of winds. They precede those of streets. */
export const COMPASS_RULES: readonly Rule[] = [
  // S. Main St., NE 23rd Ave
  [
    rule(
      `(?<![\\p{L}\\p{N}.'’&])([NS]?[EW]|[NS])\\.?\\s(?=(?:\\d{1,3}(?:st|nd|rd|th)|(?:\\p{Lu}\\p{Ll}{1,20}\\s?){1,2})\\s?(?:St|Ave|Blvd|Rd|Dr|Ln|Ct|Pl|Pkwy|Hwy|Street|Avenue|Road|Boulevard|Drive|Lane|Way)(?!\\p{L}))`,
    ),
    (_, direction) => `${DIRECTIONS[direction]!.replace(/^./, (first) => first.toUpperCase())} `,
  ],
  // S. Korea, N. Ireland
  [
    /(?<![\p{L}\p{N}.'’&])([NSEW])\.\s(?=(?:Africa|America|Asia|Australia|Bank|Carolina|Dakota|Europe|Ireland|Korea|Macedonia|Sudan|Timor|Virginia|Yorkshire)(?:ns?)?(?!\p{L}))/gu,
    (_, point) => `${POINTS[point]!.replace(/^./, (first) => first.toUpperCase())} `,
  ],
  // I-5 N, I-95 S/B, n/b
  [
    rule(`(?<=\\b(?:I|US|SR|CA|Hwy|Highway|Route|Rte)[- ]\\d{1,3}\\s)([NSEW])(/?B)?(?![\\p{L}\\p{N}/]|\\.\\s?\\p{Lu})`),
    (_, direction, bound) => POINTS[direction]! + (bound ? 'bound' : ''),
  ],
  [/(?<![\p{L}\p{N}/])([nsew])\/b(?![\p{L}\p{N}/])/gu, (_, way) => `${POINTS[way.toUpperCase()]!}bound`],
  // 10 km NE of Tokyo, wind NNE, SW winds
  [
    rule(
      `(?<=\\d\\s?(?:km|mi\\.?|m|ft|miles?|kilomet(?:er|re)s?|met(?:er|re)s?|feet|yards?|blocks?)\\s)(?:${DIRECTION})(?=\\sof\\b)|(?<=\\b[Ww]inds?:?\\s(?:(?:from|is|are|out of)\\s(?:the\\s)?)?)(?:${DIRECTION})(?![\\p{L}\\p{N}.'’])|(?<![\\p{L}\\p{N}.'’])(?:${DIRECTION})(?=\\s(?:winds?|breezes?|gusts?)\\b)`,
    ),
    (direction) => DIRECTIONS[direction]!,
  ],
];
