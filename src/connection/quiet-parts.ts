/** Shortest quiet part in samples: 11 ms at 48 kHz, 64 ms at 8 kHz. Shorter ones are too many to report. */
const LEAST_SAMPLES = 512;
/** Peaks below the loudest sample divided by this are quiet (-36 dB): a voice's noise, but not the end of a word. */
const LOUD_TO_QUIET = 64;
/** The loudest sample is assumed to reach this level (-12 dBFS) before it does. */
const USUAL_PEAK = 8192;

/** Finds the quiet parts of an utterance while it arrives. Worker thread. */
export class QuietParts {
  readonly #onFound: (from: number, to: number) => void;
  #received = 0;
  #soundEnd = 0;
  #loudest = USUAL_PEAK;

  /**
   * @param onFound - Called for each quiet part, once a sound follows it: with its first sample, and that of the sound,
   *   counted from the start of the utterance.
   */
  constructor(onFound: (from: number, to: number) => void) {
    this.#onFound = onFound;
  }

  /** Forgets the samples after the first `count`. */
  cutOff(count: number): void {
    this.#received = Math.min(this.#received, count);
    this.#soundEnd = Math.min(this.#soundEnd, count);
  }

  /** Adds samples. */
  push(samples: Int16Array): void {
    for (const sample of samples) {
      const level = Math.abs(sample);
      this.#loudest = Math.max(this.#loudest, level);
      if (level * LOUD_TO_QUIET > this.#loudest) {
        if (this.#received - this.#soundEnd >= LEAST_SAMPLES) this.#onFound(this.#soundEnd, this.#received);
        this.#soundEnd = this.#received + 1;
      }
      this.#received++;
    }
  }
}
