import type { SvcSpeakerElement } from '../index.js';
import type { Bar } from './bar.js';
import { documentOf, isElement, isShadowRoot } from './node-kinds.js';
import type { ReadingPosition } from './page-text.js';
import { Reading, type ReadOptions } from './reading.js';
import { selectedRange } from './selected-range.js';

/** On a server, there is no HTMLElement, but the class can still be imported. */
const Base = globalThis.HTMLElement ?? (Object as unknown as typeof HTMLElement);

/** Elements in the text that do something else when they are clicked. */
const INTERACTIVE = 'a[href], button, input, select, textarea, label, summary, video, audio, [contenteditable]';

/** Events of a speaker after which the bar may look different. */
const CHANGES = ['statechange', 'word', 'ratechange', 'utteranceend', 'emptied'] as const;

/**
 * A bar that reads a part of the page aloud: play, previous and next sentence, speed, and the time that is left. A click on
 * a word of the text goes there while it is read.
 *
 * It starts only when the user wants it to, so that it never speaks over a screen reader.
 *
 * @tag svc-reader
 * @attr {string} for - `id` of the element to read, or a selector: `article`.
 * @attr {string} speaker - `id` of the speaker; by default, the first `<svc-speaker>` of the page.
 * @attr {'word' | 'sentence' | 'none'} [highlight=word] - Highlights in the text.
 * @attr {boolean} remember - Keep the place in `localStorage`, by the page's address, and continue there at the next visit.
 *
 * @slot play-label - Label of the button when it plays.
 * @slot pause-label - Label of the button when it pauses.
 * @slot retry-label - Label of the button after an error.
 * @slot previous-label - Label of the button for the previous sentence.
 * @slot next-label - Label of the button for the next sentence.
 * @slot speed-label - Label of the speed menu.
 *
 * @csspart bar - All of it.
 * @csspart toggle - The play/pause button.
 * @csspart previous - The button for the previous sentence.
 * @csspart next - The button for the next sentence.
 * @csspart status - The state, or the error.
 * @csspart time - The time that is left.
 * @csspart speed - The speed menu, a `<select>`.
 * @cssprop --svc-speaker-accent - Colour of the play button. Shared with the speaker's controls, like the following ones.
 * @cssprop --svc-speaker-on-accent - Colour of its icon.
 * @cssprop --svc-speaker-surface - Background.
 * @cssprop --svc-speaker-text - Colour of the text.
 * @cssprop --svc-speaker-muted - Colour of status and time.
 * @cssprop --svc-speaker-track - Colour of a button that does nothing.
 * @cssprop --svc-speaker-error - Colour of an error.
 * @cssprop --svc-speaker-radius - Radius of the corners.
 * @cssprop --svc-speaker-font - Font family.
 */
export class SvcReaderElement extends Base {
  static get observedAttributes(): string[] {
    return ['for', 'speaker', 'highlight'];
  }

  readonly #root = this.attachShadow({ mode: 'open' });
  #bar: Bar | undefined;
  /** True until the bar shows the current state. */
  #isDrawing = false;
  #reading: Reading | null = null;
  #voices: Readonly<Record<string, string>> | undefined;
  /** The place after a stop or a failure, to which `play()` returns. */
  #place: ReadingPosition | null = null;
  /** The speaker and the text to which it listens. */
  #followed: readonly (Element | null)[] = [];
  /** Ends the listeners on the speaker, and those on the text. */
  #following = new AbortController();

  /** `id` of the element to read, or a selector. */
  get htmlFor(): string {
    return this.getAttribute('for') ?? '';
  }

  set htmlFor(value: string) {
    this.setAttribute('for', value);
  }

