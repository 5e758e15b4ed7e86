import { cancelSlot, markSlot, type MarkKind, type RingMemory, Slot } from './layout.js';

/**
 * The consumer's end of a ring. Audio thread only; real-time safe: no allocation, no lock, O(1) per call.
 *
 * It reads ahead of what it gives back: `position` and `markIndex` say how far it has read, `release` tells the
 * producer what may be overwritten. In between, it may go back with `rewind`.
 */
export class RingReader {
  /** The ring's samples and their mirror; the one at `position` has the index `index`. */
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
   * Takes note of what the producer has published. Call it once per quantum.
   *
   * The sample position is read before the marks: a start mark is written before its samples, so that every sample
   * seen has its start mark.
   */
  refresh(): void {
    this.#write = Atomics.load(this.#header, Slot.write);
    this.#markWrite = Atomics.load(this.#header, Slot.markWrite);
  }

  /** Position of the next sample to read: int32, wraps. */
  get position(): number {
    return this.#position;
  }

  /** Samples between `position` and the last one published at `refresh`, those of cancelled utterances included. */
  get available(): number {
    return (this.#write - this.#position) | 0;
  }

  /** Index into `samples` of the next sample. */
  get index(): number {
    return this.#position & this.#mask;
  }

  /**
   * Index into `samples` of the sample `back` samples before `position`, which must not have been released. The samples
   * between them follow it in one piece if there are not more than the mirror has.
   */
  indexBack(back: number): number {
    return (this.#position - back) & this.#mask;
  }

  /** Samples that lie in one piece from `index` on, the mirror included: more than the mirror has, wherever it is. */
  get contiguous(): number {
    return this.samples.length - this.index;
  }

  /** Goes `count` samples on; not beyond `available`. */
  advance(count: number): void {
    this.#position = (this.#position + count) | 0;
  }

  /** Number of the next mark to read. */
  get markIndex(): number {
    return this.#markIndex;
  }

  /** Marks between `markIndex` and the last one published at `refresh`. */
  get marks(): number {
    return (this.#markWrite - this.#markIndex) | 0;
  }

  /** Samples from `position` to the mark `ahead` marks on (0 is the next one). */
  markDistance(ahead: number): number {
    return (this.#header[markSlot(this.#markIndex + ahead)]! - this.#position) | 0;
  }

  markKind(ahead: number): MarkKind.Any {
    return this.#header[markSlot(this.#markIndex + ahead) + 1]! as MarkKind.Any;
  }

  markSerial(ahead: number): number {
    return this.#header[markSlot(this.#markIndex + ahead) + 2]!;
  }

  /** Goes past the next mark. */
  takeMark(): void {
    this.#markIndex = (this.#markIndex + 1) | 0;
  }

  /** Goes back to mark number `markIndex`, which must not have been released, and to its sample. */
  rewind(markIndex: number): void {
    this.#markIndex = markIndex;
    this.#position = this.#header[markSlot(markIndex)]!;
  }

  /** Goes back to a sample and a mark that have not been released. */
  seek(position: number, markIndex: number): void {
    this.#position = position;
    this.#markIndex = markIndex;
  }

  /** True if the main thread has cancelled utterance `serial`. */
  isCancelled(serial: number): boolean {
    return Atomics.load(this.#header, cancelSlot(serial)) === serial;
  }

  /** Gives everything before `position` and `markIndex` back to the producer. */
  release(position: number, markIndex: number): void {
    Atomics.store(this.#header, Slot.read, position);
    Atomics.store(this.#header, Slot.markRead, markIndex);
  }
}
