import { cutBefore } from './long-text.js';
import { endingOf, findEnd, LOOKAHEAD } from './sentence-end.js';
import { ENGLISH, type SentenceRules } from './sentence-rules.js';
import { isSpeakable } from '../speakable/spoken-text.js';
import { lineBefore } from '../speakable/wrapped-line.js';

/** Longest sentence, in characters. A longer one is cut at a pause or between words, so that speech starts earlier. */
const LONGEST = 400;

/**
 * Cuts a text that arrives in pieces into sentences. Joined, the sentences are exactly the text. They do not depend on
 * the pieces.
 *
 * The end of a sentence is known only when the next one begins, so the last sentence is held back until then.
 *
 * Any thread.
 */
export class SentenceCutter {
  readonly #rules: SentenceRules;
  readonly #language: string | undefined;
  #pending = '';
  /** The beginning of its first line, if that is not in it any more; at most `LOOKAHEAD` characters. */
  #line = '';
  /** Position in the pending text before which there is no end. */
  #searched = 0;
  /** The newest piece with more than space. */
  #newest = '';

  /** @param language - A BCP 47 tag, for words of scripts without spaces; by default, that of the browser. */
  constructor(rules: SentenceRules = ENGLISH, language?: string) {
    this.#rules = rules;
    this.#language = language;
  }

  /** Adds a piece of text, and returns the sentences that are complete now. */
  push(text: string): string[] {
    if (/\S/.test(text)) this.#newest = text;
    this.#pending += text;
    const complete: string[] = [];
    for (let sentence = this.#next(); sentence !== null; sentence = this.#next()) complete.push(sentence);
    return complete;
  }

  /**
   * How far the text that is held back looks like a whole sentence. It is `doubtful` if it ends in a number or an
   * abbreviation, and the full stop came alone: a model often gives "3", "." and "5" one after the other.
   *
   * @param more - Text that will follow if nothing else does.
   */
  ending(more = ''): 'whole' | 'doubtful' | 'open' {
    const ending = endingOf(this.#pending + more, this.#rules);
    return ending === 'doubtful' && /[\p{L}\p{N}]/u.test(this.#newest + more) ? 'whole' : ending;
  }

  /** Returns the text that is held back; null if there is nothing to speak in it. */
  rest(): string | null {
    const rest = this.#take(this.#pending.length);
    return isSpeakable(rest) ? rest : null;
  }

  #next(): string | null {
    const pending = this.#pending;
    // The second half of the last character may not be there yet.
    const known = /[\uD800-\uDBFF]/.test(pending.slice(-1)) ? pending.slice(0, -1) : pending;
    const { end, from } = findEnd(known, this.#searched, this.#rules, this.#line);
    this.#searched = from;
    if (end !== null && end <= LONGEST) return this.#take(end);
    // Whether a sentence ends before the limit is known by then, however much text there is.
    if (end === null && pending.length <= LONGEST + 2 * LOOKAHEAD) return null;
    return this.#take(cutBefore(pending.slice(0, end ?? undefined), LONGEST, this.#language));
  }

  #take(count: number): string {
    const taken = this.#pending.slice(0, count);
    this.#pending = this.#pending.slice(count);
    this.#line = lineBefore(this.#line + taken, this.#line.length + count).slice(-LOOKAHEAD);
    this.#searched = 0;
    return taken;
  }
}
