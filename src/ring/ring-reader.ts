import { cancelSlot, markSlot, type MarkKind, type RingMemory, Slot } from './layout.js';

/**
 * The consumer's end of a ring.
 *
 * Reading and releasing are separate. `position` and `markIndex` point to what is read next. `release` lets the
 * producer overwrite what lies before. Samples that were read and not released can be read again after `rewind` or
 * `seek`.
 *
 * Real-time safe: no allocation, no lock, O(1) per call. Audio thread.
 */
export class RingReader {
  /** The ring's samples and their mirror. The sample at `position` has the index `index`. */
  readonly samples: Int16Array;
  readonly #header: Int32Array;
  readonly #mask: number;
  #position: number;
  #markIndex: number;
  #write: number;
  #markWrite: number;

  constructor(memory: RingMemory) {
    this.samples = memory.samples;
    this.#header = memory.header;
    this.#mask = memory.capacity - 1;
    this.#position = Atomics.load(memory.header, Slot.read);
    this.#markIndex = Atomics.load(memory.header, Slot.markRead);
    this.#write = this.#position;
    this.#markWrite = this.#markIndex;
  }

  /**
   * Loads the positions that the producer has published. Call it once per quantum.
   *
   * The position of the samples is loaded before that of the marks. A start mark is written before its samples, so the
   * start mark of every visible sample is visible too.
   */
  refresh(): void {
    this.#write = Atomics.load(this.#header, Slot.write);
    this.#markWrite = Atomics.load(this.#header, Slot.markWrite);
  }

  /** Position of the next sample, an int32 that wraps. */
  get position(): number {
    return this.#position;
  }

  /** Number of samples from `position` to the last one published at `refresh`, cancelled ones included. */
  get available(): number {
    return (this.#write - this.#position) | 0;
  }

  /** Index into `samples` of the next sample. */
  get index(): number {
    return this.#position & this.#mask;
  }

  /**
   * Returns the index into `samples` of the sample `back` samples before `position`, which must not have been released.
   * The samples between them follow it in one piece if they are not more than the mirror has.
   */
  indexBack(back: number): number {
    return (this.#position - back) & this.#mask;
  }

  /** Number of samples in one piece from `index` on, the mirror included. Always more than the mirror has. */
  get contiguous(): number {
    return this.samples.length - this.index;
  }

  /** Moves the position by `count` samples, at most `available`. */
  advance(count: number): void {
    this.#position = (this.#position + count) | 0;
  }

  /** Number of the next mark. */
  get markIndex(): number {
    return this.#markIndex;
  }

  /** Number of marks from `markIndex` to the last one published at `refresh`. */
  get marks(): number {
    return (this.#markWrite - this.#markIndex) | 0;
  }

  /** Returns the samples from `position` to the mark `ahead` marks away; 0 is the next mark, -1 the one before it. */
  markDistance(ahead: number): number {
    return (this.#header[markSlot(this.#markIndex + ahead)]! - this.#position) | 0;
  }

  markKind(ahead: number): MarkKind.Any {
    return this.#header[markSlot(this.#markIndex + ahead) + 1]! as MarkKind.Any;
  }

  markSerial(ahead: number): number {
    return this.#header[markSlot(this.#markIndex + ahead) + 2]!;
  }

  /** Moves past the next mark. */
  takeMark(): void {
    this.#markIndex = (this.#markIndex + 1) | 0;
  }

  /** Moves back to mark number `markIndex`, which must not have been released, and to its sample. */
  rewind(markIndex: number): void {
    this.#markIndex = markIndex;
    this.#position = this.#header[markSlot(markIndex)]!;
  }

  /** Moves to a sample and a mark, which must not have been released. */
  seek(position: number, markIndex: number): void {
    this.#position = position;
    this.#markIndex = markIndex;
  }

  /** True if the main thread has cancelled utterance `serial`. */
  isCancelled(serial: number): boolean {
    return Atomics.load(this.#header, cancelSlot(serial)) === serial;
  }

  /** Lets the producer overwrite everything before `position` and `markIndex`. */
  release(position: number, markIndex: number): void {
    Atomics.store(this.#header, Slot.read, position);
    Atomics.store(this.#header, Slot.markRead, markIndex);
  }
}
