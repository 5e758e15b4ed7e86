import type { Clock } from '../base/clock.js';
import type { HeardFacts } from './heard-part.js';
import type { CueOptions, SpokenWord, Utterance, UtteranceRecord } from './utterance.js';
import { placeWords, timesOf, visemesOf, wordsOf } from './utterance-words.js';
import type { Viseme } from './visemes.js';

/** A word or sound counts as due this many seconds before it begins, because timers are not exact. */
const EARLY_SECONDS = 0.003;
/** Shortest time to the next look at the clock, in ms. */
const LEAST_WAIT_MS = 4;
/** A word, or a position of the mouth, that begins to be heard. */
export type WordEvents =
  | { type: 'word'; utterance: Utterance; word: SpokenWord }
  | { type: 'viseme'; utterance: Utterance; viseme: Viseme; seconds: number };

/** The words of a speaker. Loaded with the first sound. Main thread. */
export interface SpokenWords {
  /** The word that is heard; null between words. */
  readonly current: SpokenWord | null;
  /** Returns the words of an utterance on the timeline, as far as their times are known. */
  of(record: UtteranceRecord): readonly SpokenWord[];
  /**
   * Returns an utterance as WebVTT, or all that is kept. Rejects with InvalidStateError if not all of the utterance was
   * received, and if nothing is kept.
   */
  toVtt(record: UtteranceRecord | null, options: CueOptions | undefined): Promise<string>;
  /** Notes a seek to a position. */
  sought(position: number): void;
  /** Dispatches what is due in the utterance that is heard. Call it before anything changes. */
  flush(): void;
  /** Dispatches what is due, and sets the timer for what comes next. Call it when something has changed. */
  update(): void;
  /** Forgets the utterance that is heard. */
  reset(): void;
}

/** A text that was spoken, and its words. */
export interface TimedText {
  readonly text: string;
  readonly words: readonly SpokenWord[];
}

/** The page, as far as words need it. */
export interface WordHost {
  readonly clock: Clock;
  /** Seconds of speech that are heard in a second. */
  readonly playbackRate: number;
  /**
   * Makes WebVTT of texts.
   *
   * @param begin - Their times are counted from here, in seconds.
   */
  makeVtt(texts: readonly TimedText[], begin: number, by: 'sentence' | 'word'): Promise<string>;
}

/** Facts that the words are made of, and calls that they make. */
export interface WordFacts extends HeardFacts {
  /** Position in seconds, as heard. */
  readonly position: number;
  readonly host: WordHost;
  /** Returns the position of the oldest sample that is kept, in seconds; undefined if nothing is. */
  keptFrom(): number | undefined;
  dispatch(event: WordEvents): void;
}

/**
 * Dispatches `word` and `viseme` when a word or sound begins to be heard: each once and in order, at any rate, and again
 * after a seek. Main thread.
 */
class WordClock implements SpokenWords {
  readonly #facts: () => WordFacts;
  /** The utterance whose words are dispatched, and the numbers of its words and visemes that were. */
  #record: UtteranceRecord | null = null;
  #words = 0;
  #visemes = 0;
  /** True if those words were reported. Before, they may have been estimated. */
  #isReported = false;
  /** True before the first utterance. */
  #isNew = true;
  /** Where the last seek went, in an utterance, until its words are dispatched from there. */
  #sought: { readonly record: UtteranceRecord; readonly at: number } | null = null;
  #cancelTimer = (): void => {};

  constructor(facts: () => WordFacts) {
    this.#facts = facts;
  }

  get current(): SpokenWord | null {
    const facts = this.#facts();
    return wordAt(facts, facts.position);
  }

