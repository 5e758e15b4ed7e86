/** Shortest quiet part in samples: 11 ms at 48 kHz, 64 ms at 8 kHz. Shorter ones are too many to report. */
const LEAST_SAMPLES = 512;
/** Peaks below the loudest sample divided by this are quiet (-36 dB): a voice's noise, but not the end of a word. */
const LOUD_TO_QUIET = 64;
/** The loudest sample is assumed to reach this level (-12 dBFS) before it does. */
const USUAL_PEAK = 8192;

/** Finds the quiet parts of an utterance while it arrives. Worker thread. */
export class QuietParts {
  /** First sample of each part, and of the sound after it, alternating; counted from the start of the utterance. */
  readonly places: number[] = [];
  #received = 0;
  #soundEnd = 0;
  #loudest = USUAL_PEAK;

  /** Adds samples. A part is listed once a sound follows it. */
  push(samples: Int16Array): void {
    for (const sample of samples) {
      const level = Math.abs(sample);
      this.#loudest = Math.max(this.#loudest, level);
      if (level * LOUD_TO_QUIET > this.#loudest) {
        if (this.#received - this.#soundEnd >= LEAST_SAMPLES) this.places.push(this.#soundEnd, this.#received);
        this.#soundEnd = this.#received + 1;
      }
      this.#received++;
    }
  }
}
