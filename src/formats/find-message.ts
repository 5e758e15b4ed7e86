import { textAt } from './signature.js';

/** Number of bytes of text that decide. */
const MESSAGE_BYTES = 1024;
/** A text of fewer different characters is a tone. */
const DISTINCT_CHARACTERS = 8;
/** Beginning of JSON, HTML, XML or a boundary of multipart, as far as its bytes have arrived. */
const BEGINNING = /^(?:\{\s*(?:"|$)|\[\s*(?:["{[]|$)|<(?:[!?a-z]|$)|-(?:-\w|-?$))/i;
const BEGINNING_BYTES = 12;
/** Characters, also those of several bytes in UTF-8, and no control characters. */
const TEXT = /^(?:[\t-\r -~]|[\xc2-\xf4][\x80-\xbf]+)*/;
/** The rest of a text that ends with a part of a character, or at the end of the bytes. */
const INCOMPLETE = /^[\xc2-\xf4]?$/;
/** End of a message. */
const END = /[}\]>-]\s*$/;

/**
 * Finds the message that a server which has failed sends behind samples: a text up to the end of the stream, or of
 * 1024 bytes. Bytes that may become one must wait. Samples have no text of more than a few bytes.
 *
 * @returns `at` is the position of the message, or of bytes at the end that may become one; the length if there is none.
 */
export function findMessage(bytes: Uint8Array, isEnd: boolean): { at: number; isFound: boolean } {
  for (let at = 0; at < bytes.length; at++) {
    if (!isFirst(bytes[at]!) || !BEGINNING.test(textAt(bytes, at, BEGINNING_BYTES))) continue;
    const head = textAt(bytes, at, MESSAGE_BYTES);
    const [text] = TEXT.exec(head)!;
    const isText = INCOMPLETE.test(head.slice(text.length));
    const isWhole = head.length === MESSAGE_BYTES;
    if (isText && !isWhole && !isEnd) return { at, isFound: false };
    const isFound = isText && (isWhole || END.test(text)) && new Set(text).size >= DISTINCT_CHARACTERS;
    if (isFound) return { at, isFound };
    at += text.length - 1;
  }
  return { at: bytes.length, isFound: false };
}

/** Returns true for the characters with which messages begin: `{`, `[`, `<` and `-`. Every byte is tested. */
function isFirst(byte: number): boolean {
  return byte === 0x7b || byte === 0x5b || byte === 0x3c || byte === 0x2d;
}
