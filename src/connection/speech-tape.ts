import { MarkKind, type PortRing } from '../ring/index.js';
import type { KeptPart, SeekTarget } from './command.js';
import { ReceivedSpeech, type Section } from './received-speech.js';
import type { RingFeed } from './ring-feed.js';

/** Length of a piece of the tape in samples: 1 s at the usual 24 kHz. */
const PIECE_SAMPLES = 24_000;

interface Mark {
  readonly kind: MarkKind.Any;
  readonly serial: number;
}

/**
 * The received speech of a speaker and a cursor. Samples before the cursor were written to the ring; samples after it
 * wait for room. No waiting sample is lost, and nothing blocks.
 *
 * The tape sets the marks: a start before the first sample of an utterance, an end after its last. An utterance without
 * samples has no marks. Samples before the cursor are kept for seeks, up to a limit.
 *
 * If nothing is waiting, a frame is written to the ring immediately, without an intermediate copy; the tape has its own
 * copy. Worker thread.
 */
export class SpeechTape {
  readonly received: ReceivedSpeech;
  readonly #onChanged: () => void;
  #feed: RingFeed | null = null;
  /** The section that contains the cursor, or that is held; null if it has yet to be received. */
  #current: Section | null = null;
  /** `within` once the start mark of that section is in the ring; `held` if nothing is written until the next seek. */
  #state: 'before' | 'within' | 'held' = 'before';
  #cursor = 0;
  /** The furthest position that the cursor has reached. */
  #frontier = 0;
  /** Marks to write before anything else. */
  #marks: Mark[] = [];
  /** Section after which nothing is written; null if there is none. */
  #last: Section | null = null;
  /** True if the listener waits for the samples that are written next. */
  #isUrgent = false;
  /** Number of samples that are written ahead of what is heard even if they may be cut off. */
  #lead = Infinity;

  /**
   * @param onChanged - Called when samples that waited for room were written, or when samples that have played were
   *   dropped.
   * @param pieceSamples - Number of samples that are kept in one array.
   */
  constructor(onChanged: () => void, pieceSamples: number = PIECE_SAMPLES) {
    this.#onChanged = onChanged;
    this.received = new ReceivedSpeech(pieceSamples);
  }

  /** Number of waiting samples. */
  get waiting(): number {
    return this.received.end - this.#cursor;
  }

  /** Number of samples that have never been written to a ring. */
  get fresh(): number {
    return this.received.end - this.#frontier;
  }

  /** Changes how much is kept; see `ReceivedSpeech.setLimit`. */
  setLimit(samples: number, behind: number = 0): void {
    this.received.setLimit(samples, behind);
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
    if (this.#state === 'within') this.#state = 'before';
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
    const section = this.received.lastIf(serial) ?? this.received.begin(serial);
    this.#current ??= section;
    section.firm = firm;
    section.detector.push(samples); // Before the feed takes them.
    const wasIdle = this.#isCaughtUp(section);
    const count = wasIdle && this.#begin(section) ? this.#writable(section, samples.length) : 0;
    const taken = count > 0 ? this.#feed!.write(samples, 0, count) : 0;
    this.received.add(section, samples, taken === samples.length);
    this.#advance(taken);
    if (wasIdle && taken < samples.length) this.#await();
  }

  /** True if everything before the end of `section`, the last one, is in the ring. */
  #isCaughtUp(section: Section): boolean {
    const isNext = this.#current === section && this.#cursor === section.to;
    return this.#feed !== null && isNext && this.#marks.length === 0 && this.#state !== 'held';
  }

  /** Ends an utterance. Does nothing if it has no samples or has ended already. */
  end(serial: number): void {
    const section = this.received.lastIf(serial);
    if (section && this.received.complete(section)) this.#drain();
  }

  /** @param samples - Number of samples that are in the ring ahead of what is heard, even if they may be cut off. */
  setLead(samples: number): void {
    this.#lead = samples;
  }

  /** Changes the number of first samples of the last utterance that will stay; see `push`. */
  setFirm(serial: number, firm: number): void {
    const section = this.received.lastIf(serial);
    if (!section || section.isComplete || section.firm === firm) return;
    section.firm = firm;
    this.#drain();
  }

