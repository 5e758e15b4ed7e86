import { Deferred } from './deferred.js';
import type { SpeakerError } from './speaker-error.js';

/** Something to be spoken, from the call of `speak()` until its last sample has been heard. */
export class Utterance {
  /** The context that carries it on the socket. */
  readonly contextId: string;
  /** Resolves when the first sample is heard; rejects as `finished` does if none ever is. */
  readonly started: Promise<void>;
  /** Resolves when the last sample has been heard; rejects with a `SpeakerError`, or an `AbortError` after a cancel. */
  readonly finished: Promise<void>;
  readonly #text: () => string;
  readonly #cancel: () => void;

  /** @internal */
  constructor(
    contextId: string,
    text: () => string,
    started: Promise<void>,
    finished: Promise<void>,
    cancel: () => void,
  ) {
    this.contextId = contextId;
    this.#text = text;
    this.started = started;
    this.finished = finished;
    this.#cancel = cancel;
    // Whoever does not look at the outcome need not handle its rejection either: the element's `error` tells it too.
    started.catch(() => {});
    finished.catch(() => {});
  }

  /** What is spoken: of a stream, the sentences so far. Empty for speech that the service sends unasked. */
  get text(): string {
    return this.#text();
  }

  /** Silences this utterance, or takes it out of the queue. The others go on. */
  cancel(): void {
    this.#cancel();
  }
}

/** The speaker's side of an utterance. */
export class UtteranceRecord {
  readonly utterance: Utterance;
  /** What is spoken, in pieces that are sent as they are. Null if the words are the session's own. */
  readonly texts: string[] | null;
  /** More text is to follow. */
  more: boolean;
  readonly origin: 'play' | 'speak';
  /** Number on the other threads; 0 while it waits to be sent. */
  serial = 0;
  /** When its first frame came, in ms since the epoch; 0 before. */
  firstAudioMs = 0;
  /** How long it is, once all of it has come. */
  seconds: number | null = null;
  failure: SpeakerError | null = null;
  readonly #started = new Deferred();
  readonly #finished = new Deferred();

  constructor(
    contextId: string,
    texts: string[] | null,
    more: boolean,
    origin: 'play' | 'speak',
    cancel: (record: UtteranceRecord) => void,
  ) {
    this.texts = texts;
    this.more = more;
    this.origin = origin;
    const text = (): string => texts?.join('') ?? '';
    this.utterance = new Utterance(contextId, text, this.#started.promise, this.#finished.promise, () => cancel(this));
  }

  start(): void {
    this.#started.resolve();
  }

  finish(): void {
    this.#started.resolve();
    if (this.failure) this.#finished.reject(this.failure);
    else this.#finished.resolve();
  }

  abandon(reason: unknown): void {
    this.#started.reject(reason);
    this.#finished.reject(reason);
  }
}
