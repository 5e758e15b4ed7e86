import { UNSPACED } from './segment-words.js';

/** Pattern of the scripts in which words follow an address or a sign without a space. */
export const ATTACHED = `(?:${UNSPACED.source}|\\p{Script=Hangul})`;
/** Pattern of the beginning of an address. */
export const ADDRESS_BEGIN = '(?:[hH][tT]|[fF])[tT][pP][sS]?://|[wW]{3}\\.';
/**
 * An address. Punctuation other than that of ASCII ends it, and so do words of scripts without spaces, unless its path
 * or a part of its query begins with one.
 */
export const ADDRESS = new RegExp(
  `^(?:${ADDRESS_BEGIN})(?:[^\\s<>[\\]\`|\\P{ASCII}]|(?!${ATTACHED})[\\p{L}\\p{M}\\p{N}]|(?<=[/?&=#]|${ATTACHED})${ATTACHED})*`,
  'u',
);

/** Ends of an address that belong to the sentence. */
const AFTER_ADDRESS = /(?:[?!.,:;*_~'")]|&\w+;)+$/;

/** Returns the length of the address at the beginning of `text`, whose last marks may belong to the sentence. */
export function addressLength(text: string): number {
  let address = text.replace(AFTER_ADDRESS, '');
  // A bracket belongs to the address that opens it.
  while (text[address.length] === ')' && count(address, '(') > count(address, ')')) address += ')';
  return address.length;
}

/**
 * Returns the host of an address, with or without a scheme; without one, and a host, the address itself. For `mailto:` and
 * `tel:`, the e-mail address or the number.
 */
export function hostOf(address: string): string {
  return (
    /^(?:(?:mailto|tel):([^?]+)|(?:[a-z][\w+.-]*:\/\/)?(?:[^\s/?#@]*@)?([^\s/?#:]+))/i
      .exec(address)
      ?.slice(1)
      .find(Boolean) ?? address
  );
}

function count(text: string, character: string): number {
  return text.split(character).length - 1;
}
