import type { SpokenWord, Utterance } from '../playback/index.js';

/** The members of a speaker that its caption shows. */
export interface CaptionedSpeaker {
  readonly currentTime: number;
  readonly currentWord: SpokenWord | null;
}

/** The caption of the controls. Main thread. */
export class Caption {
  /** Text of the latest utterance. */
  words = '';
  readonly #speaker: CaptionedSpeaker;
  readonly #root: ShadowRoot;
  /** The word that is marked. */
  #marked: Range | null = null;
  /** The text and the end of the word to which the caption is scrolled. */
  #scrolled = '';

  constructor(speaker: CaptionedSpeaker, root: ShadowRoot) {
    this.#speaker = speaker;
    this.#root = root;
  }

  /** True if the page replaces the words. */
  get isReplaced(): boolean {
    return (this.#slot?.assignedNodes().length ?? 0) > 0;
  }

  /**
   * Scrolls a long caption line by line as it is spoken, and marks the word that is heard. Measures the caption, which makes
   * the browser lay the page out, only if its text or the word has changed.
   *
   * @param utterance - That which is playing or is next.
   */
  update(utterance: Utterance | undefined): void {
    const caption = this.#root.querySelector<HTMLElement>('[part=caption]')!;
    const { currentTime, currentWord } = this.#speaker;
    this.#mark(currentWord?.isEstimated ? null : currentWord);
    const end = utterance?.words.findLast(({ startTime }) => startTime <= currentTime)?.to ?? 0;
    const replacement = this.#slot!.assignedNodes().map((node) => node.textContent);
    const shown = [end, caption.hidden, caption.textContent, ...replacement].join();
    if (shown === this.#scrolled) return;
    this.#scrolled = shown;
    const position = end / (this.words.length || 1);
    const { scrollHeight, clientHeight } = caption;
    const { lineHeight, fontSize } = getComputedStyle(caption);
    // `line-height: normal` is computed as `normal`. 1.2 is its usual value.
    const line = Number.parseFloat(lineHeight) || 1.2 * Number.parseFloat(fontSize);
    // The words being spoken are on the upper line, which does not fade. Scroll late rather than early.
    const past = Math.floor((position * scrollHeight) / line - 0.5) * line;
    const top = Math.max(0, Math.min(past, scrollHeight - clientHeight));
    caption.scrollTop = top;
    caption.classList.toggle('more', scrollHeight - clientHeight - top >= line / 2);
  }

  #mark(word: SpokenWord | null): void {
    const shown = [...this.#slot!.childNodes].find((node) => node.textContent === this.words);
    const { startContainer, startOffset, endOffset } = this.#marked ?? {};
    if (word && startContainer === shown && startOffset === word.from && endOffset === word.to) return;
    this.unmark();
    if (!word || !shown) return;
    this.#marked = new Range();
    this.#marked.setStart(shown, word.from);
    this.#marked.setEnd(shown, word.to);
    heardWords()?.add(this.#marked);
  }

  /** Marks no word. */
  unmark(): void {
    if (this.#marked) heardWords()?.delete(this.#marked);
    this.#marked = null;
  }

  get #slot(): HTMLSlotElement | null {
    return this.#root.querySelector<HTMLSlotElement>('slot[name=caption]');
  }
}

/** Returns the words that are marked in all captions of the page, or undefined if the browser cannot mark them. */
function heardWords(): Highlight | undefined {
  if (!('highlights' in CSS)) return undefined;
  if (!CSS.highlights.has('svc-word')) CSS.highlights.set('svc-word', new Highlight());
  return CSS.highlights.get('svc-word');
}
