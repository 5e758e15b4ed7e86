import type { SpokenToken } from './flite-words.js';
import { mapTimes } from './map-times.js';
import type { MappedText } from './mapped-text.js';
import type { TimedWord } from './speech-engine.js';

/** Finds the words of a text to which spoken tokens belong. */
export class WordFinder {
  readonly #plain: MappedText;
  /** Position in the plain text after the last token. */
  #at = 0;
  /** End in the source of the last word. */
  #to = 0;

  /** @param plain - The text that is spoken, made from the client's. */
  constructor(plain: MappedText) {
    this.#plain = plain;
  }

  /**
   * Returns the words of the source from which the next tokens were made. Tokens that were made from the same word, as
   * "twenty-five" from "25", are one word; those that were made from nothing, as the "and" of an amount, belong to the
   * word before them.
   *
   * @param begin - Added to the times of the tokens, in seconds.
   */
  find(tokens: readonly SpokenToken[], begin: number): TimedWord[] {
    const words: TimedWord[] = [];
    for (const found of tokens) {
      const { token, start, end, phones } = mapTimes(found, (at) => begin + at);
      const at = this.#plain.text.indexOf(token, this.#at);
      if (at >= 0) this.#at = at + token.length;
      const { from, to } = at < 0 ? { from: this.#to, to: this.#to } : this.#plain.sourceOf(at, this.#at);
      const last = words.at(-1);
      if (to > Math.max(from, this.#to)) {
        words.push({ from: Math.max(from, this.#to), to, start, end, phones });
        this.#to = to;
      } else if (last) words[words.length - 1] = { ...last, end, phones: [...last.phones, ...phones] };
    }
    return words;
  }
}