  /**
   * The speaker that reads; null if there is none. Set it to the `id` of one, as frameworks do for an attribute; null for
   * the first of the page.
   */
  get speaker(): SvcSpeakerElement | null {
    const id = this.getAttribute('speaker');
    const { ownerDocument } = this;
    return id === null ? ownerDocument.querySelector('svc-speaker') : (this.#find(id) as SvcSpeakerElement | null);
  }

  set speaker(id: string | null | undefined) {
    if (id === null || id === undefined) this.removeAttribute('speaker');
    else this.setAttribute('speaker', id);
  }

  /** The element that is read; null if there is none. */
  get target(): Element | null {
    return this.htmlFor === '' ? null : this.#find(this.htmlFor);
  }

  /** Highlights in the text: the word and its sentence, only the sentence, or none. */
  get highlight(): NonNullable<ReadOptions['highlight']> {
    const value = this.getAttribute('highlight');
    return value === 'sentence' || value === 'none' ? value : 'word';
  }

  set highlight(value: NonNullable<ReadOptions['highlight']>) {
    this.setAttribute('highlight', value);
  }

  /** Keep the place for the next visit. */
  get remember(): boolean {
    return this.hasAttribute('remember');
  }

  set remember(value: boolean) {
    this.toggleAttribute('remember', value);
  }

  /** Voices by language, as in `read()`. Takes effect with the next reading. */
  get voices(): Readonly<Record<string, string>> | undefined {
    return this.#voices;
  }

  set voices(voices: Readonly<Record<string, string>> | undefined) {
    this.#voices = voices;
  }

  /** The reading that goes on or is paused; null if there is none. */
  get reading(): Reading | null {
    return this.#reading;
  }

  /**
   * Begins to read, or continues. Call it in a click or a key press.
   *
   * @returns A promise that resolves when sound is playing. It rejects as the speaker's `play()`, and with InvalidStateError
   *   if there is no speaker, or nothing to read.
   */
  async play(): Promise<void> {
    const { speaker, target } = this;
    if (!speaker || !('speak' in speaker)) throw missing('a registered <svc-speaker>', 'speaker');
    if (!target) throw missing('an element to read', 'for');
    this.#follow();
    if (!this.#reading) this.#begin(speaker, target);
    // In the same task: Safari allows sound only during the user's gesture.
    return speaker.play();
  }

  /** Pauses. */
  pause(): void {
    this.#reading?.pause();
    this.#keepPlace();
  }

  /** Ends the reading. `play()` continues at its place. */
  stop(): void {
    this.#keepPlace();
    const reading = this.#reading;
    this.#reading = null;
    reading?.stop();
    this.#draw();
  }

  /** Goes to the next sentence. */
  next(): void {
    this.#reading?.next();
  }

  /** Goes to the beginning of the sentence, or to the sentence before. */
  previous(): void {
    this.#reading?.previous();
  }

  connectedCallback(): void {
    // The speaker may be behind this element in the page.
    queueMicrotask(() => this.#follow());
    this.#draw();
  }

  disconnectedCallback(): void {
    queueMicrotask(() => {
      if (this.isConnected) return;
      this.stop();
      this.#following.abort();
      this.#followed = [];
    });
  }

  adoptedCallback(): void {
    this.#bar = undefined; // Its style sheet is of the document before.
    this.#draw();
  }

  attributeChangedCallback(): void {
    this.#follow();
    this.#draw();
  }

  #find(name: string): Element | null {
    const root = this.getRootNode() as Document | ShadowRoot;
    const named = root.querySelector(`#${CSS.escape(name)}`);
    if (named) return named;
    try {
      return this.ownerDocument.querySelector(name);
    } catch {
      return null; // No selector.
    }
  }

  #begin(speaker: SvcSpeakerElement, target: Element): void {
    const from = this.#place ?? this.#stored;
    const { highlight, voices } = this;
    const reading = new Reading(speaker, target, { highlight, ...(voices && { voices }), ...(from && { from }) });
    this.#reading = reading;
    reading.addEventListener('paragraph', () => this.#keepPlace());
    const end = (position: ReadingPosition | null): void => {
      if (this.#reading !== reading) return;
      this.#store(position);
      this.#reading = null;
      this.#draw();
    };
    reading.finished.then(
      () => end(null),
      () => end(reading.position),
    );
  }

  /** Listens to the speaker and to clicks on the text. */
  #follow(): void {
    const { speaker, target } = this;
    const [followed, text] = this.#followed;
    if (!this.isConnected || (speaker === followed && target === text)) return;
    this.#following.abort();
    this.#following = new AbortController();
    this.#followed = [speaker, target];
    const { signal } = this.#following;
    for (const type of CHANGES) speaker?.addEventListener(type, () => this.#draw(), { signal });
    target?.addEventListener('click', (event) => this.#clicked(event as MouseEvent), { signal });
    this.ownerDocument.defaultView?.addEventListener('pagehide', () => this.#keepPlace(), { signal });
  }

  #clicked(event: MouseEvent): void {
    // Within a component, the target is the component.
    const path = event.composedPath() as Node[];
    const isForOther = path.some((node) => isElement(node) && node.matches(INTERACTIVE));
    const selection = this.ownerDocument.getSelection();
    const isText = !isForOther && !(selection && selectedRange(selection));
    if (!this.#reading || event.defaultPrevented || !isText) return;
    const { clientX: x, clientY: y } = event;
    const caret = placeAt(this.ownerDocument, x, y, path.filter(isShadowRoot));
    const place = caret && path[0]!.contains(caret[0]) ? caret : placeIn(path[0]!, x, y);
    if (place) this.#reading.seekTo(...place);
  }

  get #key(): string {
    return `svc-reader ${location.pathname} ${this.htmlFor}`;
  }

  get #stored(): ReadingPosition | null {
    if (!this.remember) return null;
    try {
      const { before, after, offset } = JSON.parse(localStorage.getItem(this.#key)!) as Partial<ReadingPosition>;
      return { before: String(before), after: String(after), offset: Number(offset) || 0 };
    } catch {
      return null; // Nothing was stored, or something else, or the browser keeps nothing.
    }
  }

  #keepPlace(): void {
    if (this.#reading) this.#store(this.#reading.position);
  }

  #store(position: ReadingPosition | null): void {
    this.#place = position;
    if (!this.remember) return;
    try {
      if (position) localStorage.setItem(this.#key, JSON.stringify(position));
      else localStorage.removeItem(this.#key);
    } catch {
      // The browser keeps nothing.
    }
  }

  /** Draws the bar in a microtask, once for all changes up to then. */
  #draw(): void {
    if (!this.isConnected || this.#isDrawing) return;
    this.#isDrawing = true;
    void this.#drawBar();
  }

  async #drawBar(): Promise<void> {
    await Promise.resolve();
    try {
      this.#bar ??= new (await import('./bar.js')).Bar(this, this.#root);
      this.#isDrawing = false;
      this.#bar.draw();
    } catch (error) {
      // Do not try again: the file may be gone, after an update of the site.
      globalThis.reportError?.(error);
    }
  }
}

/** Returns the node and offset of the text at a point of the window, also in `shadowRoots`; null if there is none. */
function placeAt(page: Document, x: number, y: number, shadowRoots: ShadowRoot[]): [Node, number] | null {
  if ('caretPositionFromPoint' in page) {
    const found = page.caretPositionFromPoint(x, y, { shadowRoots });
    return found && [found.offsetNode, found.offset];
  }
  // Safari before version 26.
  const range = (page as Document).caretRangeFromPoint(x, y);
  return range && [range.startContainer, range.startOffset];
}

/**
 * Returns the text node in a part of the page, and the offset of its character at a point of the window.
 *
 * Quirk `webkit-caret-in-shadow`: WebKit finds no position in a shadow root.
 */
function placeIn(part: Node, x: number, y: number): [Node, number] | null {
  const range = documentOf(part).createRange();
  const isThere = (): boolean =>
    [...range.getClientRects()].some(
      ({ left, right, top, bottom }) => left <= x && x <= right && top <= y && y <= bottom,
    );
  const texts = documentOf(part).createTreeWalker(part, NodeFilter.SHOW_TEXT);
  for (let text = texts.nextNode() as Text | null; text; text = texts.nextNode() as Text | null) {
    range.selectNodeContents(text);
    if (!isThere()) continue;
    for (let at = 0; at < text.length; at++) {
      range.setStart(text, at);
      range.setEnd(text, at + 1);
      if (isThere()) return [text, at];
    }
  }
  return null;
}

function missing(what: string, attribute: string): DOMException {
  return new DOMException(
    `<svc-reader> needs ${what}. Check its attribute ${attribute}, and that svc-speaker/define.js is imported.`,
    'InvalidStateError',
  );
}