  of(record: UtteranceRecord): readonly SpokenWord[] {
    return wordsOf(this.#facts(), record);
  }

  toVtt(record: UtteranceRecord | null, { by = 'sentence' }: CueOptions = {}): Promise<string> {
    const facts = this.#facts();
    const begin = record ? record.span.start : facts.keptFrom();
    const wanted = record ? [record].filter(({ span }) => !Number.isNaN(span.end)) : recordsIn(facts);
    const placed = wanted.filter(({ span }) => begin !== undefined && !Number.isNaN(span.start));
    const texts = placed.map((one) => timedText(facts, one));
    return facts.host.makeVtt(texts, begin ?? 0, by);
  }

  sought(position: number): void {
    const record = recordAt(this.#facts(), position);
    this.#sought = record && { record, at: position - record.span.start };
  }

  flush(): void {
    const facts = this.#facts();
    if (this.#record && !this.#sought && facts.state.seeking === 0) this.#announce(facts, this.#record);
  }

  update(): void {
    this.#cancelTimer();
    const facts = this.#facts();
    for (const record of facts.records.values()) if (record.waitingWords.length > 0) placeWords(record);
    const { state, position } = facts;
    if (state.seeking > 0) return;
    const sought = this.#sought;
    // The page may have been blocked since a seek: what has been heard from there on comes first.
    const record = sought && !Number.isNaN(sought.record.begin) ? sought.record : recordAt(facts, position);
    // Before its first sample is heard, it has not begun.
    if (!record || Number.isNaN(record.begin)) return;
    if (this.#isNew) {
      this.#isNew = false;
      this.#catchUp(facts, record);
    }
    if (record !== this.#record || sought) this.#begin(facts, record, record === sought?.record ? sought.at : 0);
    const next = this.#announce(facts, record);
    if (state.mode !== 'playing' || next === null) return;
    const { clock, playbackRate } = facts.host;
    const waitMs = ((record.span.start + next - position) / playbackRate) * 1000;
    this.#cancelTimer = clock.after(Math.max(LEAST_WAIT_MS, waitMs), () => this.update());
  }

  reset(): void {
    this.#cancelTimer();
    this.#record = this.#sought = null;
  }

  /** Dispatches what was heard before `record` while this code was being loaded. */
  #catchUp(facts: WordFacts, record: UtteranceRecord): void {
    const records = recordsIn(facts);
    for (const earlier of records.slice(0, records.indexOf(record))) {
      this.#begin(facts, earlier, 0);
      this.#announce(facts, earlier);
    }
  }

  /** @param at - Seconds of the utterance: the word or sound there is the first. */
  #begin(facts: WordFacts, record: UtteranceRecord, at: number): void {
    this.#words = firstAfter(at, timesOf(facts, record));
    this.#visemes = firstAfter(at, visemesOf(record));
    this.#isReported = record.timed.isReported;
    this.#record = record;
    this.#sought = null;
  }

  /** Dispatches what is due. Returns the time of what comes next in the utterance; null if nothing does. */
  #announce(facts: WordFacts, record: UtteranceRecord): number | null {
    const { utterance, span } = record;
    const due = facts.position - span.start + EARLY_SECONDS;
    const words = timesOf(facts, record);
    const visemes = visemesOf(record);
    if (record.timed.isReported !== this.#isReported) {
      this.#isReported = record.timed.isReported;
      this.#words = firstAfter(due, words);
    }
    for (;;) {
      const word = words[this.#words];
      const viseme = visemes[this.#visemes];
      const next = Math.min(word?.start ?? Infinity, viseme?.start ?? Infinity);
      if (next === Infinity) return null;
      if (!(next <= due)) return next;
      if (word && word.start === next) {
        facts.dispatch({ type: 'word', utterance, word: wordsOf(facts, record)[this.#words]! });
        this.#words++;
      } else {
        const seconds = (viseme!.end - viseme!.start) / facts.host.playbackRate;
        facts.dispatch({ type: 'viseme', utterance, viseme: viseme!.viseme, seconds });
        this.#visemes++;
      }
    }
  }
}

/** Returns the number of the first of `times` that ends after `at`, in seconds. */
function firstAfter(at: number, times: readonly { end: number }[]): number {
  const index = times.findIndex(({ end }) => end > at + EARLY_SECONDS);
  return at <= 0 ? 0 : index < 0 ? times.length : index;
}

function wordAt(facts: HeardFacts, position: number): SpokenWord | null {
  const record = recordAt(facts, position);
  // A little more, since the clock may be set back by a new reading of the output right after a word was dispatched.
  const at = position + 2 * EARLY_SECONDS;
  const found = record && wordsOf(facts, record).findLast(({ startTime }) => startTime <= at);
  return found && found.endTime > position ? found : null;
}

/** Returns the records of the utterances that are kept or queued, in the order of speech. */
function recordsIn({ state, records }: HeardFacts): UtteranceRecord[] {
  return [...state.past, ...state.utterances].flatMap(({ id }) => records.get(id) ?? []);
}

/** Returns the text of an utterance and its words. Of one that was cut, only what was spoken. */
function timedText(facts: HeardFacts, record: UtteranceRecord): TimedText {
  const { past, utterances } = facts.state;
  const words = wordsOf(facts, record);
  const isCut = [...past, ...utterances].some((one) => one.id === record.id && (one.isCut || one.failure));
  const text = isCut && words.length > 0 ? record.text.slice(0, words.at(-1)!.to) : record.text;
  return { text, words };
}

function recordAt(facts: HeardFacts, position: number): UtteranceRecord | null {
  // Where one utterance ends, the next one begins.
  return recordsIn(facts).findLast(({ span }) => span.start <= position + EARLY_SECONDS) ?? null;
}

export function makeSpokenWords(facts: () => WordFacts): SpokenWords {
  return new WordClock(facts);
}
