/** Arrivals count for so long, in steps of so long. */
const MEMORY_SECONDS = 10;
const STEP_SECONDS = 0.5;
const STEPS = MEMORY_SECONDS / STEP_SECONDS;
/**
 * A source is paced in real time if in half of the steps, of at least so many, speech was as little late at best as in
 * all of them, but for so much. What is generated gains on real time, or loses, if only between two hiccups.
 */
const LIVE_STEPS = 10;
const LIVE_SECONDS = 0.02;
/** Later than anything comes, in samples. */
const FAR = 2 ** 52;

/**
 * What the network does, seen from the ring alone: how late speech gets, compared with a clock that plays it.
 *
 * The *lateness* of speech is the time when it came less the time that the speech before it plays. What a buffer has
 * to make up for is by how much lateness rises: by 200 ms in a stall of 200 ms, and also before each piece if speech
 * comes in pieces of 200 ms. From a source that is faster than real time it falls all the while.
 *
 * All in samples. Real-time safe after construction. Audio thread.
 */
export class Arrivals {
  /** Lowest and highest lateness, and its largest rise, of each step; a circle. */
  readonly #lowest = new Float64Array(STEPS);
  readonly #highest = new Float64Array(STEPS);
  readonly #rise = new Float64Array(STEPS);
  readonly #stepSamples: number;
  readonly #liveSamples: number;
  #step = 0;
  #steps = 0;
  #stepEnd = 0;
  /** Of the steps before this one. */
  #lowestBefore = FAR;
  #riseBefore = 0;
  #live = false;
  #open = false;
  #write: number;
  /** Samples that have come so far. */
  #samples = 0;
  /** Time that does not count: before the first word, and between utterances. */
  #idle = 0;
  #lateness = 0;

  /**
   * @param sampleRate - Of the speech, in Hz.
   * @param write - The ring's write position, int32.
   */
  constructor(sampleRate: number, write: number) {
    this.#stepSamples = STEP_SECONDS * sampleRate;
    this.#liveSamples = LIVE_SECONDS * sampleRate;
    this.#write = write;
    this.#beginStep(0);
  }

  /** By how much lateness has risen within `MEMORY_SECONDS`. */
  get rise(): number {
    const step = this.#step;
    return Math.max(this.#riseBefore, this.#rise[step]!, this.#highest[step]! - this.#lowestBefore);
  }

  /** How much later than at best it is now: what has come would have lasted so much longer. */
  get behind(): number {
    return this.#lateness - Math.min(this.#lowestBefore, this.#lowest[this.#step]!);
  }

  /** True if the source is known to be paced in real time: what is held back now will never be caught up by itself. */
  get live(): boolean {
    return this.#live;
  }

  /**
   * Takes note of what has come. Call it once per quantum.
   *
   * @param now - Time in samples.
   * @param write - The ring's write position, int32.
   * @param open - An utterance has begun whose end has not come: more is expected.
   */
  observe(now: number, write: number, open: boolean): void {
    const came = (write - this.#write) | 0;
    if (came === 0 && !open) {
      this.#open = false;
      return;
    }
    if (!this.#open) {
      this.#open = true;
      this.#idle = now - this.#samples - this.#lateness;
    }
    if (now >= this.#stepEnd) this.#nextStep(now);
    this.#note(now);
    if (came === 0) return;
    this.#write = write;
    this.#samples += came;
    this.#note(now);
  }

  #note(now: number): void {
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
    this.#riseBefore = 0;
    for (let ago = this.#steps; ago > 0; ago--) {
      const step = (this.#step + STEPS - ago) % STEPS;
      this.#riseBefore = Math.max(this.#riseBefore, this.#rise[step]!, this.#highest[step]! - this.#lowestBefore);
      this.#lowestBefore = Math.min(this.#lowestBefore, this.#lowest[step]!);
    }
    let atBest = 0;
    for (let ago = this.#steps; ago > 0; ago--) {
      const lowest = this.#lowest[(this.#step + STEPS - ago) % STEPS]!;
      if (lowest <= this.#lowestBefore + this.#liveSamples) atBest++;
    }
    this.#live = this.#steps >= LIVE_STEPS && 2 * atBest >= this.#steps;
  }
}
