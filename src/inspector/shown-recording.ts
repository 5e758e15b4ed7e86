import type { Reading } from './reading.js';
import type { SpeakerRecorder } from './recorder.js';
import type { SpeakerEventRecord, SpeakerRecording } from './recording.js';
import { indexAt, pan, reveal, type TimeRange, type TimeView, zoom } from './time-view.js';
import { type DryTime, underrunsOf } from './underruns.js';

/** How much is shown at first, in seconds. */
const SPAN_SECONDS = 10;

/** What an inspector shows: the present, what was held of it, or a recording of elsewhere; and which part of it. */
export class ShownRecording {
  /** A recording that was imported, and the name of its file. */
  imported: { readonly name: string; readonly recording: SpeakerRecording } | null = null;
  /** Where the cursor stands, in seconds; null if there is none. */
  cursorSeconds: number | null = null;
  #recorder: SpeakerRecorder | null = null;
  /** What had been recorded when it was held; null while it moves with the present. */
  #held: Pick<SpeakerRecording, 'readings' | 'events'> | null = null;
  #view: TimeView = { toSeconds: 0, spanSeconds: SPAN_SECONDS };

  /** Where the present comes from; null if there is none. */
  get recorder(): SpeakerRecorder | null {
    return this.#recorder;
  }

  set recorder(recorder: SpeakerRecorder | null) {
    if (recorder !== this.#recorder) this.#held = null;
    this.#recorder = recorder;
  }

  get readings(): readonly Reading[] {
    return this.#source?.readings ?? [];
  }

  get events(): readonly SpeakerEventRecord[] {
    return this.#source?.events ?? [];
  }

  get underruns(): DryTime[] {
    return underrunsOf(this.readings, this.events);
  }

  get #source(): Pick<SpeakerRecording, 'readings' | 'events'> | null {
    return this.imported?.recording ?? this.#held ?? this.#recorder;
  }

  get following(): boolean {
    return !this.#held && !this.imported;
  }

  /** What there is to be shown. */
  get range(): TimeRange {
    const { readings, following } = this;
    const last = readings.at(-1)?.atSeconds ?? 0;
    const toSeconds = following && this.#recorder ? Math.max(last, this.#recorder.nowSeconds) : last;
    return { fromSeconds: readings[0]?.atSeconds ?? 0, toSeconds };
  }

  /** What is in sight; while it follows, up to the present. */
  get view(): TimeView {
    if (this.following) {
      this.#view = pan(this.#view, Number.POSITIVE_INFINITY, this.range);
      const { toSeconds, spanSeconds } = this.#view;
      // It marks a moment, which has gone by.
      if (this.cursorSeconds !== null && this.cursorSeconds < toSeconds - spanSeconds) this.cursorSeconds = null;
    }
    return this.#view;
  }

  /** The time that figures are of: the cursor's, else the end of what is in sight. */
  get atSeconds(): number {
    const { fromSeconds, toSeconds } = this.range;
    return Math.min(toSeconds, Math.max(fromSeconds, this.cursorSeconds ?? this.view.toSeconds));
  }

  /** Index of the reading at that time; -1 if there is none. */
  get index(): number {
    return indexAt(this.readings, this.atSeconds);
  }

  /** Stands still. */
  hold(): void {
    if (this.following) this.#held = { readings: this.readings.slice(), events: this.events.slice() };
  }

  /** Moves with the present. */
  follow(): void {
    this.imported = null;
    this.#held = null;
    this.cursorSeconds = null;
    // After a look at a few milliseconds, those would fly by.
    this.#view = { ...this.#view, spanSeconds: Math.max(this.#view.spanSeconds, 1) };
  }

  /** Shows all there is. */
  showAll(): void {
    const { fromSeconds, toSeconds } = this.range;
    this.#view = { toSeconds, spanSeconds: Math.max(1, toSeconds - fromSeconds) };
  }

  /** Shows `factor` times as much, about the cursor or another time; while it follows, up to the present. */
  zoom(factor: number, anchorSeconds = this.cursorSeconds ?? this.view.toSeconds): void {
    const { range, view } = this;
    this.#view = zoom(view, factor, this.following ? range.toSeconds : anchorSeconds, range);
  }

  /** Holds, and moves by `seconds`. */
  pan(seconds: number): void {
    const { view } = this;
    this.hold();
    this.#view = pan(view, seconds, this.range);
  }

  /** Holds, and puts the cursor to a time that there is, in sight. */
  point(seconds: number): void {
    const { view } = this;
    this.hold();
    const { fromSeconds, toSeconds } = this.range;
    this.cursorSeconds = Math.min(toSeconds, Math.max(fromSeconds, seconds));
    this.#view = reveal(view, this.cursorSeconds, this.range);
  }
}
