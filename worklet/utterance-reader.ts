import { MarkKind, RingReader, type RingMemory, Slot } from '../src/ring/index.js';
import { MarkQueue } from './mark-queue.js';

/**
 * Reads utterances from the ring. Finds the end of the run that is being read, and skips cancelled utterances.
 *
 * Real-time safe after construction. Audio thread.
 */
export class UtteranceReader {
  readonly ring: RingReader;
  /** Marks that were read and that the output has not passed. */
  readonly marks: MarkQueue;
  /** Utterance at the ring's position; 0 between utterances. */
  serial: number;
  /** Result of the last `scan`: number of samples of the run that can be read, and true if the run ends after them. */
  ahead = 0;
  ended = false;
  /** Number of the last seek that was taken. */
  #seek: number;
  readonly #header: Int32Array;
  /** Number of the latest start mark that was joined to the run. It stays joined if its utterance is cancelled. */
  #joined = -1;

  /** Continues where the ring's previous consumer has stopped. */
  constructor(memory: RingMemory) {
    const { header } = memory;
    this.#header = header;
    this.#seek = Atomics.load(header, Slot.heardSeek);
    this.ring = new RingReader(memory);
    this.ring.seek(Atomics.load(header, Slot.heard), Atomics.load(header, Slot.markRead));
    this.serial = Atomics.load(header, Slot.heardSerial);
    this.marks = new MarkQueue(this.ring);
  }

  /** True if an utterance has begun and its end has not arrived. */
  get isOpen(): boolean {
    const { marks } = this.ring;
    return marks === 0 ? this.serial !== 0 : this.ring.markKind(marks - 1) === MarkKind.start;
  }

  /** Number of the last seek that was taken; 0 before the first. */
  get seekNumber(): number {
    return this.#seek;
  }

  /** True if the main thread has requested a seek that has not taken effect. */
  get isSeeking(): boolean {
    return Atomics.load(this.#header, Slot.seek) !== this.#seek;
  }

  /** True if utterance `serial` is cancelled; false for 0. */
  isCancelled(serial: number): boolean {
    return serial !== 0 && this.ring.isCancelled(serial);
  }

  /** Returns the number of samples to the end mark that is `ahead` marks away, or -1 if it has not arrived. */
  endDistance(ahead: number): number {
    return this.ring.marks > ahead ? this.ring.markDistance(ahead) : -1;
  }

  /**
   * Determines how far the run extends, and sets `ahead` and `ended`. The run includes the next utterance if that is
   * complete or has `joining` samples.
   *
   * @param limit - Maximum number of samples to examine.
   * @param joining - Number of samples that an incomplete utterance must have to join the run.
   */
  scan(limit: number, joining: number): void {
    const { ring } = this;
    const most = Math.min(limit, ring.available);
    let inside = this.serial !== 0 && !this.marks.isFull;
    let mark = 0;
    if (!this.marks.isFull) {
      for (; mark < ring.marks && ring.markDistance(mark) <= most; mark++) {
        if (!inside && !this.#join(mark, joining)) break;
        inside = !inside;
      }
    }
    this.ended = !inside;
    if (inside) this.ahead = most;
    else this.ahead = mark === 0 ? 0 : ring.markDistance(mark - 1);
  }

  /** Joins the utterance whose start mark is `mark` marks away to the run, if it can follow without a gap. */
  #join(mark: number, joining: number): boolean {
    const { ring } = this;
    const index = (ring.markIndex + mark) | 0;
    if (index === this.#joined) return true;
    if (ring.isCancelled(ring.markSerial(mark))) return false;
    if (ring.marks <= mark + 1 && ring.available - ring.markDistance(mark) < joining) return false;
    this.#joined = index;
    return true;
  }

  /**
   * Reads the marks before the next sample of a run.
   *
   * @param made - Number of samples of the run made so far.
   */
  takeMarks(made: number): void {
    while (this.ring.marks > 0 && this.ring.markDistance(0) <= 0 && !this.marks.isFull) this.takeMark(made);
  }

  /** Reads the end mark of the utterance, if the run ends with it. Call it at the end of a run. */
  takeEnd(made: number): void {
    const { ring } = this;
    if (this.serial !== 0 && ring.marks > 0 && ring.markDistance(0) <= 0 && !this.marks.isFull) this.takeMark(made);
  }

  /** Reads the next mark. */
  takeMark(made: number): void {
    this.serial = this.ring.markKind(0) === MarkKind.start ? this.ring.markSerial(0) : 0;
    this.marks.take(made);
  }

  /** Goes back to the oldest mark that was read, which is a start mark, and to its sample. */
  rewind(): void {
    this.ring.rewind(this.marks.index);
    this.serial = 0;
  }

  /**
   * Goes back to `position`, which is before the oldest mark that was read.
   *
   * @param serial - Utterance at `position`; 0 between utterances.
   */
  seek(position: number, serial: number): void {
    this.ring.seek(position, this.marks.index);
    this.serial = serial;
  }

  /** Releases everything before `position` to the producer, except marks that the output has not passed. */
  release(position: number): void {
    this.ring.release(position, this.marks.index);
  }

  /**
   * Skips the samples before the mark of the seek that the main thread has requested, as far as they have arrived.
   * Takes the seek if its mark has arrived. Call it between runs.
   *
   * @returns Number of samples skipped.
   */
  takeSeek(): number {
    const { ring } = this;
    const from = ring.position;
    const wanted = Atomics.load(this.#header, Slot.seek);
    this.serial = 0;
    while (ring.marks > 0 && this.isSeeking) {
      ring.advance(ring.markDistance(0));
      const isSeek = ring.markKind(0) === MarkKind.seek;
      if (isSeek && ring.markSerial(0) === wanted) this.#seek = wanted;
      ring.takeMark();
    }
    if (this.isSeeking) ring.advance(ring.available);
    return (ring.position - from) | 0;
  }

  /** Reports to the other threads that the seek was taken. Call it after the statistics were updated for the seek. */
  confirmSeek(): void {
    Atomics.store(this.#header, Slot.heardSeek, this.#seek);
  }

  /**
   * Skips the next cancelled utterances, as far as they have arrived.
   *
   * @returns Number of samples skipped; -1 if the next utterance is not cancelled.
   */
  skipCancelled(): number {
    const { ring } = this;
    let skipped = -1;
    for (;;) {
      if (this.serial === 0) {
        if (ring.marks === 0 || !ring.isCancelled(ring.markSerial(0))) return skipped;
        this.serial = ring.markSerial(0);
        ring.takeMark();
      }
      if (!ring.isCancelled(this.serial)) return skipped;
      const end = this.endDistance(0);
      const count = end >= 0 ? end : ring.available;
      ring.advance(count);
      skipped = Math.max(0, skipped) + count;
      if (end < 0) return skipped;
      ring.takeMark();
      this.serial = 0;
    }
  }
}
