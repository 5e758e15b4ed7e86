import { textAt } from './signature.js';

/** Number of bytes that are examined. */
const HEAD_BYTES = 512;
const QUOTE_CHARACTERS = 100;
/** A text of more than `TONE_CHARACTERS` has at least `DISTINCT_CHARACTERS` different ones. */
const TONE_CHARACTERS = 64;
const DISTINCT_CHARACTERS = 8;
/** Silence in base64 or hexadecimal, which has few different characters: samples of 0 or -1. */
const SILENCE = /^["\w+/=-]*([A0/f])\1{15}["\w+/=-]*$/i;
/** Control characters, which no text has. */
const CONTROL = /[^\t-\r -\xff]|\x7f/;
/** A character of UTF-8 whose end has not arrived. */
const INCOMPLETE = /(?:[\xc2-\xf4]|[\xe0-\xf4][\x80-\xbf]|[\xf0-\xf4][\x80-\xbf]{2})$/;

/** Kinds of text, each with the way it begins. */
const KINDS: readonly (readonly [RegExp, string])[] = [
  [/^[{[]/, 'JSON'],
  [/^<(?:!doctype html|html|head|body)/i, 'HTML'],
  [/^</, 'XML'],
  [/^"?(?:UklGR|SUQz|T2dnUw|GkXf|ZkxhQ|AAAA.GZ0eX|\/\/[\w+/]{60}|data:audio)/, 'audio in base64'],
  // In base64, silence is the letter A.
  [/^"?(?!A[A\s]*"?$)(?:0x)?(?:[\da-f]\s*){64,}"?$/i, 'hexadecimal text'],
  [/^"?[\w+/-]{60}/, 'base64'],
  [/^(?:event|data|id|retry)?:/, 'a stream of events (text/event-stream)'],
  [/^#EXTM3U/, 'a playlist (HLS)'],
];

/** The beginning of a text whose characters are not those of UTF-8. */
const MARKUP = /^\s*(?:[{[]\s*["{[]|<[!?a-z])/i;
/** Audio within a text, in base64 or hexadecimal, or base64 in lines. */
const ENCODED = /[\w+/]{100}|^"?[\w+/]{60,}\r?\n/;
const REMEDY = '. Take the audio out of it, decode it, and give the bytes to speakAudio()';

/** Parts of a text that may be addresses, keys or queries. */
const SECRETS: readonly RegExp[] = [
  /\b[a-z][\w+.-]*:\/\/[^\s"'<>]+/gi,
  /[^\s"'<>]*[?@][^\s"'<>]*[=.][^\s"'<>]*/g,
  /\b(?:\d{1,3}\.){3}\d{1,3}\b/g,
  /\b(?:www\.|sk[-_]|pk[-_])[^\s"'<>]+/gi,
  /(?<=(?:key|token|secret|password|bearer|authorization|signature)["']?\s*[:= ]\s*["']?)[^\s"'<>,;]{6,}/gi,
  /[\w+/=*-]{24,}/g,
  /\b(?=[\w-]*\d)(?=[\w-]*[a-z])[\w-]{12,}/gi,
];

/**
 * Describes a body that is text.
 *
 * @returns Its kind and its beginning, without addresses, keys and queries. Null if it is no text, undefined if more bytes
 *   are needed.
 */
export function describeText(bytes: Uint8Array, isEnd: boolean): string | null | undefined {
  const head = textAt(bytes, 0, HEAD_BYTES);
  if (CONTROL.test(head)) return null;
  const escaped = head
    .replace(INCOMPLETE, '')
    .replaceAll(/[^ -$&-~]/g, (byte) => `%${byte.charCodeAt(0).toString(16).padStart(2, '0')}`);
  let text: string;
  try {
    text = decodeURIComponent(escaped).trim();
  } catch {
    if (!MARKUP.test(head)) return null;
    text = head.replaceAll(/[^ -~\s]+/g, '…').trim();
  }
  if (bytes.length < HEAD_BYTES && !isEnd) return undefined;
  // A tone may have the bytes of a text, but repeats them.
  const isTone = text.length > TONE_CHARACTERS && new Set(text).size < DISTINCT_CHARACTERS;
  if (isTone && !SILENCE.test(text.replaceAll(/\s+/g, ''))) return null;
  const kind = KINDS.find(([start]) => start.test(text))?.[1] ?? 'text';
  const clean = SECRETS.reduce((rest, secret) => rest.replaceAll(secret, '…'), text.replaceAll(/\s+/g, ' '));
  const quote = clean.slice(0, QUOTE_CHARACTERS);
  return `${kind}, which begins with “${quote}”${ENCODED.test(text) ? REMEDY : ''}`;
}
