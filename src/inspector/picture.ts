import type { TrackColors } from './palette.js';
import type { Reading } from './reading.js';
import type { SpeakerEventRecord } from './recording.js';
import { indexAt, stepFor, type TimeView } from './time-view.js';
import type { DryTime } from './underruns.js';

/** What all pictures show. */
export interface TrackData {
  readonly readings: readonly Reading[];
  readonly events: readonly SpeakerEventRecord[];
  readonly underruns: readonly DryTime[];
  readonly view: TimeView;
  /** Where the cursor stands, in seconds; null if there is none. */
  readonly cursorSeconds: number | null;
  readonly colors: TrackColors;
}

/** One picture while it is drawn: where times are in it, and what pictures have in common. Lengths are in CSS pixels. */
export class Picture {
  readonly context: CanvasRenderingContext2D;
  readonly width: number;
  readonly height: number;
  readonly data: TrackData;
  /** The left edge. */
  readonly fromSeconds: number;
  /** Readings from the last before the view to the first behind it. */
  readonly first: number;
  readonly last: number;

  constructor(context: CanvasRenderingContext2D, width: number, height: number, data: TrackData) {
    this.context = context;
    this.width = width;
    this.height = height;
    this.data = data;
    const { readings, view } = data;
    this.fromSeconds = view.toSeconds - view.spanSeconds;
    this.first = Math.max(0, indexAt(readings, this.fromSeconds));
    this.last = Math.min(readings.length - 1, indexAt(readings, view.toSeconds) + 1);
  }

  /** Where a time is, from the left. */
  x(seconds: number): number {
    return ((seconds - this.fromSeconds) / this.data.view.spanSeconds) * this.width;
  }

  /** Seconds between two lines of time. */
  get step(): number {
    return stepFor(this.data.view.spanSeconds, Math.max(2, this.width / 72));
  }

  /** Draws a line from top to bottom. */
  dash(x: number, color: string, dashes: number[]): void {
    const { context } = this;
    context.strokeStyle = color;
    context.lineWidth = 1;
    context.setLineDash(dashes);
    context.beginPath();
    context.moveTo(Math.round(x) + 0.5, 0);
    context.lineTo(Math.round(x) + 0.5, this.height);
    context.stroke();
    context.setLineDash([]);
  }

  /** Draws a figure of the scale, at the left edge, readable on whatever is there. */
  label(text: string, y: number): void {
    const { context } = this;
    const { surface, muted } = this.data.colors;
    context.strokeStyle = surface;
    context.lineWidth = 5;
    context.lineJoin = 'round';
    context.strokeText(text, 4, y);
    context.fillStyle = muted;
    context.fillText(text, 4, y);
  }

  /** Begins a path through all readings. */
  trace(y: (reading: Reading) => number): void {
    const { context } = this;
    const { readings } = this.data;
    context.beginPath();
    for (let i = this.first; i <= this.last; i++) context.lineTo(this.x(readings[i]!.atSeconds), y(readings[i]!));
  }

  /** Draws the path as a line. */
  stroke(color: string, width: number, dashes: number[]): void {
    const { context } = this;
    context.strokeStyle = color;
    context.lineWidth = width;
    context.lineJoin = 'round';
    context.setLineDash(dashes);
    context.stroke();
    context.setLineDash([]);
  }
}
