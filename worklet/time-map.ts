/** Bends between what has been made of the speech and what of that has been played. */
const CAPACITY = 128;

/**
 * Says which sample of the speech is heard at which sample of what was made of it by stretching and concealing.
 *
 * Between its points both go on alike or as a straight line leads; nothing ever goes back. Real-time safe after
 * construction. Audio thread.
 */
export class TimeMap {
  readonly #made = new Float64Array(CAPACITY);
  readonly #speech = new Float64Array(CAPACITY);
  #head = 0;
  #length = 0;

  /** Begins anew: sample 0 of one is sample 0 of the other. */
  reset(): void {
    this.#head = 0;
    this.#length = 0;
    this.go(0, 0);
  }

  /** From made sample `made` on, speech goes on from sample `speech`. */
  go(made: number, speech: number): void {
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

  /** Speech sample at made sample `made`, both whole; `made` must not be less than the last time. */
  at(made: number): number {
    while (this.#length > 1 && this.#made[(this.#head + 1) % CAPACITY]! <= made) this.#drop();
    const next = (this.#head + 1) % CAPACITY;
    const from = this.#made[this.#head]!;
    const speech = this.#speech[this.#head]!;
    if (this.#length === 1) return speech + made - from;
    const share = (made - from) / (this.#made[next]! - from);
    return Math.floor(speech + share * (this.#speech[next]! - speech));
  }
}
