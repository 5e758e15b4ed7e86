import { MarkKind, type PortRing } from '../ring/index.js';
import type { KeptPart, QuietRange, SeekTarget, TapePlace } from './command.js';
import { KeptSamples } from './kept-samples.js';
import { QuietParts } from './quiet-parts.js';
import type { RingFeed } from './ring-feed.js';

/** Length of a piece of the tape in samples: 1 s at the usual 24 kHz. */
const PIECE_SAMPLES = 24_000;

/** Samples of an utterance: tape positions `from` to `to`. */
interface Section {
  serial: number;
  from: number;
  to: number;
  isComplete: boolean;
  /** Number of its first samples that will stay: see `push`. */
  firm: number;
  readonly detector: QuietParts;
}

interface Mark {
  readonly kind: MarkKind.Any;
  readonly serial: number;
}

/**
 * The received speech of a speaker, one utterance after the other, and a cursor. Samples before the cursor were written
 * to the ring; samples after it wait for room. No waiting sample is lost, and nothing blocks.
 *
 * The tape sets the marks: a start before the first sample of an utterance, an end after its last. An utterance without
 * samples has no marks. Samples before the cursor are kept for seeks, up to `limit` samples in all.
 *
 * If nothing is waiting, a frame is written to the ring immediately, without an intermediate copy; the tape has its own
 * copy. Worker thread.
 */
export class SpeechTape {
  /** Number of samples to keep, waiting ones included. Waiting samples are kept in any case. */
  #limit = 0;
  /** Number of samples before the one that plays to keep, even if the others exceed the limit. */
  #behind = 0;
  readonly #onChanged: () => void;
  #feed: RingFeed | null = null;
  readonly #samples: KeptSamples;
  #sections: Section[] = [];
  /** Index of the section that contains the cursor. */
  #current = 0;
  /** True once the start mark of that section is in the ring. */
  #hasBegun = false;
  #cursor = 0;
  /** The furthest position that the cursor has reached. */
  #frontier = 0;
  #end = 0;
  /** Marks to write before anything else. */
  #marks: Mark[] = [];
  /** Section after which nothing is written; null if there is none. */
  #last: Section | null = null;
  /** True once that section is in the ring. */
  #isHeld = false;
  /** Position before which everything was forgotten. */
  #floor = 0;
  /** Position before which the limit kept nothing at the last change. */
  #keptFrom = 0;
  /** True if the listener waits for the samples that are written next. */
  #isUrgent = false;
  /** Number of samples that are written ahead of what is heard even if they may be cut off. */
  #lead = Infinity;
  /** Quiet parts that `takeQuiet` has not returned. */
  readonly #quiet: QuietRange[] = [];

  /**
   * @param onChanged - Called when samples that waited for room were written, or when samples that have played were
   *   dropped.
   * @param pieceSamples - Number of samples that are kept in one array.
   */
  constructor(onChanged: () => void, pieceSamples: number = PIECE_SAMPLES) {
    this.#onChanged = onChanged;
    this.#samples = new KeptSamples(pieceSamples);
  }

  /** Number of waiting samples. */
  get waiting(): number {
    return this.#end - this.#cursor;
  }

  /** Number of samples that have never been written to a ring. */
  get fresh(): number {
    return this.#end - this.#frontier;
  }

