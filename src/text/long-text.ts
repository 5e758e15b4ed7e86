import { segmentWords } from '../speakable/segment-words.js';
import { LOOKAHEAD } from './sentence-end.js';

/** A pause within a sentence, with the space after it. Commas and colons in numbers are none. */
const PAUSE = /^.*(?:[,;:–—]["'”’»)\]]*\s+|(?:[、；]|[，：](?!\p{N}))["'”’»)\]」』】）]*)/su;

/** Characters that belong to the one before them. */
const JOINED = /^[\p{M}\u200C\u200D\p{Emoji_Modifier}\uDC00-\uDFFF]/u;

/**
 * Returns the last position, at most `limit`, at which a text can be cut: after a pause, or else between words, or else
 * between characters.
 *
 * @param text - Has more than `limit` characters.
 * @param language - A BCP 47 tag, for scripts without spaces; undefined for that of the browser.
 */
export function cutBefore(text: string, limit: number, language: string | undefined): number {
  const head = text.slice(0, limit);
  const spaced = PAUSE.exec(head) ?? /^.*\s/su.exec(head);
  if (spaced) return spaced[0].length;
  return lastBoundary(text.slice(0, limit + LOOKAHEAD), limit, language) || lastCharacter(text, limit);
}

/** Returns the last position between words, at most `limit`, in a script without spaces; 0 if there is none. */
function lastBoundary(text: string, limit: number, language: string | undefined): number {
  let last = 0;
  for (const { index, segment, isWordLike } of segmentWords(text, language)) {
    if (index > limit) break;
    // A mark belongs to the word before it.
    if (isWordLike || /^[\p{L}\p{So}]/u.test(segment)) last = index;
  }
  return last;
}

function lastCharacter(text: string, limit: number): number {
  let at = limit;
  while (at > 1 && (JOINED.test(text.slice(at, at + 2)) || text[at - 1] === '\u200D')) at--;
  return at;
}
