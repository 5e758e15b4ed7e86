import { MARK_CAPACITY, type MarkKind, markSlot, type RingMemory, Slot } from './layout.js';

/**
 * The producer's end of a ring. It never blocks, allocates or drops anything. Each call publishes what it has written
 * with one atomic store. One thread.
 */
export class RingWriter {
  readonly #header: Int32Array;
  readonly #samples: Int16Array;
  readonly #capacity: number;
  readonly #mirror: number;
  #write: number;
  #markWrite: number;

  constructor(memory: RingMemory) {
    this.#header = memory.header;
    this.#samples = memory.samples;
    this.#capacity = memory.capacity;
    this.#mirror = memory.mirror;
    this.#write = Atomics.load(memory.header, Slot.write);
    this.#markWrite = Atomics.load(memory.header, Slot.markWrite);
  }

  /** Number of samples that the reader has not released yet. It can release them at any time. */
  get held(): number {
    return (this.#write - Atomics.load(this.#header, Slot.read)) | 0;
  }

  /** Number of samples that can be written now. */
  get free(): number {
    return this.#capacity - this.held;
  }

  /**
   * Copies as many of `samples[from, from + count)` as fit, and publishes them.
   *
   * @returns Number of samples written. If it is less than `count`, the ring is full: write the rest later.
   */
  write(samples: Int16Array, from: number, count: number): number {
    const written = Math.min(count, this.free);
    if (written <= 0) return 0;
    this.#copy(samples, from, written);
    this.#write = (this.#write + written) | 0;
    Atomics.store(this.#header, Slot.write, this.#write);
    return written;
  }

  /**
   * Sets a mark at the current write position.
   *
   * @param serial - Serial of the utterance, an int32 from 1; for a seek mark, the number of the seek.
   * @returns False if the queue of marks is full. The caller tries again later.
   */
  mark(kind: MarkKind.Any, serial: number): boolean {
    if (((this.#markWrite - Atomics.load(this.#header, Slot.markRead)) | 0) >= MARK_CAPACITY) return false;
    const slot = markSlot(this.#markWrite);
    this.#header[slot] = this.#write;
    this.#header[slot + 1] = kind;
    this.#header[slot + 2] = serial;
    this.#markWrite = (this.#markWrite + 1) | 0;
    Atomics.store(this.#header, Slot.markWrite, this.#markWrite);
    return true;
  }

  /**
   * Copies a whole array with one `set`, which may reach beyond the ring's end into the mirror. For a part of an array,
   * `set` would need a view, which is garbage, so the part is copied sample by sample. That happens only if the ring is
   * nearly full.
   */
  #copy(source: Int16Array, from: number, count: number): void {
    const samples = this.#samples;
    const capacity = this.#capacity;
    const mirror = this.#mirror;
    const mask = capacity - 1;
    const index = this.#write & mask;
    const end = index + count;
    const beyond = end - capacity;
    if (count === source.length && beyond <= mirror) {
      samples.set(source, index);
      if (beyond > 0) samples.copyWithin(0, capacity, end);
    } else {
      for (let i = 0; i < count; i++) samples[(index + i) & mask] = source[from + i]!;
      if (beyond > 0) samples.copyWithin(capacity, 0, Math.min(beyond, mirror));
    }
    if (index < mirror) samples.copyWithin(capacity + index, index, Math.min(end, mirror));
  }
}
