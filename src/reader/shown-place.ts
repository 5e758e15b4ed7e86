import { TextFollower } from './follow-text.js';
import { Highlights } from './highlights.js';
import { rangeOf } from './page-text.js';
import type { Block } from './readable-text.js';
import type { Sentences } from './sentences.js';

/** Part of what is heard that is highlighted: the word and its sentence, only the sentence, or nothing. */
export type HighlightMode = 'word' | 'sentence' | 'none';

/** Shows in the page what is heard: highlights a word and its sentence, and scrolls to them. Main thread. */
export class ShownPlace {
  readonly #mode: HighlightMode;
  readonly #sentences: Sentences;
  readonly #highlights: Highlights;
  readonly #follower: TextFollower;
  /** Number of the last change. Sentences may be found only after the next one. */
  #change = 0;

  /** @param view - The window whose text is read. */
  constructor(view: Window & typeof globalThis, mode: HighlightMode, sentences: Sentences) {
    this.#mode = mode;
    this.#sentences = sentences;
    this.#highlights = new Highlights(view);
    this.#follower = new TextFollower(view);
  }

  /** Shows a word of a block, given by its offsets, and its sentence. If its time is estimated, only the sentence. */
  showWord(block: Block, from: number, to: number, isEstimated: boolean): void {
    const range = rangeOf(block, from, to);
    if (this.#mode === 'word' && !isEstimated) this.#highlights.show('svc-word', range);
    void this.#showSentence(block, from);
    if (range && this.#mode !== 'none') this.#follower.follow(range);
  }

  /** Highlights the sentence of a block that is at an offset, and no word until the first one is heard. */
  begin(block: Block, offset: number): void {
    this.#highlights.show('svc-word', null);
    void this.#showSentence(block, offset);
  }

  /** Shows the sentence to which the user goes, and scrolls to it even if the user has just scrolled. */
  goTo(block: Block, offset: number): void {
    this.begin(block, offset);
    const range = rangeOf(block, offset, offset + 1);
    this.#follower.resume();
    if (range && this.#mode !== 'none') this.#follower.follow(range);
  }

  async #showSentence(block: Block, offset: number): Promise<void> {
    const change = ++this.#change;
    if (this.#mode === 'none') return;
    const found = this.#sentences.of(block);
    // Several words may begin in one task, each with its sentence.
    const sentences = found instanceof Promise ? await found : found;
    if (this.#change !== change) return;
    const sentence = sentences.findLast(({ from }) => from <= offset) ?? sentences[0]!;
    this.#highlights.show('svc-sentence', rangeOf(block, sentence.from, sentence.to));
  }

  close(): void {
    this.#change++;
    this.#highlights.clear();
    this.#follower.close();
  }
}
