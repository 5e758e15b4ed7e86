import { MarkKind, RingReader, type RingMemory, Slot } from '../src/ring/index.js';
import { MarkQueue } from './mark-queue.js';

/**
 * Reads utterances from the ring: knows which one it is inside of, where the run of speech without a hole ends that
 * it is reading, and what is cancelled.
 *
 * Real-time safe after construction. Audio thread.
 */
export class UtteranceReader {
  readonly ring: RingReader;
  /** Marks that have been read and are not heard yet. */
  readonly marks: MarkQueue;
  /** Utterance that it is inside of, 0 between utterances. */
  serial = 0;
  /** From the last `look`: samples that can be read, and whether the run of speech ends after them. */
  ahead = 0;
  ended = false;
  /** Number of the start mark that was last found to follow: from then on, it does, whatever becomes of it. */
  #joined = -1;

  constructor(memory: RingMemory) {
    const { header } = memory;
    this.ring = new RingReader(memory);
    this.ring.seek(Atomics.load(header, Slot.heard), Atomics.load(header, Slot.markRead));
    this.serial = Atomics.load(header, Slot.heardSerial);
    this.marks = new MarkQueue(this.ring);
  }

  /** An utterance has begun whose end has not come. */
  get open(): boolean {
    const { marks } = this.ring;
    return marks === 0 ? this.serial !== 0 : this.ring.markKind(marks - 1) === MarkKind.start;
  }

  /** Samples to the end mark `ahead` marks on, or -1 while the end is not known. */
  endDistance(ahead: number): number {
    return this.ring.marks > ahead ? this.ring.markDistance(ahead) : -1;
  }

  /**
   * Looks how far the run of speech goes: on into the next utterance if that one is complete or brings `target` samples.
   *
   * @param limit - Samples; what lies beyond is of no interest.
   */
  look(limit: number, target: number): void {
    const { ring } = this;
    const most = Math.min(limit, ring.available);
    let inside = this.serial !== 0 && !this.marks.full;
    let mark = 0;
    if (!this.marks.full) {
      for (; mark < ring.marks && ring.markDistance(mark) <= most; mark++) {
        if (!inside && !this.#goesOn(mark, target)) break;
        inside = !inside;
      }
    }
    this.ended = !inside;
    if (inside) this.ahead = most;
    else this.ahead = mark === 0 ? 0 : ring.markDistance(mark - 1);
  }

  /** True if the utterance whose start mark is `mark` marks on can follow without holding back, and so does. */
  #goesOn(mark: number, target: number): boolean {
    const { ring } = this;
    const index = (ring.markIndex + mark) | 0;
    if (index === this.#joined) return true;
    if (ring.isCancelled(ring.markSerial(mark))) return false;
    if (ring.marks <= mark + 1 && ring.available - ring.markDistance(mark) < target) return false;
    this.#joined = index;
    return true;
  }

  /**
   * Takes the marks that stand before the next sample of a run.
   *
   * @param made - Samples made of the run so far.
   */
  takeMarks(made: number): void {
    while (this.ring.marks > 0 && this.ring.markDistance(0) <= 0 && !this.marks.full) this.takeMark(made);
  }

  /** At the end of a run: takes the end mark of the utterance, if that is what ends it. */
  takeEnd(made: number): void {
    const { ring } = this;
    if (this.serial !== 0 && ring.marks > 0 && ring.markDistance(0) <= 0 && !this.marks.full) this.takeMark(made);
  }

  takeMark(made: number): void {
    this.serial = this.ring.markKind(0) === MarkKind.start ? this.ring.markSerial(0) : 0;
    this.marks.take(made);
  }

  /** Goes back to a mark that has been read, and is between utterances again. */
  rewind(markIndex: number): void {
    this.ring.rewind(markIndex);
    this.serial = 0;
  }

  /** Goes past utterances that are cancelled, as far as they are in the ring. Returns the samples skipped, or -1 for none. */
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
