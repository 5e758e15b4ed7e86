import type { MarkKind, RingReader } from '../src/ring/index.js';

/** Marks that may lie between what the resampler has read and what has been played; a power of two. */
const CAPACITY = 64;

/**
 * Marks that have been read from the ring and are not yet heard, oldest first. They stay in the ring until then.
 *
 * Real-time safe after construction. Audio thread.
 */
export class MarkQueue {
  length = 0;
  readonly #ring: RingReader;
  /** By number of the mark. */
  readonly #made = new Float64Array(CAPACITY);

  constructor(ring: RingReader) {
    this.#ring = ring;
  }

  get full(): boolean {
    return this.length === CAPACITY;
  }

  /**
   * Reads the next mark of the ring.
   *
   * @param made - Sample of the resampler's input, counted from its reset, before which it stands.
   */
  take(made: number): void {
    this.#made[this.#ring.markIndex & (CAPACITY - 1)] = made;
    this.#ring.takeMark();
    this.length++;
  }

  /** Of the oldest mark: its number in the ring. */
  get index(): number {
    return (this.#ring.markIndex - this.length) | 0;
  }

  get made(): number {
    return this.#made[this.index & (CAPACITY - 1)]!;
  }

  get kind(): MarkKind.Any {
    return this.#ring.markKind(-this.length);
  }

  get serial(): number {
    return this.#ring.markSerial(-this.length);
  }
}
