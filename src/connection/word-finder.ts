import type { WordTiming } from '../protocol/message.js';

/** Number of characters in which the next word is looked for. */
const WINDOW = 300;
/** Letters of scripts that put no space between words: each counts as a word. */
const UNSPACED = /^[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Thai}]/u;
const LETTER = /[\p{L}\p{N}]/u;

/** Begin and end, in seconds. */
interface Span {
  readonly start: number;
  readonly end: number;
}

/**
 * Finds the places of a service's words in the text that was sent. Works forward only, in a window of fixed size, so that
 * its time is linear. Never throws; one thread.
 */
export class WordFinder {
  #text = '';
  /** Offset behind the last word that was found. */
  #at = 0;
  /** The word whose characters are arriving. */
  #word = '';
  #start = 0;
  #end = 0;

  /** Adds a piece to the text. */
  add(text: string): void {
    this.#text += text;
  }

  /**
   * Finds a word.
   *
   * @returns Its place. If the text does not contain the word, both offsets are -1, and the caller counts it.
   */
  find(word: string, span: Span): WordTiming {
    const text = this.#text.slice(this.#at, this.#at + WINDOW + word.length);
    const isWhole = (from: number): boolean =>
      !LETTER.test(text.charAt(from - 1)) && !LETTER.test(text.charAt(from + word.length));
    // A part of a word counts only where the next word begins. Elsewhere, it would skip text.
    const begin = text.search(LETTER);
    let found = word === '' ? -1 : text.indexOf(word);
    while (found > begin && !isWhole(found)) found = text.indexOf(word, found + 1);
    if (found < 0) return { from: -1, to: -1, ...span };
    const from = this.#at + found;
    this.#at = from + word.length;
    return { from, to: this.#at, ...span };
  }

  /** Adds a character. Returns the words that end with it, or before it. */
  join(character: string, span: Span): WordTiming[] {
    const isAlone = UNSPACED.test(character);
    const before = isAlone || character.trim() === '' ? this.rest() : [];
    if (isAlone) return [...before, this.find(character, span)];
    if (character.trim() !== '') {
      if (this.#word === '') this.#start = span.start;
      this.#word += character;
      this.#end = span.end;
    }
    return before;
  }

  /** Returns the word whose characters have arrived so far, if there is one, and begins another. */
  rest(): WordTiming[] {
    const word = this.#word;
    this.#word = '';
    return word === '' ? [] : [this.find(word, { start: this.#start, end: this.#end })];
  }
}
