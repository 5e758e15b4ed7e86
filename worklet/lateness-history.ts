/** Lateness is remembered for 10 s: `STEPS` steps of `STEP_SECONDS`. */
const STEPS = 20;
const STEP_SECONDS = 0.5;
/**
 * A source is live if the minimum lateness of at least half of the steps lies within `LIVE_SECONDS` of the overall
 * minimum, and at least `LIVE_STEPS` are remembered. Generated speech is faster or slower than real time, so its
 * lateness rises or falls steadily, and few steps are near the minimum.
 */
const LIVE_STEPS = 10;
const LIVE_SECONDS = 0.02;
/** Value greater than any lateness, in samples. */
const FAR = 2 ** 52;

/**
 * The lateness of the last ten seconds, as `Arrivals` measures it. All times are in samples.
 *
 * Real-time safe after construction. Audio thread.
 */
export class LatenessHistory {
  /** True if the source produces speech in real time, so that it never makes up for a delay. */
  isLive = false;
  /** Minimum and maximum lateness and its largest rise in each step. The arrays are circular. */
  readonly #lowest = new Float64Array(STEPS);
  readonly #highest = new Float64Array(STEPS);
  readonly #rise = new Float64Array(STEPS);
  readonly #stepSamples: number;
  readonly #liveSamples: number;
  /** The current step, and the number of complete steps that are remembered. */
  #step = 0;
  #steps = 0;
  #stepEnd = 0;
  /** Minimum lateness and largest rise of the complete steps. */
  #lowestBefore = FAR;
  #riseBefore = -FAR;

  /** @param sampleRate - Sample rate of the speech, in Hz. */
  constructor(sampleRate: number) {
    this.#stepSamples = STEP_SECONDS * sampleRate;
    this.#liveSamples = LIVE_SECONDS * sampleRate;
    this.#beginStep(0);
  }

  /** Largest rise of the lateness. */
  get rise(): number {
    const step = this.#step;
    return Math.max(this.#riseBefore, this.#rise[step]!, this.#highest[step]! - this.#lowestBefore);
  }

  get lowest(): number {
    return Math.min(this.#lowestBefore, this.#lowest[this.#step]!);
  }

  /** Begins a new step if it is time for it. Call it before `record`. */
  advance(now: number): void {
    if (now >= this.#stepEnd) this.#nextStep(now);
  }

  record(lateness: number): void {
    const step = this.#step;
    this.#lowest[step] = Math.min(this.#lowest[step]!, lateness);
    this.#highest[step] = Math.max(this.#highest[step]!, lateness);
    this.#rise[step] = Math.max(this.#rise[step]!, lateness - this.#lowest[step]);
  }

  #beginStep(now: number): void {
    this.#stepEnd = now + this.#stepSamples;
    this.#lowest[this.#step] = FAR;
    this.#highest[this.#step] = -FAR;
    this.#rise[this.#step] = 0;
  }

  #nextStep(now: number): void {
    this.#steps = Math.min(this.#steps + 1, STEPS - 1);
    this.#step = (this.#step + 1) % STEPS;
    this.#beginStep(now);
    this.#lowestBefore = FAR;
    this.#riseBefore = -FAR;
    for (let ago = this.#steps; ago > 0; ago--) {
      const step = (this.#step + STEPS - ago) % STEPS;
      this.#riseBefore = Math.max(this.#riseBefore, this.#rise[step]!, this.#highest[step]! - this.#lowestBefore);
      this.#lowestBefore = Math.min(this.#lowestBefore, this.#lowest[step]!);
    }
    let punctual = 0;
    for (let ago = this.#steps; ago > 0; ago--) {
      const lowest = this.#lowest[(this.#step + STEPS - ago) % STEPS]!;
      if (lowest <= this.#lowestBefore + this.#liveSamples) punctual++;
    }
    this.isLive = this.#steps >= LIVE_STEPS && 2 * punctual >= this.#steps;
  }
}
