import { MARK_CAPACITY, type MarkKind, markSlot, type RingMemory, Slot } from './layout.js';

/**
 * The producer's end of a ring. Exactly one thread may own it; it never blocks, never allocates and never drops.
 *
 * What it writes becomes visible to the reader with one atomic store per call.
 */
export class RingWriter {
  readonly #header: Int32Array;
  readonly #samples: Int16Array;
  readonly #capacity: number;
  readonly #mirror: number;
  #write: number;
  #markWrite: number;
  /** The reader's positions as last seen: they only grow, so a stale one is merely cautious. */
  #read: number;
  #markRead: number;

  constructor(memory: RingMemory) {
    this.#header = memory.header;
    this.#samples = memory.samples;
    this.#capacity = memory.capacity;
    this.#mirror = memory.mirror;
    this.#write = Atomics.load(memory.header, Slot.write);
    this.#markWrite = Atomics.load(memory.header, Slot.markWrite);
    this.#read = Atomics.load(memory.header, Slot.read);
    this.#markRead = Atomics.load(memory.header, Slot.markRead);
  }

  /** Samples that may be written now. The reader may free more at any time. */
  get free(): number {
    this.#read = Atomics.load(this.#header, Slot.read);
    return this.#capacity - ((this.#write - this.#read) | 0);
  }

  /**
   * Copies as many of `samples[from, from + count)` as fit, and publishes them.
   *
   * @returns Samples written: fewer than `count` means that the ring is full, and the rest is still the caller's.
   */
  write(samples: Int16Array, from: number, count: number): number {
    let room = this.#capacity - ((this.#write - this.#read) | 0);
    if (room < count) room = this.free;
    const written = Math.min(count, room);
    if (written <= 0) return 0;
    const index = this.#write & (this.#capacity - 1);
    const first = Math.min(written, this.#capacity - index);
    this.#copy(samples, from, first, index);
    if (first < written) this.#copy(samples, from + first, written - first, 0);
    this.#write = (this.#write + written) | 0;
    Atomics.store(this.#header, Slot.write, this.#write);
    return written;
  }

  /**
   * Sets a mark at the current write position.
   *
   * @param serial - The utterance, an int32 from 1.
   * @returns False if the queue of marks is full: try again when the reader has come further.
   */
  mark(kind: MarkKind, serial: number): boolean {
    if (((this.#markWrite - this.#markRead) | 0) >= MARK_CAPACITY) {
      this.#markRead = Atomics.load(this.#header, Slot.markRead);
      if (((this.#markWrite - this.#markRead) | 0) >= MARK_CAPACITY) return false;
    }
    const slot = markSlot(this.#markWrite);
    this.#header[slot] = this.#write;
    this.#header[slot + 1] = kind;
    this.#header[slot + 2] = serial;
    this.#markWrite = (this.#markWrite + 1) | 0;
    Atomics.store(this.#header, Slot.markWrite, this.#markWrite);
    return true;
  }

  #copy(source: Int16Array, from: number, count: number, index: number): void {
    const whole = from === 0 && count === source.length;
    this.#samples.set(whole ? source : source.subarray(from, from + count), index);
    if (index < this.#mirror) {
      this.#samples.copyWithin(this.#capacity + index, index, Math.min(index + count, this.#mirror));
    }
  }
}
