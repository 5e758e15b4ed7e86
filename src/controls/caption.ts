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

  constructor(speaker: CaptionedSpeaker, root: ShadowRoot) {
    this.#speaker = speaker;
    this.#root = root;
  }

  /** True if the page replaces the words. */
  get isReplaced(): boolean {
    return (this.#slot?.assignedNodes().length ?? 0) > 0;
  }

  /**
   * Scrolls a long caption line by line as it is spoken, and marks the word that is heard.
   *
   * @param utterance - That which is playing or is next.
   */
  update(utterance: Utterance | undefined): void {
    const caption = this.#root.querySelector<HTMLElement>('[part=caption]')!;
    const { currentTime, currentWord } = this.#speaker;
    this.#mark(currentWord?.isEstimated ? null : currentWord);
    const word = utterance?.words.findLast(({ startTime }) => startTime <= currentTime);
    const position = word ? word.to / this.words.length : 0;
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
    this.unmark();
    const highlight = heardWords();
    const shown = [...this.#slot!.childNodes].find((node) => node.textContent === this.words);
    if (!word || !shown || !highlight) return;
    this.#marked = new Range();
    this.#marked.setStart(shown, word.from);
    this.#marked.setEnd(shown, word.to);
    highlight.add(this.#marked);
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
  const highlight = CSS.highlights.get('svc-word') ?? new Highlight();
  CSS.highlights.set('svc-word', highlight);
  return highlight;
}
