/** Effects of an {@link Interruption}, and its timer. */
export interface InterruptionHost {
  /** Lowers the speech. */
  duck(): void;
  /** Restores the speech. */
  unduck(): void;
  /** Stops the speech. */
  cancel(): void;
  /** Calls `action` once, after `ms` milliseconds. Returns a function that cancels the timer. */
  after(ms: number, action: () => void): () => void;
}

/** Times of an {@link Interruption}, in milliseconds. */
export interface InterruptionTimes {
  /** Returns the amount of voice that is an interruption. Less is a noise. */
  enoughMs(): number;
  /** Time without voice after which a noise is over. */
  readonly patienceMs: number;
}

/**
 * Decides whether a voice interrupts the speech. The first frame with voice ducks the speech. Enough voice cancels it. If
 * the voice stays away before that, the speech is restored, and nothing is lost.
 *
 * | state    | voice, not enough yet | enough voice        | no voice for `patienceMs` | `reset()`           |
 * | -------- | --------------------- | ------------------- | ------------------------- | ------------------- |
 * | `quiet`  | duck → `ducked`       | cancel → `quiet`    |                           |                     |
 * | `ducked` | `ducked`              | cancel → `quiet`    | unduck → `quiet`          | unduck → `quiet`    |
 */
export class Interruption {
  readonly #host: InterruptionHost;
  readonly #times: InterruptionTimes;
  #state: 'quiet' | 'ducked' = 'quiet';
  #voiceMs = 0;
  #stopTimer = (): void => {};

  constructor(host: InterruptionHost, times: InterruptionTimes) {
    this.#host = host;
    this.#times = times;
  }

  /**
   * Takes the next frame of the microphone. Call it only while there is speech to interrupt.
   *
   * @param hasVoice - The detector found voice in the frame.
   * @param frameMs - Length of the frame in milliseconds.
   */
  hear(hasVoice: boolean, frameMs: number): void {
    if (!hasVoice) return;
    this.#stopTimer();
    this.#voiceMs += frameMs;
    if (this.#voiceMs >= this.#times.enoughMs()) {
      this.#becomeQuiet();
      this.#host.cancel();
      return;
    }
    this.#stopTimer = this.#host.after(this.#times.patienceMs, () => this.reset());
    if (this.#state === 'ducked') return;
    this.#state = 'ducked';
    this.#host.duck();
  }

  /** Restores the speech if it is ducked. Call it when the speech has ended. */
  reset(): void {
    const wasDucked = this.#state === 'ducked';
    this.#becomeQuiet();
    if (wasDucked) this.#host.unduck();
  }

  #becomeQuiet(): void {
    this.#stopTimer();
    this.#voiceMs = 0;
    this.#state = 'quiet';
  }
}
