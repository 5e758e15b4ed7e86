import { Deferred } from '../base/deferred.js';
import type { WordFinder } from '../base/word-finder.js';
import type { PreparedAudio } from '../connection/audio-input.js';
import type { ReportedPhone, ReportedWord } from '../connection/word-times.js';
import { originalOf, type Run } from '../speakable/runs.js';
import type { KnownSpeech } from './heard-text.js';
import type { QuietPart } from './pause-fit.js';

/** Something to be spoken, from the call of `speak()` until its last sample has been heard. */
export class Utterance {
  /** The context that carries it on the socket. */
  readonly contextId: string;
  /** Resolves when the first sample is heard. If none ever is, rejects like `finished`. */
  readonly started: Promise<void>;
  /** Resolves when the last sample has been heard. Rejects with a `SpeakerError`, or an `AbortError` if cancelled. */
  readonly finished: Promise<void>;
  readonly #record: UtteranceRecord;
  readonly #calls: UtteranceCalls;

  /** @internal */
  constructor(record: UtteranceRecord, contextId: string, calls: UtteranceCalls) {
    this.contextId = contextId;
    this.#record = record;
    this.#calls = calls;
    this.started = record.started.promise;
    this.finished = record.finished.promise;
    // A page that ignores the outcome need not handle the rejection, because the element's `error` has it too.
    this.started.catch(() => {});
    this.finished.catch(() => {});
  }

  /** The text. For a stream, the sentences so far; empty if the session brings the words. */
  get text(): string {
    return this.#record.text;
  }

  /** Silences this utterance, or removes it from the queue. Other utterances continue. */
  cancel(): void {
    this.#calls.cancel(this.#record);
  }

  /**
   * The part of the utterance that the listener has heard, output latency included: `seconds` of speech, regardless of
   * the playback rate, and the beginning of `text`, cut at a word. 0 and empty before the first sample is heard; final
   * after the end or `cancel()`. A replay does not change it.
   *
   * If the service reports when words are spoken, `text` ends with the last word that was heard to its end. Otherwise, it
   * is an estimate, usually accurate to one word.
   */
  get heard(): Heard {
    return this.#calls.heard(this.#record);
  }

  /**
   * The words, as far as their times are known. Grows while speech arrives; an array that was read does not change. If
   * the service does not report times, they are estimated.
   */
  get words(): readonly SpokenWord[] {
    return this.#calls.words(this.#record);
  }

  /** Start on the speaker's timeline, in seconds; NaN while unknown, and after `clearHistory()` has forgotten it. */
  get startTime(): number {
    return this.#record.span.start;
  }

  /** End on the speaker's timeline, in seconds; NaN until all of the utterance was received, or if the start is NaN. */
  get endTime(): number {
    return this.#record.span.end;
  }

  /**
   * Plays this utterance again, and pauses at its end. Uses the kept samples, so it costs nothing.
   *
   * @returns A promise that resolves when the utterance plays. It rejects as `play()` does, and with InvalidStateError
   *   if the utterance is no longer kept.
   */
  replay(): Promise<void> {
    return this.#calls.replay(this.#record);
  }

  /**
   * Returns captions as WebVTT, with the times of `words`, counted from the start of the utterance as in `toBlob()`.
   *
   * @param options - `by`: a cue for each `sentence` (default) or `word`.
   * @returns A promise that rejects with InvalidStateError before all of the utterance was received, and if it is no
   *   longer kept.
   */
  toVTT(options?: CueOptions): Promise<string> {
    return this.#calls.toVTT(this.#record, options);
  }

  /**
   * Returns the samples received so far, as `audio/wav` with 16 bits.
   *
   * @returns A promise that rejects with InvalidStateError if the utterance is no longer kept.
   */
  toBlob(): Promise<Blob> {
    return this.#calls.toBlob(this.#record);
  }
}

/** A word of an utterance, and when it is heard. */
export interface SpokenWord {
  /** UTF-16 offset of its first character in the text of the utterance. */
  readonly from: number;
  /** UTF-16 offset after its last character. */
  readonly to: number;
  /** The word as it is written. */
  readonly text: string;
  /** Begin on the speaker's timeline, in seconds; NaN while the start of the utterance is not known. */
  readonly startTime: number;
  /** End on the speaker's timeline, in seconds; NaN like `startTime`. */
  readonly endTime: number;
  /** True if the service does not report when the word is spoken, or reports one time for several words. */
  readonly isEstimated: boolean;
}

/** A word of an input that the page pushes. */
export interface InputWord {
  /** The word, as it is in the text of the input or as it is said: "hundred" may belong to "$100". */
  readonly text: string;
  /** Begin in seconds of this input's audio. */
  readonly start: number;
  /** End in seconds of this input's audio. */
  readonly end: number;
}

/** Options of captions. `by`: a cue for each sentence (default) or word. */
export interface CueOptions {
  /** The part of the text that each cue has; a sentence by default. */
  readonly by?: 'sentence' | 'word';
}

/** Times that the service reports for an utterance. */
export interface ReportedTimes {
  /** True if it does. Otherwise, they are estimated. */
  isReported: boolean;
  /** Replaced, not changed, when there are more. */
  words: readonly ReportedWord[];
  phones: readonly ReportedPhone[];
}

