import { Deferred } from '../base/deferred.js';
import type { PreparedAudio } from './page-audio.js';

/** Something to be spoken, from the call of `speak()` until its last sample has been heard. */
export class Utterance {
  /** The context that carries it on the socket. */
  readonly contextId: string;
  /** Resolves when the first sample is heard. Rejects as `finished` does if none ever is. */
  readonly started: Promise<void>;
  /** Resolves when the last sample has been heard. Rejects with a `SpeakerError`, or an `AbortError` after `cancel()`. */
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
    // A page that ignores the outcome need not handle its rejection: the element's `error` has it too.
    this.started.catch(() => {});
    this.finished.catch(() => {});
  }

  /** The text: of a stream, the sentences so far. Empty for speech whose words the session brings. */
  get text(): string {
    return this.#record.texts?.join('') ?? '';
  }

  /** Silences this utterance, or takes it out of the queue. The others go on. */
  cancel(): void {
    this.#calls.cancel();
  }

  /**
   * How much of it the listener has heard, output latency included: `seconds` of speech, whatever the rate at which it is
   * played, and the beginning of `text` up to a word. 0 and empty before its first sample is heard; final after its end or
   * `cancel()`. A replay does not change it.
   *
   * The service reports no word times, so `text` is an estimate: usually within one word.
   */
  get heard(): Heard {
    return this.#calls.heard();
  }

  /** Where it begins on the timeline of the speaker, in seconds; NaN while that is not known. */
  get startTime(): number {
    return this.#record.span.start;
  }

  /** Where it ends, in seconds; NaN until all of it was received. */
  get endTime(): number {
    return this.#record.span.end;
  }

  /**
   * Plays this utterance again, and pauses at its end. Costs nothing: its samples were kept.
   *
   * @returns Resolves when it plays. Rejects as `play()` does, and with InvalidStateError if it is no longer kept.
   */
  replay(): Promise<void> {
    return this.#calls.replay();
  }

  /**
   * Returns its samples as they were received so far, as `audio/wav` with 16 bits.
   *
   * @returns Rejects with InvalidStateError if it is no longer kept.
   */
  toBlob(): Promise<Blob> {
    return this.#calls.toBlob();
  }
}

/** The part of an utterance that has been heard. */
export interface Heard {
  /** Seconds of speech, counted from the first sample of the utterance. */
  readonly seconds: number;
  /** The beginning of its text, cut at a word; all of it after the end. */
  readonly text: string;
}

/** What an utterance has its speaker do. */
export interface UtteranceCalls {
  heard(): Heard;
  cancel(): void;
  replay(): Promise<void>;
  toBlob(): Promise<Blob>;
}

/** The text and the promises of an utterance. The machine knows it by its id. Main thread. */
export class UtteranceRecord {
  readonly utterance: Utterance;
  /** The text in the pieces in which it is sent; null if the session brings the words. */
  readonly texts: string[] | null;
  /** More text may follow. */
  isOpen: boolean;
  readonly started = new Deferred();
  readonly finished = new Deferred();
  /** Its audio stream, if it is one. */
  audio: Promise<PreparedAudio> | undefined;
  /** Its place on the timeline, in seconds; NaN while it is not known. */
  span = { start: Number.NaN, end: Number.NaN };

  /** The position at which it begins, by the audio clock; NaN before its first sample is heard. */
  begin = Number.NaN;
  /** How much of it was heard, and its length if that is known. Final once it is over. */
  heard: { seconds: number; length: number | null } = { seconds: 0, length: null };

  constructor(contextId: string, texts: string[] | null, isOpen: boolean, calls: UtteranceCalls) {
    this.texts = texts;
    this.isOpen = isOpen;
    this.utterance = new Utterance(this, contextId, calls);
  }

  /** The last sample has been heard, or none will be. */
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