  /** The oldest sample that is kept; null if there is none, or if the limit is 0. */
  get oldest(): TapePlace | null {
    if (this.#limit === 0) return null;
    const at = this.#earliest;
    const section = this.#sections.find(({ to }) => to > at);
    return section ? { serial: section.serial, sample: at - section.from } : null;
  }

  /** The end of the newest utterance that has samples; null if there is none. */
  get newest(): TapePlace | null {
    const section = this.#sections.at(-1);
    return section ? { serial: section.serial, sample: section.to - section.from } : null;
  }

  /** Returns the quiet parts found since the last call. */
  takeQuiet(): QuietRange[] {
    return this.#quiet.splice(0);
  }

  /**
   * @param samples - Number of samples to keep from now on, apart from those that are still to play. Whole pieces are
   *   dropped, so slightly more takes memory.
   * @param behind - Number of samples before the one that plays to keep even then, up to `samples`.
   */
  setLimit(samples: number, behind: number = 0): void {
    this.#limit = samples;
    this.#behind = Math.min(samples, behind);
    this.#forget();
  }

  /**
   * Replaces the feed, and closes the previous one. An utterance that has begun there begins again in the new one.
   *
   * @param feed - If null, everything waits.
   * @returns True if something was waiting.
   */
  attach(feed: RingFeed | null): boolean {
    this.#feed?.close();
    this.#feed = feed;
    this.#hasBegun = false;
    this.#marks = [];
    const wasWaiting = this.waiting > 0;
    this.#drain();
    return wasWaiting;
  }

  /** Continues with another processor; see `RingFeed.reconnect`. */
  reconnect(descriptor: PortRing<MessagePort>): void {
    this.#feed?.reconnect(descriptor);
  }

  /**
   * Adds samples to an utterance, which is the last one or a new one.
   *
   * @param samples - The feed may keep them. Do not modify them afterwards.
   * @param firm - Number of first samples of the utterance that will stay. Later ones may be cut off, so until the
   *   utterance ends they are written to the ring only shortly before they are heard: see `setLead`.
   */
  push(serial: number, samples: Int16Array, firm: number = Infinity): void {
    if (samples.length === 0) return;
    const section = this.#sectionFor(serial);
    section.firm = firm;
    section.detector.push(samples); // Before the feed takes them.
    const wasIdle = this.#isCaughtUp(section);
    const count = wasIdle && this.#begin(section) ? this.#writable(section, samples.length) : 0;
    const taken = count > 0 ? this.#feed!.write(samples, 0, count) : 0;
    if (this.#limit > 0 || taken < samples.length) this.#samples.store(this.#end, samples);
    this.#end += samples.length;
    section.to = this.#end;
    this.#advance(taken);
    if (wasIdle && taken < samples.length) this.#await();
  }

  #sectionFor(serial: number): Section {
    const last = this.#sections.at(-1);
    if (last?.serial === serial) return last;
    const detector = new QuietParts((from, to) => this.#quiet.push({ serial, from, to }));
    const section = { serial, from: this.#end, to: this.#end, isComplete: false, firm: Infinity, detector };
    this.#sections.push(section);
    return section;
  }

  /** True if everything before the end of `section`, the last one, is in the ring. */
  #isCaughtUp(section: Section): boolean {
    const isNext = this.#sections[this.#current] === section && this.#cursor === section.to;
    return this.#feed !== null && isNext && this.#marks.length === 0 && !this.#isHeld;
  }

  /** Ends an utterance. Does nothing if it has no samples or has ended already. */
  end(serial: number): void {
    const section = this.#sections.at(-1);
    if (section?.serial !== serial || section.isComplete) return;
    section.isComplete = true;
    section.firm = Infinity;
    this.#drain();
  }

  /** @param samples - Number of samples that are in the ring ahead of what is heard, even if they may be cut off. */
  setLead(samples: number): void {
    this.#lead = samples;
  }

  /** Changes the number of first samples of the last utterance that will stay; see `push`. */
  setFirm(serial: number, firm: number): void {
    const section = this.#sections.at(-1);
    if (section?.serial !== serial || section.isComplete || section.firm === firm) return;
    section.firm = firm;
    this.#drain();
  }

  /** Number of samples of the last utterance, `serial`, that were written to the ring. */
  written(serial: number): number {
    const section = this.#sections.at(-1);
    return section?.serial === serial ? Math.max(0, this.#frontier - section.from) : 0;
  }

  /**
   * Removes the samples of the last utterance after the first `count`, if they were not written to the ring.
   *
   * @returns Number of samples that the utterance has left.
   */
  cutOff(serial: number, count: number): number {
    const section = this.#sections.at(-1);
    if (section?.serial !== serial) return 0;
    const left = Math.min(section.to - section.from, Math.max(count, this.written(serial)));
    this.#cut(section, left);
    section.detector.cutOff(left);
    this.#advance(0);
    return left;
  }

  /**
   * Drops an utterance. If it has begun in the ring, it ends there.
   *
   * @param kept - The first samples to keep, as a complete utterance.
   */
  cancel(serial: number, kept?: Omit<KeptPart, 'serial'>): void {
    const index = this.#sections.findIndex((section) => section.serial === serial);
    const section = this.#sections[index];
    if (!section) return;
    const isCurrent = index === this.#current;
    if (isCurrent && this.#hasBegun) this.#marks.push({ kind: MarkKind.end, serial });
    if (isCurrent) this.#hasBegun = false;
    this.#cut(section, kept ? Math.min(kept.samples, section.to - section.from) : 0);
    if (isCurrent) this.#cursor = section.to;
    if (section.to === section.from) {
      this.#sections.splice(index, 1);
      if (index < this.#current) this.#current--;
    } else {
      section.serial = kept!.as;
      section.isComplete = true;
      section.firm = Infinity;
      if (isCurrent) this.#current++;
    }
    this.#advance(0);
    this.#drain();
  }

  /** Removes the samples after the first `count` of a section, and closes the gap. */
  #cut(section: Section, count: number): void {
    const from = section.from + count;
    const { to } = section;
    const removed = to - from;
    if (removed === 0) return;
    const moved = (at: number): number => (at <= from ? at : Math.max(from, at - removed));
    this.#samples.cut(from, to);
    for (const other of this.#sections) {
      if (other.from >= to) other.from -= removed;
      if (other.to >= to) other.to -= removed;
    }
    this.#cursor = moved(this.#cursor);
    this.#frontier = moved(this.#frontier);
    this.#floor = moved(this.#floor);
    this.#end -= removed;
  }

  /**
   * Moves the cursor, and writes the samples that follow it to the ring, after the mark of a seek.
   *
   * @param mark - Number of the seek; 0 if there is no ring.
   * @param target - Clamped to the kept range.
   * @param only - True to write nothing after the utterance of the target, until the next seek.
   * @param onSought - Called before anything is written, so that its report precedes the sound. `isKept` is false if the
   *   utterance of the target is no longer kept. Then the target is `fresh`.
   */
  seek(mark: number, target: SeekTarget, only: boolean, onSought?: (isKept: boolean) => void): void {
    const place = target === 'fresh' || 'after' in target ? null : target.at;
    const wanted = target === 'fresh' ? 0 : 'after' in target ? target.after : target.at.serial;
    const index = this.#sections.findIndex(({ serial }) => serial === wanted);
    const section = this.#sections[index];
    if (section) {
      this.#cursor = Math.max(this.#earliest, place ? Math.min(section.from + place.sample, section.to) : section.to);
      this.#current = !place && section.isComplete ? index + 1 : index;
    } else {
      this.#cursor = this.#frontier;
      this.#current = this.#sections.findIndex(({ to, isComplete }) => to > this.#frontier || !isComplete);
      if (this.#current < 0) this.#current = this.#sections.length;
    }
    this.#last = (only && section) || null;
    this.#isHeld = false;
    this.#hasBegun = false;
    this.#marks = mark > 0 ? [{ kind: MarkKind.seek, serial: mark }] : [];
    this.#isUrgent = true;
    this.#advance(0);
    onSought?.(section !== undefined || target === 'fresh');
    this.#drain();
  }

  /** Forgets the samples before the cursor; if there is an utterance `serial`, only the samples before it. */
  forgetBefore(serial: number): void {
    const section = this.#sections.find((other) => other.serial === serial);
    this.#floor = Math.min(this.#cursor, section?.from ?? this.#cursor);
    this.#forget();
  }

  /** Returns a copy of the kept samples of an utterance, or of all; null if part of the utterance is gone. */
  read(serial: number | null): Int16Array<ArrayBuffer> | null {
    const section = this.#sections.find((other) => other.serial === serial);
    const oldest = Math.max(this.#floor, this.#samples.oldest ?? this.#end);
    if (serial !== null && (!section || section.from < oldest)) return null;
    return this.#samples.copy(section?.from ?? oldest, section?.to ?? this.#end);
  }

  /** Drops everything. Used before speech of another sample rate. */
  clear(): void {
    this.#samples.clear();
    this.#sections = [];
    this.#marks = [];
    this.#current = 0;
    this.#hasBegun = false;
    this.#last = null;
    this.#isHeld = false;
    this.#cursor = this.#frontier = this.#end = this.#floor = this.#keptFrom = 0;
  }

  /** Drops everything and closes the feed. */
  close(): void {
    this.clear();
    this.attach(null);
  }

  // --- writing to the ring

  /** Writes the start mark of a section. Returns false if there is no room for it. */
  #begin(section: Section): boolean {
    this.#hasBegun ||= this.#feed!.mark(MarkKind.start, section.serial);
    return this.#hasBegun;
  }

  /** Writes the waiting marks and samples. */
  #drain(): void {
    if (this.#feed === null) return;
    this.#forget();
    const isWritten = this.#writeMarks() && this.#writeSections();
    if (isWritten) this.#isUrgent = false;
    // Samples beyond the limit that are still to play are dropped once they have played.
    if (!isWritten || this.#keptFrom < this.#end - this.#limit) this.#await();
  }

  /** Writes the waiting marks. Returns false if there is no room. */
  #writeMarks(): boolean {
    for (let mark = this.#marks[0]; mark; mark = this.#marks[0]) {
      if (!this.#feed!.mark(mark.kind, mark.serial)) return false;
      this.#marks.shift();
    }
    return true;
  }

  /** Writes the waiting samples, section by section. Returns false if there is no room. */
  #writeSections(): boolean {
    if (this.#isHeld) return true;
    for (let section = this.#sections[this.#current]; section; section = this.#sections[this.#current]) {
      if (!this.#begin(section)) return false;
      while (this.#cursor < section.to) if (!this.#writePiece(section)) return false;
      if (!section.isComplete) return true;
      if (!this.#feed!.mark(MarkKind.end, section.serial)) return false;
      this.#isHeld = this.#last === section;
      if (this.#isHeld) return true;
      this.#hasBegun = false;
      this.#current++;
    }
    return true;
  }

  /** Writes from the cursor to the end of its piece, but not beyond the section. Returns false if not all of that fits. */
  #writePiece(section: Section): boolean {
    const samples = this.#samples.view(this.#cursor, section.to);
    const count = this.#writable(section, samples.length);
    const taken = count > 0 ? this.#feed!.write(samples, 0, count) : 0;
    this.#advance(taken);
    return taken === samples.length;
  }

  /** Returns how many of the next `count` samples of a section may be written to the ring now. */
  #writable({ from, firm }: Section, count: number): number {
    const left = from + firm - this.#cursor;
    return left >= count ? count : Math.min(count, Math.max(left, this.#lead - this.#feed!.held));
  }

  #advance(count: number): void {
    this.#cursor += count;
    this.#frontier = Math.max(this.#frontier, this.#cursor);
    this.#forget();
  }

  #await(): void {
    this.#feed?.whenRoom(() => {
      const before = this.#cursor + this.#keptFrom;
      this.#drain();
      if (this.#cursor + this.#keptFrom > before) this.#onChanged();
    }, this.#isUrgent);
  }

  // --- the kept range

  /** Position of the oldest sample that is kept; the end if there is none. */
  get #earliest(): number {
    return Math.max(this.#samples.oldest ?? this.#end, this.#keptFrom);
  }

  /** Drops pieces beyond the limit, and complete sections that are written and have no samples left. */
  #forget(): void {
    const toPlay = (this.#limit && this.#feed?.held) || 0;
    this.#keptFrom = Math.max(this.#floor, Math.min(this.#cursor - toPlay - this.#behind, this.#end - this.#limit));
    this.#samples.dropBefore(this.#keptFrom);
    const oldest = Math.max(this.#floor, this.#samples.oldest ?? this.#end);
    while (this.#current > 0 && this.#sections[0]!.to <= oldest && this.#sections[0]!.isComplete) {
      this.#sections.shift();
      this.#current--;
    }
  }
}
