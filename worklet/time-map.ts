/** Maximum number of points between the samples that were made and those that have played. */
const CAPACITY = 128;

/**
 * Maps made samples to read samples (see `SpeechFeed`), so that the position and the marks are those of the speech that
 * plays. It is piecewise linear between the added points, with a slope of 1 after the last one, and never decreases.
 *
 * Real-time safe after construction. Audio thread.
 */
export class TimeMap {
  readonly #made = new Float64Array(CAPACITY);
  readonly #speech = new Float64Array(CAPACITY);
  #head = 0;
  #length = 0;

  /** Drops all points but one, which maps sample 0 to sample 0. */
  reset(): void {
    this.#head = 0;
    this.#length = 0;
    this.add(0, 0);
  }

  /** Adds a point: speech sample `speech` plays at made sample `made`. Neither is less than in the previous point. */
  add(made: number, speech: number): void {
    if (this.#length === CAPACITY) this.#drop();
    const tail = (this.#head + this.#length) % CAPACITY;
    this.#made[tail] = made;
    this.#speech[tail] = speech;
    this.#length++;
  }

  #drop(): void {
    this.#head = (this.#head + 1) % CAPACITY;
    this.#length--;
  }

  /**
   * Returns the speech sample at made sample `made`, both integers. Drops the points before it, so `made` must not
   * decrease from call to call.
   */
  speechAt(made: number): number {
    while (this.#length > 1 && this.#made[(this.#head + 1) % CAPACITY]! <= made) this.#drop();
    const next = (this.#head + 1) % CAPACITY;
    const from = this.#made[this.#head]!;
    const speech = this.#speech[this.#head]!;
    if (this.#length === 1) return speech + made - from;
    const share = (made - from) / (this.#made[next]! - from);
    return Math.floor(speech + share * (this.#speech[next]! - speech));
  }
}
