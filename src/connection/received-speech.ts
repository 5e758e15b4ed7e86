import type { QuietRange, TapePlace } from './command.js';
import { KeptSamples } from './kept-samples.js';
import { QuietParts } from './quiet-parts.js';

/** An utterance of the received speech: its samples are at the positions `from` to `to`. */
export interface Section {
  serial: number;
  from: number;
  to: number;
  isComplete: boolean;
  /** Number of its first samples that will stay, whatever happens to its source. */
  firm: number;
  readonly detector: QuietParts;
}

/**
 * The speech that a speaker has received, one utterance after the other, as far as it is kept. Positions are in
 * samples, and count from the beginning of all speech. Worker thread.
 */
export class ReceivedSpeech {
  /** Number of samples to keep. Those that are still to play are kept in any case. */
  #limit = 0;
  /** Number of samples before the one that plays to keep, even if the others exceed the limit. */
  #behind = 0;
  readonly #samples: KeptSamples;
  #sections: Section[] = [];
  /** Quiet parts that `takeQuiet` has not returned. */
  readonly #quiet: QuietRange[] = [];
  #end = 0;
  /** Position before which everything was forgotten. */
  #floor = 0;
  #keptFrom = 0;

  /** @param pieceSamples - Number of samples that are kept in one array. */
  constructor(pieceSamples: number) {
    this.#samples = new KeptSamples(pieceSamples);
  }

  /** Position after the last sample. */
  get end(): number {
    return this.#end;
  }

  /** The oldest sample that is kept; null if there is none, or if the limit is 0. */
  get oldest(): TapePlace | null {
    if (this.#limit === 0) return null;
    const at = this.earliest;
    const section = this.#sections.find(({ to }) => to > at);
    return section ? { serial: section.serial, sample: at - section.from } : null;
  }

  /** The end of the newest utterance that has samples; null if there is none. */
  get newest(): TapePlace | null {
    const section = this.#sections.at(-1);
    return section ? { serial: section.serial, sample: section.to - section.from } : null;
  }

  /** Position of the oldest sample that is kept; the end if there is none. */
  get earliest(): number {
    return Math.max(this.#samples.oldest ?? this.#end, this.#keptFrom);
  }

  /** Position before which the limit kept nothing at the last call of `forget`. */
  get keptFrom(): number {
    return this.#keptFrom;
  }

  /** True if more is kept than the limit, because it is still to play. */
  get exceedsLimit(): boolean {
    return this.#keptFrom < this.#end - this.#limit;
  }

  /** True if samples are kept after they have played. */
  get hasHistory(): boolean {
    return this.#limit > 0;
  }

  /**
   * @param samples - Number of samples to keep from now on, apart from those that are still to play. Whole pieces are
   *   dropped, so slightly more takes memory.
   * @param behind - Number of samples before the one that plays to keep even then, up to `samples`.
   */
  setLimit(samples: number, behind: number): void {
    this.#limit = samples;
    this.#behind = Math.min(samples, behind);
  }

  /** Returns the quiet parts found since the last call. */
  takeQuiet(): QuietRange[] {
    return this.#quiet.splice(0);
  }

  /** Returns a section, if it is kept. */
  find(serial: number): Section | undefined {
    return this.#sections.find((section) => section.serial === serial);
  }

  /** Returns the last section if it is this utterance. */
  lastIf(serial: number): Section | undefined {
    const last = this.#sections.at(-1);
    return last?.serial === serial ? last : undefined;
  }

  /** Returns the section that follows another; null if it has yet to be received. */
  after(section: Section): Section | null {
    return this.#sections[this.#sections.indexOf(section) + 1] ?? null;
  }

  /** Returns the first section that is incomplete or has samples from a position on; null if there is none. */
  continuing(position: number): Section | null {
    return this.#sections.find(({ to, isComplete }) => to > position || !isComplete) ?? null;
  }

  /** Begins an utterance after all others. */
  begin(serial: number): Section {
    const detector = new QuietParts((from, to) => this.#quiet.push({ serial, from, to }));
    const section = { serial, from: this.#end, to: this.#end, isComplete: false, firm: Infinity, detector };
    this.#sections.push(section);
    return section;
  }

  /**
   * Adds samples to the last section.
   *
   * @param isPlayed - True if nobody needs them but the history.
   */
  add(section: Section, samples: Int16Array, isPlayed: boolean): void {
    if (this.#limit > 0 || !isPlayed) this.#samples.store(this.#end, samples);
    section.to = this.#end += samples.length;
  }

  /** Returns the samples of a section from a position on, which are kept, or the first of them. */
  view(section: Section, from: number): Int16Array {
    return this.#samples.view(from, section.to);
  }

  /** Completes a section. Returns false if it was complete. */
  complete(section: Section): boolean {
    if (section.isComplete) return false;
    section.isComplete = true;
    section.firm = Infinity;
    return true;
  }

  /**
   * Removes the samples of a section after the first `count`. What follows moves up.
   *
   * @returns Where what was at a position is now, or what follows it.
   */
  cut(section: Section, count: number): (position: number) => number {
    const from = section.from + count;
    const { to } = section;
    const removed = Math.max(0, to - from);
    const moved = (at: number): number => (at <= from ? at : Math.max(from, at - removed));
    if (removed > 0) {
      this.#samples.cut(from, to);
      section.detector.cutOff(count);
      for (const other of this.#sections) {
        if (other.from >= to) other.from -= removed;
        if (other.to >= to) other.to -= removed;
      }
      this.#floor = moved(this.#floor);
      this.#end -= removed;
    }
    return moved;
  }

  /** Removes a section that has no samples. */
  remove(section: Section): void {
    this.#sections = this.#sections.filter((other) => other !== section);
  }

  /** Forgets what is before a position. Takes effect with the next call of `forget`. */
  forgetBefore(position: number): void {
    this.#floor = position;
  }

  /**
   * Drops pieces beyond the limit, and complete sections that have no samples left.
   *
   * @param playing - Position of the sample that plays; everything from there on is kept.
   * @param current - This section and those that follow it stay; if null, there is none.
   */
  forget(playing: number, current: Section | null): void {
    this.#keptFrom = Math.max(this.#floor, Math.min(playing - this.#behind, this.#end - this.#limit));
    this.#samples.dropBefore(this.#keptFrom);
    const oldest = this.#oldestSample;
    const isGone = (section: Section): boolean => section !== current && section.isComplete && section.to <= oldest;
    while (this.#sections[0] && isGone(this.#sections[0])) this.#sections.shift();
  }

  /** Returns a copy of the kept samples of an utterance, or of all; null if part of the utterance is gone. */
  read(serial: number | null): Int16Array<ArrayBuffer> | null {
    const section = serial === null ? undefined : this.find(serial);
    if (serial !== null && !(section && section.from >= this.#oldestSample)) return null;
    return this.#samples.copy(section?.from ?? this.#oldestSample, section?.to ?? this.#end);
  }

  clear(): void {
    this.#samples.clear();
    this.#sections = [];
    this.#end = this.#floor = this.#keptFrom = 0;
  }

  get #oldestSample(): number {
    return Math.max(this.#floor, this.#samples.oldest ?? this.#end);
  }
}
