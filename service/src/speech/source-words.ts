import { WordFinder } from '../../../src/base/word-finder.js';
import type { SpokenToken } from './flite-words.js';
import { mapTimes } from './map-times.js';
import type { MappedText } from './mapped-text.js';
import type { TimedWord } from './speech-engine.js';

/** Finds the words of a client's text to which spoken tokens belong. */
export class SourceWords {
  readonly #plain: MappedText;
  readonly #finder = new WordFinder();
  /** End in the source of the last word. */
  #to = 0;

  /** @param plain - The text that is spoken, made from the client's. */
  constructor(plain: MappedText) {
    this.#plain = plain;
    this.#finder.add(plain.text);
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
    const places = this.#finder.find(tokens.map(({ token }) => token));
    for (const [index, found] of tokens.entries()) {
      const { start, end, phones } = mapTimes(found, (at) => begin + at);
      const place = places[index];
      const { from, to } = place ? this.#plain.sourceOf(place.from, place.to) : { from: 0, to: 0 };
      const last = words.at(-1);
      if (to > Math.max(from, this.#to)) {
        words.push({ from: Math.max(from, this.#to), to, start, end, phones });
        this.#to = to;
      } else if (last) words[words.length - 1] = { ...last, end, phones: [...last.phones, ...phones] };
    }
    return words;
  }
}
