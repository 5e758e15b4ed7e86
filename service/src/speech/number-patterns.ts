/** A number, optionally with commas between thousands and a fraction. Its length is limited, so search is linear. */
export const NUMBER = String.raw`\d{1,3}(?:,\d{3}){1,6}(?:\.\d{1,30})?(?!\d)|\d{1,30}(?:\.\d{1,30})?`;

/** Characters that must not precede a number: it would be part of a word or of a longer number. */
export const START = String.raw`(?<![\p{L}\p{N}_]|\p{N}[.,:/])`;

/** Characters that must not follow a number. */
export const END = String.raw`(?![\p{L}\p{N}_]|[.,:/]\p{N})`;

/** A dash of a range, with the spaces around it. */
export const DASH = String.raw`\s?[-\u2010-\u2013]\s?`;

/** Words after an amount that are no noun which it describes. */
export const NO_NOUN = 'of|and|or|to|from|for|in|on|at|per|an?|is|was|by|with|if|as|than|more|less';

export function rule(pattern: string, flags = 'gu'): RegExp {
  return new RegExp(pattern, flags);
}
