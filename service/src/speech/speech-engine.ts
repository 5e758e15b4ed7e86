/** A voice of an engine. */
export interface Voice {
  readonly id: string;
  /** Rate of the samples the engine makes with it, in Hz; of one that `resamples`, before it does. */
  readonly sampleRate: number;
  /** For accounts of the plan `pro` only. */
  readonly premium?: true;
}

/** Range of a member of `sampling`, both ends included. */
export interface SamplingRange {
  readonly least: number;
  readonly most: number;
}

/** Text to be spoken, and how. */
export interface SpeechRequest {
  readonly text: string;
  /** One of the engine's voices. */
  readonly voice: Voice;
  /** Members that the engine knows, each within its range. */
  readonly sampling: Readonly<Record<string, number>>;
  /** Write numbers, signs and abbreviations out in English words first. */
  readonly normalizeText: boolean;
  /** Rate of the session, in Hz; only an engine that `resamples` has a use for it. */
  readonly sampleRate: number;
  /** Longest stretch of speech made in one go, in seconds, as near as can be told beforehand. */
  readonly chunkSeconds: number;
  /** Somebody is waiting to hear the first sound: begin with a short piece. */
  readonly quickStart: boolean;
  /** Who asks. Clients share the engine fairly, however much each of them asks for. Compared by identity. */
  readonly client: object;
}

/** Makes speech of text. Main thread; what takes time happens elsewhere. */
export interface SpeechEngine {
  /** At least one; the first one is the default. */
  readonly voices: readonly Voice[];
  /** Members of `sampling` by name. */
  readonly sampling: Readonly<Record<string, SamplingRange>>;
  /**
   * `false` while it cannot speak: no new session is to be given to it. An engine that depends on something outside may
   * come back by itself; one that is closed, or whose program cannot be started, does not.
   */
  readonly available: boolean;
  /** Whether it makes samples at the rate of the session, rather than at that of the voice. */
  readonly resamples?: true;
  /**
   * Speaks. Pieces are made when they are asked for, so a reader that stops holds the engine back.
   *
   * @returns Mono samples at the voice's rate, or at the session's if it `resamples`, in pieces of any size. Iterating throws `SpeechError` if the text,
   *   or the rest of it, cannot be spoken, and the signal's reason once that is aborted. What it throws is logged, so it
   *   says nothing of the text.
   */
  speak(request: SpeechRequest, signal: AbortSignal): AsyncIterable<Int16Array>;
  /** Stops for good; what is being spoken fails. More than once is harmless. */
  close(): Promise<void>;
}
