import { LatenessHistory } from './lateness-history.js';

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
  readonly #history: LatenessHistory;
  /** True if speech arrived or was expected at the last call of `observe`. */
  #wasOpen = false;
  #write: number;
  /** Number of samples that have arrived so far. */
  #samples = 0;
  /** Time that does not count: before the first sample, and between utterances. */
  #idle = 0;
  /** Lateness as of the last call of `observe`. */
  #lateness = 0;

  /**
   * @param sampleRate - Sample rate of the speech, in Hz.
   * @param write - The ring's write position, int32.
   */
  constructor(sampleRate: number, write: number) {
    this.#history = new LatenessHistory(sampleRate);
    this.#write = write;
  }

  /** Largest rise of the lateness within the last ten seconds. */
  get rise(): number {
    return this.#history.rise;
  }

  /** Current lateness minus its minimum: speech that is missing now and will arrive if the network recovers. */
  get behind(): number {
    return this.#lateness - this.#history.lowest;
  }

  /** True if the source produces speech in real time, so that it never makes up for a delay. */
  get isLive(): boolean {
    return this.#history.isLive;
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
    this.#history.advance(now);
    // Lateness is greatest just before samples arrive, and least just after.
    this.#record(now);
    if (arrived === 0) return;
    this.#write = write;
    this.#samples += arrived;
    this.#record(now);
  }

  #record(now: number): void {
    this.#lateness = now - this.#samples - this.#idle;
    this.#history.record(this.#lateness);
  }
}
