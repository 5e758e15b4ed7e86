import { SIGN, UNSPACED_LETTER } from '../base/word-finder.js';

/** Begin and end, in seconds. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** A word or character that a service reports, and when it is spoken. */
export interface SpokenSpan extends Span {
  readonly text: string;
}

/** A script whose letters have no such signs. */
const HAN = /^\p{sc=Han}/u;

/**
 * Joins the characters whose times a service reports into words. In a script without spaces, each letter is one, with its
 * signs. Any thread.
 */
export class JoinedWords {
  /** The word whose characters are arriving. */
  #text = '';
  #start = 0;
  #end = 0;

  /** Adds a character, or several that a service reports as one. Returns the words that end with it, or before it. */
  add({ text, ...span }: SpokenSpan): SpokenSpan[] {
    return (text.match(/\s+|\S+/g) ?? []).flatMap((part) => this.#add(part, span));
  }

  #add(text: string, { start, end }: Span): SpokenSpan[] {
    if (text.trim() === '') return this.rest();
    const isUnspaced = UNSPACED_LETTER.test(text);
    const isNew = !SIGN.test(text) && (isUnspaced || UNSPACED_LETTER.test(this.#text));
    const words = isNew ? this.rest() : [];
    if (this.#text === '') this.#start = start;
    this.#text += text;
    this.#end = end;
    return HAN.test(text) ? [...words, ...this.rest()] : words;
  }

  /** Returns the word whose characters have arrived so far, if there is one, and begins another. */
  rest(): SpokenSpan[] {
    const text = this.#text;
    this.#text = '';
    return text === '' ? [] : [{ text, start: this.#start, end: this.#end }];
  }
}
