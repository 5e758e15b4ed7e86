import { indexAt, type Underrun, underrunsOf } from './measures.js';
import type { Reading, SpeakerEventRecord, SpeakerRecording } from './recording.js';
import type { SpeakerRecorder } from './speaker-recorder.js';

/** Zoom factor of one key press or click. */
export const ZOOM_STEP = 2;

/** Shortest visible span, in seconds: a few readings. */
export const SPAN_MIN_SECONDS = 0.25;

/** Span that is visible at first, in seconds. */
const SPAN_SECONDS = 10;

/** The visible part of a recording, in seconds on its clock. */
export interface TimeWindow {
  /** The right edge. */
  readonly toSeconds: number;
  readonly spanSeconds: number;
}

/** Start and end of a recording, in seconds on its clock. */
export interface TimeRange {
  readonly fromSeconds: number;
  readonly toSeconds: number;
}

/** The part of a recording that is drawn. */
type History = Pick<SpeakerRecording, 'readings' | 'events'>;

/** The recording that an inspector shows (live, paused or imported), its visible part, and the cursor. */
export class RecordingView {
  /** Imported recording and the name of its file; null while none is shown. */
  imported: { readonly name: string; readonly recording: SpeakerRecording } | null = null;
  /** Time of the cursor, in seconds; null while it is hidden. */
  cursorSeconds: number | null = null;
  #recorder: SpeakerRecorder | null = null;
  /** Copy of the recorder's history; null while the view is live. */
  #frozen: History | null = null;
  #visible: TimeWindow = { toSeconds: 0, spanSeconds: SPAN_SECONDS };

  /** Source of the live recording; null without a speaker. */
  get recorder(): SpeakerRecorder | null {
    return this.#recorder;
  }

  set recorder(recorder: SpeakerRecorder | null) {
    if (recorder !== this.#recorder) this.#frozen = null;
    this.#recorder = recorder;
  }

  get readings(): readonly Reading[] {
    return this.#history?.readings ?? [];
  }

  get events(): readonly SpeakerEventRecord[] {
    return this.#history?.events ?? [];
  }

  get underruns(): Underrun[] {
    return underrunsOf(this.readings, this.events);
  }

  get #history(): History | null {
    return this.imported?.recording ?? this.#frozen ?? this.#recorder;
  }

  /** True while the right edge is the current time. */
  get isLive(): boolean {
    return !this.#frozen && !this.imported;
  }

  get range(): TimeRange {
    const { readings, isLive } = this;
    const last = readings.at(-1)?.atSeconds ?? 0;
    const toSeconds = isLive && this.#recorder ? Math.max(last, this.#recorder.nowSeconds) : last;
    return { fromSeconds: readings[0]?.atSeconds ?? 0, toSeconds };
  }

  get visible(): TimeWindow {
    if (this.isLive) {
      this.#visible = pan(this.#visible, Number.POSITIVE_INFINITY, this.range);
      const { toSeconds, spanSeconds } = this.#visible;
      // The cursor keeps its time, which has scrolled out of sight, so hide it.
      if (this.cursorSeconds !== null && this.cursorSeconds < toSeconds - spanSeconds) this.cursorSeconds = null;
    }
    return this.#visible;
  }

  /** Time of the displayed figures: the cursor, or the right edge if the cursor is hidden. */
  get atSeconds(): number {
    return clamp(this.cursorSeconds ?? this.visible.toSeconds, this.range);
  }

  /** Index of the reading at `atSeconds`; -1 if there is none. */
  get index(): number {
    return indexAt(this.readings, this.atSeconds);
  }

  /** Stops following the current time. Recording continues. */
  freeze(): void {
    if (this.isLive) this.#frozen = { readings: this.readings.slice(), events: this.events.slice() };
  }

  /** Follows the current time, without a cursor or an imported recording. */
  follow(): void {
    this.imported = null;
    this.#frozen = null;
    this.cursorSeconds = null;
    // A live span of a few milliseconds would be unreadable.
    this.#visible = { ...this.#visible, spanSeconds: Math.max(this.#visible.spanSeconds, 1) };
  }

  /** Makes the whole recording visible. */
  showAll(): void {
    const { fromSeconds, toSeconds } = this.range;
    this.#visible = { toSeconds, spanSeconds: Math.max(1, toSeconds - fromSeconds) };
  }

  /**
   * Multiplies the visible span by `factor`.
   *
   * @param anchorSeconds - Time that keeps its place; ignored while live, because then the right edge keeps its place.
   */
  zoom(factor: number, anchorSeconds = this.cursorSeconds ?? this.visible.toSeconds): void {
    const { range, visible } = this;
    this.#visible = zoom(visible, factor, this.isLive ? range.toSeconds : anchorSeconds, range);
  }

  /** Freezes the view and moves the visible part by `seconds`. */
  pan(seconds: number): void {
    const { visible } = this;
    this.freeze();
    this.#visible = pan(visible, seconds, this.range);
  }

  /** Freezes the view and moves the cursor to `seconds`, which becomes visible. */
  moveCursor(seconds: number): void {
    const { visible } = this;
    this.freeze();
    this.cursorSeconds = clamp(seconds, this.range);
    this.#visible = reveal(visible, this.cursorSeconds, this.range);
  }
}

/** Multiplies the span by `factor`, within `SPAN_MIN_SECONDS` and the range. `anchorSeconds` keeps its place. */
export function zoom(visible: TimeWindow, factor: number, anchorSeconds: number, range: TimeRange): TimeWindow {
  const spanMaxSeconds = Math.max(SPAN_MIN_SECONDS, range.toSeconds - range.fromSeconds);
  const spanSeconds = Math.min(spanMaxSeconds, Math.max(SPAN_MIN_SECONDS, visible.spanSeconds * factor));
  const share = (visible.toSeconds - anchorSeconds) / visible.spanSeconds;
  return pan({ toSeconds: anchorSeconds + share * spanSeconds, spanSeconds }, 0, range);
}

/** Moves the window by `seconds` within the range. A range shorter than the span is aligned to the left edge. */
export function pan(visible: TimeWindow, seconds: number, range: TimeRange): TimeWindow {
  const toMinSeconds = range.fromSeconds + visible.spanSeconds;
  return { ...visible, toSeconds: Math.max(toMinSeconds, Math.min(range.toSeconds, visible.toSeconds + seconds)) };
}

/** Moves the window until `seconds` is visible, a quarter of the span from the edge. No change if it is visible. */
export function reveal(visible: TimeWindow, seconds: number, range: TimeRange): TimeWindow {
  const fromSeconds = visible.toSeconds - visible.spanSeconds;
  const margin = visible.spanSeconds / 4;
  if (seconds < fromSeconds) return pan(visible, seconds - fromSeconds - margin, range);
  if (seconds > visible.toSeconds) return pan(visible, seconds - visible.toSeconds + margin, range);
  return visible;
}

function clamp(seconds: number, { fromSeconds, toSeconds }: TimeRange): number {
  return Math.min(toSeconds, Math.max(fromSeconds, seconds));
}
