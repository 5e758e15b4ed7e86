import type { Rule } from './mapped-text.js';
import { NO_NOUN, rule, START } from './number-patterns.js';

/** Words after a length, which is in the plural: "6 feet tall". */
const DIMENSIONS =
  'wide|long|tall|high|deep|thick|apart|above|below|away|across|between|off|around|longer|taller|shorter|wider|each|total';

/** A number before a sign of feet or inches. Neither an attribute nor a quotation of a number has one: width="5". */
const LENGTH = String.raw`(?:(?<=\dx)|(?<![\p{L}\p{N}_"“”'‘’.,:=/$#^~@*<>+\\]|(?<!\d)[-\u2013]))(?:\d{1,3},\d{3}|\d{1,4}(?:\.\d{1,3})?|\.\d{1,3}|(?:\d{1,2}[ -])?\d{1,2}/\d{1,2})`;

/** Text before a mark that closes a quotation. Marks within words are apostrophes, and '90s has one. */
const QUOTED = String.raw`(?<=^|[\s(\[{=:,>—])["“][^"”\n]{0,200}`;
const QUOTED_SINGLY = String.raw`(?<=^|[\s(\[{=:,>—"“])['‘](?!\d{2}s?(?![\p{L}\p{N}'’]))(?=\S)(?:[^'’\n]|(?<=\p{L})['’](?=\p{L})){0,200}`;

/** An article before a length, and a noun or an adjective after it. */
const WITHIN = String.raw`(?<=((?<![\p{L}\p{N}])[Aa]n?\s)?${LENGTH})`;
const BEFORE_NOUN = String.raw`(?=(-?\s?(?!(?:${NO_NOUN}|${DIMENSIONS}|he|she|it|I|we|they)\b)\p{L}{2})?(\s(?:${DIMENSIONS})\b)?)`;

/** Rules of feet and inches: 8.5" x 11", 4' x 8', 5'10", 24"-36", 12" pizza, 5/8", 6' tall, 2in, 9-in. pie, and of the ends of DNA, which are marked alike. */
export const LENGTH_RULES: readonly Rule[] = [
  // the 3' UTR, 5'-ATG-3'
  [
    /(?<![\p{L}\d])([35])['’′](?:(?=[\s-](?:UTRs?|untranslated|exonuclease|overhang|splice)(?!\p{L}))|-(?=[ACGTU]{2}))|(?<=[ACGTU]{2}-)([35])['’′]/gu,
    (_, before, after) => `${before ?? after} prime `,
  ],
  [
    /(?<=\d)((?:["”″]\s?[x×]\s?\d{1,3}(?:\.\d{1,3})?){1,3})["”″]/g,
    (_, sides) => `${sides.replace(/["”″]\s?[x×]\s?/g, ' by ')} inches`,
  ],
  [/(?<=\d['’′"”″])\s?[x×]\s?(?=\d)/g, ' by '],
  // 6ft2, M8x1.25
  [/(?<=(?<![\d.,])[4-7]ft)(?=(?:1[01]|\d)(?![\d.,]?\d))/g, ' '],
  [/(?<=(?<![\p{L}\p{N}])M\d{1,2})\s?[x×]\s?(?=\d)/gu, ' by '],
  [
    /(?<=\d)(?:["”″]\s?[-\u2013]\s?(?=(?:\d['’′]\s?)?\d[\d./]{0,6}["”″])|['’′]\s?[-\u2013]\s?(?=\d{1,3}['’′](?!['’′"”″\d])))/g,
    ' to ',
  ],
  [
    /(?<![\p{L}\d])(?:(\d{1,3})['’′][\s-]?(\d{1,2})(\s\d\/\d{1,2})?(?:["”″]|['’′]{2})|(\d)['’′][\s-]?(\d{1,2})(?=[\s.,;:!?)]|$))/gu,
    (_, feet, inches, fraction, foot, inch) =>
      Number(inches) > 11
        ? `${feet} min ${inches} s`
        : `${feet ?? foot} ft ${inches ?? inch}${fraction ? `${fraction} inches` : 'in'}`,
  ],
  [
    rule(`(?<=(\\d[ -])?\\d{1,2}/\\d{1,2})in(?![\\p{L}\\p{N}])${BEFORE_NOUN}`),
    (_, whole, noun) => (whole && !noun ? ' inches' : ' inch'),
  ],
  [
    rule(`${WITHIN}(?<!${QUOTED})["″](?![\\p{L}\\p{N}"”])${BEFORE_NOUN}`),
    (...found) => ` ${isOne(found) ? 'inch' : 'inches'}${found[2] ? ' ' : ''}`,
  ],
  [
    rule(`${WITHIN}(?<!${QUOTED_SINGLY})['’′](?![\\p{L}\\p{N}'’])${BEFORE_NOUN}`),
    (...found) => ` ${isOne(found) ? 'foot' : 'feet'}${found[2] ? ' ' : ''}`,
  ],
  [/(?<![\d.])(\d{1,2})\s?(?:ft|feet)\.?\s(\d{1,2})\s?in(?:\.(?=[,;:)]|\s\p{Ll}))?(?![\p{L}\p{N}])/gu, '$1 ft $2in'],
  [
    rule(`(?:${START}|(?<=\\dx))(\\d{1,3}(?:\\.\\d{1,3})?)in(?![\\p{L}\\p{N}])`),
    (_, number) => `${number} ${number === '1' ? 'inch' : 'inches'}`,
  ],
];

/** True if a length is one, a fraction of one, or describes a noun: 1", 5/8", a 12" pizza. */
function isOne([, article, noun, dimension, ...rest]: readonly (string | undefined)[]): boolean {
  const [at, text] = rest as unknown as [number, string];
  const number = /(?:\d{1,2} )?[\d./]+$/.exec(text.slice(Math.max(0, at - 12), at))![0];
  return Boolean(noun ?? (article && dimension)) || /^(?:1|\d{1,2}\/\d{1,2})$/.test(number);
}