  /** Number of samples of the last utterance, `serial`, that were written to the ring. */
  written(serial: number): number {
    const section = this.received.lastIf(serial);
    return section ? Math.max(0, this.#frontier - section.from) : 0;
  }

  /**
   * Removes the samples of the last utterance after the first `count`, if they were not written to the ring.
   *
   * @returns Number of samples that the utterance has left.
   */
  cutOff(serial: number, count: number): number {
    const section = this.received.lastIf(serial);
    if (!section) return 0;
    this.#cut(section, Math.max(count, this.written(serial)));
    return section.to - section.from;
  }

  /**
   * Drops an utterance. If it has begun in the ring, it ends there.
   *
   * @param kept - The first samples to keep, as a complete utterance.
   */
  cancel(serial: number, kept?: Omit<KeptPart, 'serial'>): void {
    const section = this.received.find(serial);
    if (!section) return;
    if (section === this.#current) {
      if (this.#state === 'within') {
        this.#marks.push({ kind: MarkKind.end, serial });
        this.#state = 'before';
      }
      this.#current = this.received.after(section);
      this.#cursor = section.to;
    }
    if (kept) section.serial = kept.as;
    this.received.complete(section);
    this.#cut(section, kept?.samples ?? 0);
    if (section.to === section.from) this.received.remove(section);
    this.#drain();
  }

  /** Removes the samples after the first `count` of a section, and closes the gap. */
  #cut(section: Section, count: number): void {
    const moved = this.received.cut(section, count);
    this.#cursor = moved(this.#cursor);
    this.#frontier = moved(this.#frontier);
    this.#advance(0);
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
    const { received } = this;
    const place = target === 'fresh' || 'after' in target ? null : target.at;
    const wanted = target === 'fresh' ? 0 : 'after' in target ? target.after : target.at.serial;
    const section = received.find(wanted);
    if (section) {
      const to = place ? Math.min(section.from + place.sample, section.to) : section.to;
      this.#cursor = Math.max(received.earliest, to);
      this.#current = !place && section.isComplete ? received.after(section) : section;
    } else {
      this.#cursor = this.#frontier;
      this.#current = received.continuing(this.#frontier);
    }
    this.#last = (only && section) || null;
    this.#state = 'before';
    this.#marks = mark > 0 ? [{ kind: MarkKind.seek, serial: mark }] : [];
    this.#isUrgent = true;
    this.#advance(0);
    onSought?.(section !== undefined || target === 'fresh');
    this.#drain();
  }

  /** Forgets the samples before the cursor; if there is an utterance `serial`, only the samples before it. */
  forgetBefore(serial: number): void {
    this.received.forgetBefore(Math.min(this.#cursor, this.received.find(serial)?.from ?? this.#cursor));
    this.#forget();
  }

  /** Drops everything. Used before speech of another sample rate. */
  clear(): void {
    this.received.clear();
    this.#marks = [];
    this.#current = this.#last = null;
    this.#state = 'before';
    this.#cursor = this.#frontier = 0;
  }

  /** Drops everything and closes the feed. */
  close(): void {
    this.clear();
    this.attach(null);
  }

  /** Writes the start mark of a section. Returns false if there is no room for it. */
  #begin(section: Section): boolean {
    if (this.#state === 'before' && this.#feed!.mark(MarkKind.start, section.serial)) this.#state = 'within';
    return this.#state === 'within';
  }

  /** Writes the waiting marks and samples. */
  #drain(): void {
    if (this.#feed === null) return;
    this.#forget();
    const isWritten = this.#writeMarks() && this.#writeSections();
    if (isWritten) this.#isUrgent = false;
    // Samples beyond the limit that are still to play are dropped once they have played.
    if (!isWritten || this.received.exceedsLimit) this.#await();
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
    for (let section = this.#current; section && this.#state !== 'held'; section = this.#current) {
      if (!this.#begin(section)) return false;
      while (this.#cursor < section.to) if (!this.#writePiece(section)) return false;
      if (!section.isComplete) return true;
      if (!this.#feed!.mark(MarkKind.end, section.serial)) return false;
      const isLast = this.#last === section;
      this.#state = isLast ? 'held' : 'before';
      if (!isLast) this.#current = this.received.after(section);
    }
    return true;
  }

  /** Writes from the cursor to the end of its piece, but not beyond the section. Returns false if not all of that fits. */
  #writePiece(section: Section): boolean {
    const samples = this.received.view(section, this.#cursor);
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
    const progress = (): number => this.#cursor + this.received.keptFrom;
    this.#feed?.whenRoom(() => {
      const before = progress();
      this.#drain();
      if (progress() > before) this.#onChanged();
    }, this.#isUrgent);
  }

  /** Drops what need not be kept. Without a history, that is all that was written. */
  #forget(): void {
    const toPlay = (this.received.hasHistory && this.#feed?.held) || 0;
    this.received.forget(this.#cursor - toPlay, this.#current);
  }
}
