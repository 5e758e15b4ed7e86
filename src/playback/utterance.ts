import { Deferred } from '../base/deferred.js';

/** Something to be spoken, from the call of `speak()` until its last sample has been heard. */
export class Utterance {
  /** The context that carries it on the socket. */
  readonly contextId: string;
  /** Resolves when the first sample is heard. Rejects as `finished` does if none ever is. */
  readonly started: Promise<void>;
  /** Resolves when the last sample has been heard. Rejects with a `SpeakerError`, or an `AbortError` after `cancel()`. */
  readonly finished: Promise<void>;
  readonly #record: UtteranceRecord;
  readonly #cancel: () => void;

  /** @internal */
  constructor(record: UtteranceRecord, contextId: string, cancel: () => void) {
    this.contextId = contextId;
    this.#record = record;
    this.#cancel = cancel;
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
    this.#cancel();
  }
}

/** The text and the promises of an utterance. The machine knows it by its id. Main thread. */
export class UtteranceRecord {
  readonly utterance: Utterance;
  /** The text in the pieces in which it is sent; null if the session brings the words. */
  readonly texts: string[] | null;
  /** More text may follow. */
  isOpen = false;
  readonly started = new Deferred();
  readonly finished = new Deferred();

  constructor(contextId: string, texts: string[] | null, cancel: () => void) {
    this.texts = texts;
    this.utterance = new Utterance(this, contextId, cancel);
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
