/**
 * Counts the places where the sequence numbers of frames jump ahead. A number that repeats or falls back is no gap,
 * because a new context may start over.
 *
 * Never throws; one thread; no allocation.
 */
export class SequenceTracker {
  #last = -1;
  #gaps = 0;

  /** Number of jumps ahead so far, regardless of their size. */
  get gaps(): number {
    return this.#gaps;
  }

  /** Evaluates the sequence number of the next frame, an unsigned 32-bit integer. The first one sets the start. */
  observe(sequence: number): void {
    // The difference as a signed 32-bit number: a wrap from 2^32 - 1 to 0 is a step by one, and a fall is negative.
    if (this.#last >= 0 && ((sequence - this.#last) | 0) > 1) this.#gaps++;
    this.#last = sequence;
  }

  /** Forgets the last number, but not the count. Call it where a new numbering begins, which may start anywhere. */
  restart(): void {
    this.#last = -1;
  }
}
