import { isMessage, SIGNATURE_BYTES, textAt } from './signature.js';

/** Number of bytes of text that decide. */
const MESSAGE_BYTES = 1024;
/** JSON, HTML, XML or a part of multipart; `isMessage` is content with less, which the end of a sound has now and then. */
const BEGINNING = /^(?=[^]{10})(?:\{\s*"[^"]*"\s*:|\[\s*\{\s*"|<(?:!d|!-|\?x|[a-z][\w:-]+[\s/>])|--\S+\r\n)/i;
const END = /[}\]>-]\s*$/;
/** Never in UTF-8: a byte of 128 to 191 behind ASCII. Quiet samples of 8 bits are near 128. */
const NOT_UTF8 = /[^\x80-\xff][\x80-\xbf]/;

/**
 * Finds the message that a server which has failed sends behind samples: a text up to the end of the stream, or of
 * 1024 bytes. Bytes that may become one must wait. Samples seldom have a text of more than a few bytes.
 *
 * @returns `at` is the position of the message, or of bytes at the end that may become one; the length if there is none.
 */
export function findMessage(bytes: Uint8Array, isEnd: boolean): { at: number; isFound: boolean } {
  for (let at = 0; at < bytes.length; at++) {
    if (!mayBegin(bytes[at]!)) continue;
    let end = at + 1;
    while (end - at < MESSAGE_BYTES && isText(bytes[end]!)) end++;
    const isLong = end - at === MESSAGE_BYTES;
    const isOver = isLong || isEnd;
    if (end < bytes.length && !isLong) continue;
    if ((isOver || end - at >= SIGNATURE_BYTES) && !isMessage(bytes.subarray(at, end))) continue;
    if (!isOver) return { at, isFound: false };
    const text = textAt(bytes, at, end - at);
    if ((isLong || END.test(text)) && BEGINNING.test(text) && !NOT_UTF8.test(text)) return { at, isFound: true };
  }
  return { at: bytes.length, isFound: false };
}

/** Returns true for the characters with which messages begin: `{`, `[`, `<` and `-`. Every byte is tested. */
function mayBegin(byte: number): boolean {
  return byte === 0x7b || byte === 0x5b || byte === 0x3c || byte === 0x2d;
}

/** Returns true for bytes of UTF-8, except control characters; false for undefined. */
function isText(byte: number): boolean {
  return (byte > 31 && byte < 245 && byte !== 127) || (byte > 8 && byte < 14);
}
