import type { SpokenWord, SvcSpeakerElement, Utterance, WordEvent } from '../index.js';
import { BlockVoices } from './block-voices.js';
import { LivePage } from './live-page.js';
import { viewOf } from './node-kinds.js';
import type { PageText, Place, ReadingPosition } from './page-text.js';
import type { Block } from './readable-text.js';
import { segmentWords, UNSPACED } from '../speakable/segment-words.js';
import { type Sentence, Sentences } from './sentences.js';
import { type HighlightMode, ShownPlace } from './shown-place.js';

/** `previous()` goes to the sentence before only from the first characters of a sentence; else, to its beginning. */
const AT_BEGINNING = 12;

/** Silence after a block, in seconds, if another one follows. Voices make none of their own, or a short one. */
const PAUSES = { paragraph: 0.4, heading: 0.7, item: 0.2 } as const;

/** Usual pace of speech, in characters per second, until some has been heard. */
const PACE = 14;

/** Blocks are requested until at least this many characters wait: a heading is over sooner than the next one is here. */
const AHEAD = 40;

/** Options of {@link read}. */
export interface ReadOptions {
  /** Where to begin: the `position` of an earlier reading, also of another visit. By default, at the beginning. */
  readonly from?: ReadingPosition;
  /** Highlights to show: the word and its sentence (`word`, the default), only the sentence, or `none`. */
  readonly highlight?: HighlightMode;
  /** Language of text without a `lang`. */
  readonly lang?: string;
  /**
   * Voices by language, such as `{ fr: 'ff_siwis' }`: the `voice_id` of the session request for parts in that language. Other
   * parts have the voice of the speaker's own `sessionRequest`.
   */
  readonly voices?: Readonly<Record<string, string>>;
}

/** Events of a {@link Reading}. */
export interface ReadingEventMap {
  /** Another paragraph, heading, item or row begins to be heard. */
  paragraph: Event;
}

/** A block, or the rest of it, that was given to the speaker. */
interface Part {
  readonly block: Block;
  /** The version of the page that the block is from. */
  readonly page: PageText;
  /** Offset in the block at which its text begins. */
  readonly offset: number;
  readonly utterance: Utterance;
  /** True once it has been heard to its end. */
  isOver?: boolean;
}

/**
 * Reads a part of a page aloud, block by block: each is one utterance of the speaker, and the next one is requested when the
 * last one has begun; several, if they are short. Highlights what is heard.
 *
 * The page may change meanwhile: what is gone is skipped, and what is new is read. Main thread.
 */
export class Reading extends EventTarget {
  /**
   * Resolves when the last word has been heard. Rejects with an `AbortError` after `stop()`, or if the page cancels the
   * speech, and with the `SpeakerError` of an utterance that fails.
   */
  readonly finished: Promise<void>;
  readonly #speaker: SvcSpeakerElement;
  readonly #page: LivePage;
  readonly #sentences: Sentences;
  readonly #shown: ShownPlace;
  readonly #voices: BlockVoices;
  /** Aborts when the reading is over. */
  readonly #listening = new AbortController();
  #settle!: { resolve: () => void; reject: (error: unknown) => void };
  /** Where the reading is: the word that is heard, or the place to which it goes. */
  #place: Place;
  /** The part that is heard, or was last; null before, and after a jump until it is heard. */
  #part: Part | null = null;
  /** Parts that were requested and have not begun, in their order. */
  #ahead: Part[] = [];
  /** Characters and seconds of the parts that were heard to their ends. */
  #heardSoFar = { characters: 0, seconds: 0 };
  /** Jumps to sentences that wait for the rules of a language. Going to a word drops them. */
  #skips = { done: Promise.resolve() };