/** Times that are reported at once. */
interface NewTimes extends Pick<ReportedTimes, 'words' | 'phones'> {
  /** Number of the first of these words among those of the utterance. */
  readonly index: number;
}

/** The part of an utterance that has been heard. */
export interface Heard {
  /** Seconds of speech, counted from the first sample of the utterance. */
  readonly seconds: number;
  /** The beginning of its text, cut at a word; all of it after the end. */
  readonly text: string;
}

/** Calls that the utterances of a speaker make to it. */
export interface UtteranceCalls {
  heard(record: UtteranceRecord): Heard;
  words(record: UtteranceRecord): readonly SpokenWord[];
  cancel(record: UtteranceRecord): void;
  replay(record: UtteranceRecord): Promise<void>;
  toBlob(record: UtteranceRecord): Promise<Blob>;
  toVTT(record: UtteranceRecord, options: CueOptions | undefined): Promise<string>;
}

/** The facts from which `Utterance.heard` is derived. */
interface KnownPart {
  /** Seconds that were heard. */
  readonly seconds: number;
  /** Length in seconds; null while unknown. */
  readonly length: number | null;
  /** Speech whose length was known before; empty if that of this one is. */
  readonly earlier?: readonly KnownSpeech[];
  /** Quiet parts of the speech received so far; undefined if the worker has reported none. */
  readonly quiet?: readonly QuietPart[] | undefined;
}

/** The span of an utterance whose place on the timeline is unknown, or that was forgotten. */
export const UNPLACED = { start: Number.NaN, end: Number.NaN };

/** The text of an utterance. */
export interface Words {
  /** The parts in which it is sent, as far as they are known; null if the session brings the words. */
  readonly parts: (readonly Run[])[] | null;
  /** True if more parts may follow. */
  readonly isOpen: boolean;
}

/** The text and the promises of an utterance. The machine refers to it by id. Main thread. */
export class UtteranceRecord {
  readonly id: number;
  readonly utterance: Utterance;
  /** As in {@link Words}. A part without speech is not sent. */
  readonly parts: (readonly Run[])[] | null;
  isOpen: boolean;
  /** Seconds of silence at its end. */
  pauseAfter = 0;
  /** Stops the reading of a stream of text; undefined if the text was given as a string. */
  stopReading: (() => void) | undefined;
  readonly started = new Deferred();
  readonly finished = new Deferred();
  /** The audio stream, if the utterance is one. */
  audio: Promise<PreparedAudio> | undefined;
  /** Arrival of the first frame, in ms since the epoch; NaN before. */
  firstAudioMs = Number.NaN;
  /** Start and end on the timeline, in seconds; NaN while unknown. */
  span = UNPLACED;
  readonly timed: ReportedTimes = { isReported: false, words: [], phones: [] };
  /** Words of a pushed input that are not found in its text yet. */
  waitingWords: readonly InputWord[] = [];
  /** True if these words are its text. */
  textIsWords = false;
  /** Finds these words; made with the first of them. */
  finder: WordFinder | undefined;
  /** Places at which another session continues it, in seconds of its speech. */
  readonly seams: number[] = [];
  /** Position at which it begins, in seconds of the audio clock; NaN before its first sample is heard. */
  begin = Number.NaN;
  /** Final once the utterance is over. */
  heard: KnownPart = { seconds: 0, length: null };

  constructor(id: number, contextId: string, { parts, isOpen }: Words, calls: UtteranceCalls) {
    this.id = id;
    this.parts = parts;
    this.isOpen = isOpen;
    this.utterance = new Utterance(this, contextId, calls);
  }

  /** The original text, as far as it is known. */
  get text(): string {
    return originalOf(this.runs);
  }

  /** The text, with the speech of each part of it. */
  get runs(): readonly Run[] {
    return this.parts?.flat() ?? [];
  }

  /** Notes the arrival of its first frame, in ms since the epoch, from a service that reports times or does not. */
  noteAudio(atMs: number, reportsTimes: boolean): void {
    this.firstAudioMs = atMs;
    this.timed.isReported ||= reportsTimes;
  }

  /** Adds times that the service reports; the words from number `index` on replace those that were reported before. */
  addTimes({ index, words, phones }: NewTimes): void {
    const { timed } = this;
    timed.isReported = true;
    timed.words = timed.words.slice(0, index).concat(words);
    timed.phones = timed.phones.concat(phones);
  }

  /** Notes that its connection has died: its first `words` words and `seconds` stay, and another one continues it. */
  cutOff(words: number, seconds: number): void {
    const { timed } = this;
    timed.words = timed.words.slice(0, words);
    timed.phones = timed.phones.filter(({ start }) => start < seconds);
    this.seams.push(seconds);
  }

  /** Resolves both promises after the last sample has been heard, or rejects them with `error`. */
  settle(error?: unknown): void {
    if (error === undefined) {
      this.started.resolve();
      this.finished.resolve();
    } else {
      this.started.reject(error);
      this.finished.reject(error);
    }
  }
}
