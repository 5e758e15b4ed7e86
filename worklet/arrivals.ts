/** Arrivals are remembered for 10 s: `STEPS` steps of `STEP_SECONDS`. */
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
 * Measures how late speech arrives, compared with a clock that plays it. Uses only the ring.
 *
 * The *lateness* of a sample is the time of its arrival minus the time at which it would play if the first sample had
 * played on arrival. A buffer must cover the rises of lateness: 200 ms for a stall of 200 ms, and also for speech that
 * arrives in pieces of 200 ms. Lateness falls while the source is faster than real time.
 *
 * All times are in samples. Real-time safe after construction. Audio thread.
 */
export class Arrivals {
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
  #isLive = false;
  /** True if speech arrived or was expected at the last call of `observe`. */
  #wasOpen = false;
  #write: number;
  /** Number of samples that have arrived so far. */
  #samples = 0;
  /** Time that does not count: before the first sample, and between utterances. */
  #idle = 0;
  #lateness = 0;

  /**
   * @param sampleRate - Sample rate of the speech, in Hz.
   * @param write - The ring's write position, int32.
   */
  constructor(sampleRate: number, write: number) {
    this.#stepSamples = STEP_SECONDS * sampleRate;
    this.#liveSamples = LIVE_SECONDS * sampleRate;
    this.#write = write;
    this.#beginStep(0);
  }

  /** Largest rise of the lateness within the last `STEPS` steps. */
  get rise(): number {
    const step = this.#step;
    return Math.max(this.#riseBefore, this.#rise[step]!, this.#highest[step]! - this.#lowestBefore);
  }

  /** Current lateness minus its minimum: speech that is missing now and will arrive if the network recovers. */
  get behind(): number {
    return this.#lateness - Math.min(this.#lowestBefore, this.#lowest[this.#step]!);
  }

  /** True if the source produces speech in real time, so that it never makes up for a delay. */
  get isLive(): boolean {
    return this.#isLive;
  }

  /**
   * Records what has arrived. Call it once per quantum.
   *
   * @param now - Time in samples.
   * @param write - The ring's write position, int32.
   * @param isOpen - True if an utterance has begun and its end has not arrived, so that more is expected.
   */
  observe(now: number, write: number, isOpen: boolean): void {
    const arrived = (write - this.#write) | 0;
    if (arrived === 0 && !isOpen) {
      this.#wasOpen = false;
      return;
    }
    if (!this.#wasOpen) {
      this.#wasOpen = true;
      // The lateness continues from its last value.
      this.#idle = now - this.#samples - this.#lateness;
    }
    if (now >= this.#stepEnd) this.#nextStep(now);
    // Lateness is greatest just before samples arrive, and least just after.
    this.#record(now);
    if (arrived === 0) return;
    this.#write = write;
    this.#samples += arrived;
    this.#record(now);
  }

  #record(now: number): void {
    const step = this.#step;
    const lateness = now - this.#samples - this.#idle;
    this.#lateness = lateness;
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
    this.#isLive = this.#steps >= LIVE_STEPS && 2 * punctual >= this.#steps;
  }
}