  /** @internal */
  constructor(speaker: SvcSpeakerElement, target: Element | Range, options: ReadOptions) {
    super();
    const { from, highlight = 'word', lang = '', voices } = options;
    this.#speaker = speaker;
    this.#page = new LivePage(target, () => this.#checkNext());
    this.#sentences = new Sentences(lang);
    this.#shown = new ShownPlace(viewOf(this.#page.root), highlight, this.#sentences);
    this.#voices = new BlockVoices(speaker, voices, lang);
    this.finished = new Promise((resolve, reject) => (this.#settle = { resolve, reject }));
    this.finished.catch(() => {}); // It is no error not to wait for it.
    const { signal } = this.#listening;
    speaker.addEventListener('utterancestart', ({ utterance }) => this.#started(utterance), { signal });
    speaker.addEventListener('word', (event) => this.#heard(event), { signal });
    if (speaker.mediaSession) this.#takeKeys();
    this.#place = from ? this.#text.find(from) : { block: 0, offset: 0 };
    this.#begin(this.#place);
  }

  /** Where the reading is. It can be stored as JSON, and passed as `from` after the page was loaded again, or edited. */
  get position(): ReadingPosition {
    return this.#text.positionOf(this.#place);
  }

  /** Estimated time until the end in seconds, at the present speed. */
  get secondsLeft(): number {
    const { block, offset } = this.#place;
    const rest = this.#text.blocks.slice(block);
    const characters = rest.reduce((sum, { text }) => sum + text.length, -offset);
    const pauses = rest.slice(0, -1).reduce((sum, { kind }) => sum + PAUSES[kind], 0);
    const { characters: heard, seconds } = this.#heardSoFar;
    const pace = seconds > 0 ? heard / seconds : PACE;
    return (Math.max(0, characters) / pace + pauses) / this.#speaker.playbackRate;
  }

  /** Text of the paragraph that is read; empty before the first one. */
  get paragraph(): string {
    return this.#part?.block.text ?? '';
  }

  /** Goes to the next sentence. */
  next(): void {
    this.#skip((sentences, offset) => sentences.find(({ from }) => from > offset)?.from ?? null, 1);
  }

  /** Goes to the beginning of the sentence, or to the sentence before if it has just begun. */
  previous(): void {
    this.#skip((sentences, offset) => {
      const at = sentences.findLastIndex(({ from }) => from <= offset);
      const isBegin = offset - (sentences[at]?.from ?? 0) < AT_BEGINNING;
      return sentences[isBegin ? at - 1 : at]?.from ?? null;
    }, -1);
  }

  /** Goes to a word of the page, such as the one that was clicked; or to the first one behind it that is read. */
  seekTo(node: Node, offset: number): void {
    this.#skips = { done: Promise.resolve() };
    this.#refresh();
    const place = this.#text.placeOf(node, offset);
    if (place) this.#goTo({ ...place, offset: beginOfWord(this.#text.blocks[place.block]!, place.offset) });
  }

  /** Pauses the speaker. */
  pause(): void {
    this.#speaker.pause();
  }

  /** Continues after a pause. Rejects as the speaker's `play()`. */
  play(): Promise<void> {
    return this.#speaker.play();
  }

  /** Ends the reading. Other speech of the speaker is not affected. */
  stop(): void {
    this.#end(new DOMException('The reading was stopped.', 'AbortError'));
  }

  override addEventListener<Type extends keyof ReadingEventMap>(
    type: Type,
    listener: ((event: ReadingEventMap[Type]) => unknown) | EventListenerObject | null,
    options?: AddEventListenerOptions | boolean,
  ): void {
    super.addEventListener(type, listener, options);
  }

  /** Lets media keys go to sentences until the reading is over. */
  #takeKeys(): void {
    const set = (next: (() => void) | null, previous: (() => void) | null): void => {
      navigator.mediaSession?.setActionHandler('nexttrack', next);
      navigator.mediaSession?.setActionHandler('previoustrack', previous);
    };
    set(
      () => this.next(),
      () => this.previous(),
    );
    this.#listening.signal.addEventListener('abort', () => set(null, null));
  }

  /** Speaks from a place on. What was requested before is cancelled. */
  #begin(place: Place): void {
    this.#place = place;
    const before = this.#takeParts();
    if (this.#text.blocks.length > 0) this.#speak(place.block, place.offset);
    else queueMicrotask(() => this.#end(null));
    // Not earlier: a speaker that is paused stays so only while something is left to speak.
    for (const { utterance } of before) utterance.cancel();
  }

  /** Returns what is heard and what was requested. It does not belong to the reading any more. */
  #takeParts(): Part[] {
    const parts = [...(this.#part ? [this.#part] : []), ...this.#ahead];
    this.#part = null;
    this.#ahead = [];
    return parts;
  }

  #speak(index: number, offset: number): void {
    const block = this.#text.blocks[index]!;
    this.#voices.choose(block);
    const pauseAfter = index + 1 < this.#text.blocks.length ? PAUSES[block.kind] : 0;
    const utterance = this.#speaker.speak(block.text.slice(offset), { markup: 'plain', pauseAfter });
    const part: Part = { block, page: this.#text, offset, utterance };
    this.#ahead.push(part);
    void this.#sentences.of(block); // They are known when it is heard.
    const isWanted = (): boolean => [this.#part, ...this.#ahead].includes(part);
    utterance.finished.then(
      () => isWanted() && this.#ended(part, pauseAfter),
      (error: unknown) => isWanted() && this.#end(error),
    );
  }

  #started(utterance: Utterance): void {
    if (this.#ahead[0]?.utterance !== utterance) return;
    const part = this.#ahead.shift()!;
    const { block, offset, page } = part;
    this.#part = part;
    // Since the part was requested, the page may have changed, or have been rendered again.
    const index = this.#text.indexOf(block);
    this.#place =
      index >= 0
        ? { block: index, offset }
        : this.#text.find(page.positionOf({ block: page.blocks.indexOf(block), offset }));
    this.dispatchEvent(new Event('paragraph'));
    // A listener may have stopped the reading, or gone elsewhere.
    if (this.#isOver || this.#part !== part) return;
    this.#shown.begin(this.#shownBlock(part), offset);
    this.#requestAhead(part);
  }

  /** Requests blocks behind the part that is heard, if their voice is the same. */
  #requestAhead(heard: Part): void {
    while (this.#ahead.map(({ block }) => block.text).join('').length < AHEAD) {
      const next = this.#next(this.#ahead.at(-1) ?? heard);
      const block = this.#text.blocks[next];
      if (!block || this.#voices.of(block) !== this.#voices.of(heard.block)) return;
      this.#speak(next, 0);
    }
  }

  /** Goes on if the next block was not requested before: its voice is another, or it has only now been added. */
  #ended(part: Part, pause: number): void {
    this.#heardSoFar.characters += part.block.text.length - part.offset;
    this.#heardSoFar.seconds += part.utterance.heard.seconds - pause;
    this.#ahead = this.#ahead.filter((other) => other !== part);
    part.isOver = true;
    if (this.#ahead.length === 0) this.#goOn(part);
  }

  /** Speaks the block after a part that is over. */
  #goOn(part: Part): void {
    const next = this.#next(part);
    if (this.#text.blocks[next]) this.#speak(next, 0);
    else this.#end(null);
  }

  /** Returns the index of the block after a part, in the page as it is now; no block has it after the last one. */
  #next({ block, page }: Part): number {
    this.#refresh();
    return page === this.#text ? page.blocks.indexOf(block) + 1 : this.#text.after(block, page);
  }

  /** Replaces the blocks that were requested, if others follow in the page by now. */
  #checkNext(): void {
    const heard = this.#part;
    if (!heard) return;
    const from = this.#ahead.findIndex(({ block }, index) => {
      const next = this.#next(this.#ahead[index - 1] ?? heard);
      return this.#text.blocks[next]?.text !== block.text;
    });
    if (from < 0) return;
    for (const { utterance } of this.#ahead.splice(from)) utterance.cancel();
    if (heard.isOver && from === 0) this.#goOn(heard);
    else this.#requestAhead(heard);
  }

  /** Reads the page again if it has changed. */
  #refresh(): void {
    const { position } = this;
    if (this.#page.refresh()) this.#place = this.#text.find(position);
  }

  #heard({ utterance, word }: WordEvent): void {
    const part = this.#part;
    // During a seek, these are words from before it.
    if (!part || utterance !== part.utterance || this.#speaker.seeking) return;
    const { offset } = part;
    this.#place = { block: this.#place.block, offset: offset + word.from };
    this.#shown.showWord(this.#shownBlock(part), offset + word.from, offset + word.to, word.isEstimated);
  }

  /** Returns the block of a part where it is in the page now, if the page was rendered again. */
  #shownBlock({ block }: Part): Block {
    const now = this.#text.blocks[this.#place.block];
    return now?.text === block.text ? now : block;
  }

  /**
   * Goes to a sentence of the same block, or to the first or last one of a block beside it. Waits for the jumps before, so
   * that two of them go two sentences on.
   *
   * @param choose - Returns the offset of the sentence; null if it is not in this block.
   */
  #skip(choose: (sentences: readonly Sentence[], offset: number) => number | null, direction: 1 | -1): void {
    const skips = this.#skips;
    const skip = async (): Promise<void> => {
      this.#refresh();
      const { block, offset } = this.#place;
      const here = this.#text.blocks[block];
      if (!here) return;
      const found = choose(await this.#sentences.of(here), offset);
      const beside = this.#text.blocks[block + direction];
      const isBack = found === null && beside && direction < 0;
      const last = isBack ? (await this.#sentences.of(beside)).at(-1)!.from : 0;
      if (this.#skips !== skips) return;
      // The page has changed meanwhile.
      if (this.#text.blocks[block] !== here) return skip();
      if (found !== null) this.#goTo({ block, offset: found });
      else if (beside) this.#goTo({ block: block + direction, offset: last });
      else if (direction < 0) this.#goTo({ block, offset: 0 });
      else this.#end(null);
    };
    skips.done = skips.done.then(skip).catch((error: unknown) => globalThis.reportError?.(error));
  }

  /** Goes to a place: in the history of the speaker if it is there, else with new speech. */
  #goTo(place: Place): void {
    if (this.#isOver) return;
    this.#shown.goTo(this.#text.blocks[place.block]!, place.offset);
    const time = this.#timeOf(place);
    if (time === null) {
      this.#begin(place);
      return;
    }
    this.#place = place;
    this.#speaker.currentTime = time;
  }

  /** Returns when a word of the part that is heard begins on the speaker's timeline; null if that is not known for certain. */
  #timeOf({ block, offset }: Place): number | null {
    const part = this.#part;
    if (!part || this.#text.blocks[block] !== part.block || offset < part.offset) return null;
    const isThere = ({ from, to, isEstimated }: SpokenWord): boolean =>
      !isEstimated && from + part.offset <= offset && offset < to + part.offset;
    const time = part.utterance.words.find(isThere)?.startTime ?? Number.NaN;
    const { seekable } = this.#speaker;
    for (let index = 0; index < seekable.length; index++) {
      if (seekable.start(index) <= time && time < seekable.end(index)) return time;
    }
    return null;
  }

  get #text(): PageText {
    return this.#page.text;
  }

  get #isOver(): boolean {
    return this.#listening.signal.aborted;
  }

  /** @param error - Null after the last word. */
  #end(error: unknown): void {
    if (this.#isOver) return;
    this.#listening.abort();
    if (error === null) this.#settle.resolve();
    else this.#settle.reject(error);
    for (const { utterance } of this.#takeParts()) utterance.cancel();
    this.#page.close();
    this.#shown.close();
    this.#voices.choose(null);
  }
}

/** Returns the offset of the first character of the word at an offset. */
function beginOfWord({ text, language }: Block, offset: number): number {
  const begin = offset - /\S*$/.exec(text.slice(0, offset))![0].length;
  const [run] = /^\S*/.exec(text.slice(begin))!;
  if (!UNSPACED.test(run)) return begin;
  let found = offset;
  for (const { index, isWordLike } of segmentWords(run, language)) {
    if (isWordLike && begin + index <= offset) found = begin + index;
  }
  return found;
}
