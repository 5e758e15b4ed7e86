import type { MarkKind } from '../src/ring/index.js';

/** Marks that may lie between what the resampler has read and what has been played. */
const CAPACITY = 64;

/**
 * Marks that have been read from the ring and are not yet heard, oldest first.
 *
 * Real-time safe after construction. Audio thread.
 */
export class MarkQueue {
  /** Sample of the resampler's input, counted from its reset, before which the mark stands. */
  readonly #input = new Float64Array(CAPACITY);
  readonly #kind = new Int32Array(CAPACITY);
  readonly #serial = new Int32Array(CAPACITY);
  readonly #index = new Int32Array(CAPACITY);
  #head = 0;
  #length = 0;

  get length(): number {
    return this.#length;
  }

  get full(): boolean {
    return this.#length === CAPACITY;
  }

  push(input: number, kind: MarkKind.Any, serial: number, index: number): void {
    const tail = (this.#head + this.#length) % CAPACITY;
    this.#input[tail] = input;
    this.#kind[tail] = kind;
    this.#serial[tail] = serial;
    this.#index[tail] = index;
    this.#length++;
  }

  /** Of the oldest mark. */
  get input(): number {
    return this.#input[this.#head]!;
  }

  get kind(): MarkKind.Any {
    return this.#kind[this.#head]! as MarkKind.Any;
  }

  get serial(): number {
    return this.#serial[this.#head]!;
  }

  /** Its number in the ring. */
  get index(): number {
    return this.#index[this.#head]!;
  }

  /** Forgets the oldest mark. */
  shift(): void {
    this.#head = (this.#head + 1) % CAPACITY;
    this.#length--;
  }

  clear(): void {
    this.#length = 0;
  }
}
