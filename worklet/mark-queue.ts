import type { MarkKind, RingReader } from '../src/ring/index.js';

/** Maximum number of marks between those that were read and those that the output has passed; a power of two. */
const CAPACITY = 64;

/**
 * Marks that were read from the ring and that the output has not passed yet. They stay in the ring until then. The
 * getters `index`, `made`, `distance`, `kind` and `serial` are those of the oldest mark.
 *
 * Real-time safe after construction. Audio thread.
 */
export class MarkQueue {
  readonly #ring: RingReader;
  /** Position of each mark in the run, by the number of the mark. */
  readonly #made = new Float64Array(CAPACITY);
  #length = 0;

  constructor(ring: RingReader) {
    this.#ring = ring;
  }

  get length(): number {
    return this.#length;
  }

  get isFull(): boolean {
    return this.#length === CAPACITY;
  }

  /**
   * Reads the next mark of the ring.
   *
   * @param made - Number of input samples of the resampler that the run has made before the mark.
   */
  take(made: number): void {
    this.#made[this.#ring.markIndex & (CAPACITY - 1)] = made;
    this.#ring.takeMark();
    this.#length++;
  }

  removeOldest(): void {
    this.#length--;
  }

  clear(): void {
    this.#length = 0;
  }

  /** Number of the mark in the ring. If the queue is empty, the number of the next mark to read. */
  get index(): number {
    return (this.#ring.markIndex - this.#length) | 0;
  }

  /** Number of input samples of the resampler that the run has made before the mark. */
  get made(): number {
    return this.#made[this.index & (CAPACITY - 1)]!;
  }

  /** Number of samples from the ring's position to the mark; not positive. */
  get distance(): number {
    return this.#ring.markDistance(-this.#length);
  }

  get kind(): MarkKind.Any {
    return this.#ring.markKind(-this.#length);
  }

  get serial(): number {
    return this.#ring.markSerial(-this.#length);
  }
}
