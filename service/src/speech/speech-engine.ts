/** A voice of an engine. */
export interface Voice {
  readonly id: string;
  /** Rate of the engine's samples, in Hz; for an engine that `resamples`, before it does. */
  readonly sampleRate: number;
  /** Language as a BCP 47 tag; absent for English, the only one that is normalised. */
  readonly language?: string;
  /** True if only accounts of the plan `pro` may use it. */
  readonly premium?: true;
}

/** Range of a member of `sampling`, both ends included. */
export interface SamplingRange {
  readonly least: number;
  readonly most: number;
}

/** A word of a text, when it is spoken, and with which sounds. */
export interface TimedWord {
  /** UTF-16 offsets in the text of the request. */
  readonly from: number;
  readonly to: number;
  /** Seconds since the first sample of the request's speech. */
  readonly start: number;
  readonly end: number;
  readonly phones: readonly TimedPhone[];
}

/** A sound of a word. */
export interface TimedPhone {
  /** Name in ARPAbet, in small letters and without stress, such as `ae`. */
  readonly phone: string;
  /** As in {@link TimedWord}. */
  readonly start: number;
  readonly end: number;
}

/** Text to speak, and how. */
export interface SpeechRequest {
  readonly text: string;
  /** One of the engine's voices. */
  readonly voice: Voice;
  /** Parameters that the engine supports, each within its range. */
  readonly sampling: Readonly<Record<string, number>>;
  /** True to write out numbers, signs and abbreviations in English words first. */
  readonly normalizeText: boolean;
  /** Rate of the session, in Hz; used only by an engine that `resamples`. */
  readonly sampleRate: number;
  /** Approximate maximum length of speech synthesized in one go, in seconds. */
  readonly chunkSeconds: number;
  /** True if the client waits for the first sound, so the engine should begin with a short piece. */
  readonly quickStart: boolean;
  /**
   * Called with words, in order, each once: before the speech in which they begin is yielded, or after they have ended.
   * Only for an engine with `timings`.
   */
  readonly onWords?: (words: readonly TimedWord[]) => void;
  /** Identity of the client, compared by reference. Clients share the engine fairly, however much text each sends. */
  readonly client: object;
  /** Account of the client. Accounts also share the engine fairly, however many clients each has. */
  readonly account?: string;
}

/** Converts text to speech. Main thread; time-consuming work runs elsewhere. */
export interface SpeechEngine {
  /** Voices, at least one; the first one is the default. */
  readonly voices: readonly Voice[];
  /** Supported parameters of `sampling`, by name. */
  readonly sampling: Readonly<Record<string, SamplingRange>>;
  /** `false` while it cannot speak; it must then get no new session. */
  readonly available: boolean;
  /** Its parts by name, and whether each can speak; for an engine that consists of several. */
  readonly parts?: Readonly<Record<string, boolean>>;
  /**
   * True if it becomes available again without a restart of this service, because it depends on an external server.
   * One that is closed, or whose program cannot be started, does not recover.
   */
  readonly recovers?: true;
  /** True if it reports when each word is spoken. */
  readonly timings?: true;
  /** True if its samples have the rate of the session instead of that of the voice. */
  readonly resamples?: true;
  /**
   * Speaks a text. Pieces are synthesized on demand, so a reader that stops also stops the engine.
   *
   * @returns Mono samples at the voice's rate, or at the session's if it `resamples`, in chunks of any size. Iterating
   *   throws `SpeechError` if the text or the rest of it cannot be spoken, and the signal's reason once that is
   *   aborted. Its errors are logged, so they must not contain the text.
   */
  speak(request: SpeechRequest, signal: AbortSignal): AsyncIterable<Int16Array>;
  /** Stops for good; pending speech fails. May be called more than once. */
  close(): Promise<void>;
}
