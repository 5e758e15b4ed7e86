/** Result of a search whose end depends on what follows. */
export const MORE = 'more';

/** Number of characters within which a mark must be closed. Otherwise, it is a character like any other. */
export const REACH = 1000;

/** An element, a mark, a formula or an address at the beginning of a text. */
export interface Part {
  /** Number of its characters. */
  readonly length: number;
  /** Text that is spoken for it; undefined if it is spoken as it is. */
  readonly spoken?: string | undefined;
  /** Pattern of the end of what is left out from here on. */
  readonly leftOut?: string;
  /** True if words before and after it are not joined. */
  readonly isApart?: boolean;
}

/** Returns the position after the code at `at`, which begins with a run of marks; null if it does not end. */
export function codeEnd(text: string, at: number, isOpenEnded: boolean): number | typeof MORE | null {
  const runs = /`+/g;
  runs.lastIndex = at;
  const { length } = runs.exec(text)![0];
  for (let run = runs.exec(text); run; run = runs.exec(text)) {
    if (run[0].length !== length) continue;
    return runs.lastIndex === text.length && isOpenEnded ? MORE : runs.lastIndex;
  }
  return isOpenEnded ? MORE : null;
}

/** Returns the position of the bracket that closes the one at `begin`; null if there is none. */
export function closingBracket(text: string, begin: number, isOpenEnded: boolean): number | typeof MORE | null {
  let depth = text.includes(']', begin) ? 0 : Infinity;
  for (let at = begin; at < text.length && depth < Infinity; at++) {
    const character = text[at];
    if (character === '\\') at++;
    else if (character === '[') depth++;
    else if (character === ']' && --depth === 0) return at;
    else if (character === '`') {
      const end = codeEnd(text, at, isOpenEnded);
      if (end === MORE) return MORE;
      if (end === null) while (text[at + 1] === '`') at++;
      else at = end - 1;
    }
  }
  return isOpenEnded ? MORE : null;
}

/** Returns the length of a label in brackets, with which `text` begins; null if it is none. */
export function labelEnd(text: string): number | typeof MORE | null {
  for (let at = 1; at < text.length; at++) {
    if (text[at] === '\\') at++;
    else if (text[at] === '[') return null;
    else if (text[at] === ']') return at + 1;
  }
  return MORE;
}

/** Returns the length of an address with an optional title in brackets, with which `text` begins; null if it is none. */
export function linkEnd(text: string): number | typeof MORE | null {
  if (!text.includes(')')) return MORE;
  let at = afterSpace(text, 1);
  const address = text[at] === '<' ? closed(text, at + 1, '>', '<\n') : addressEnd(text, at);
  if (address === MORE || address === null) return address;
  at = afterSpace(text, address);
  const quote = text[at];
  if (quote !== undefined && '"\'('.includes(quote) && at > address) {
    const title = closed(text, at + 1, quote === '(' ? ')' : quote, quote === '(' ? '(' : '');
    if (title === MORE || title === null) return title;
    at = afterSpace(text, title);
  }
  if (at >= text.length) return MORE;
  return text[at] === ')' ? at + 1 : null;
}

function addressEnd(text: string, begin: number): number | typeof MORE | null {
  let depth = 0;
  for (let at = begin; at < text.length; at++) {
    const character = text[at]!;
    if (character === '\\') at++;
    else if (/\s/.test(character)) return depth === 0 ? at : null;
    else if (character === '<') return null;
    else if (character === '(') depth++;
    else if (character === ')' && depth-- === 0) return at;
  }
  return MORE;
}

/** Returns the position after the character `end`; null if one of `without` comes before. */
function closed(text: string, begin: number, end: string, without: string): number | typeof MORE | null {
  for (let at = begin; at < text.length; at++) {
    if (text[at] === '\\') at++;
    else if (text[at] === end) return at + 1;
    else if (without.includes(text[at]!)) return null;
  }
  return MORE;
}

function afterSpace(text: string, begin: number): number {
  let at = begin;
  while (/^\s/.test(text.slice(at, at + 1))) at++;
  return at;
}
