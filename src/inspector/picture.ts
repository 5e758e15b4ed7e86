import { indexAt, type Underrun } from './measures.js';
import type { Reading, SpeakerEventRecord } from './recording.js';
import type { TimeWindow } from './recording-view.js';

/** Colours of the tracks. Each has a custom property `--_<name>` and a class `<name>-color` in `styles`. */
export const colorNames = [
  'surface',
  'muted',
  'line',
  'buffer',
  'target',
  'arrivals',
  'pace',
  'concealed',
  'trouble',
] as const;

/** CSS colours, resolved for a canvas, and the font family of labels. */
export type TrackColors = Readonly<Record<(typeof colorNames)[number] | 'text' | 'font', string>>;

/** Input of all tracks. */
export interface TrackData {
  readonly readings: readonly Reading[];
  readonly events: readonly SpeakerEventRecord[];
  readonly underruns: readonly Underrun[];
  readonly visible: TimeWindow;
  /** Time of the cursor, in seconds; null while it is hidden. */
  readonly cursorSeconds: number | null;
  readonly colors: TrackColors;
}

/** Steps of the time axis, in seconds. */
const steps = [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 60, 120, 300];

/** Returns the smallest step that gives at most `marksMax` marks in the span. */
export function stepFor(spanSeconds: number, marksMax: number): number {
  return steps.find((step) => spanSeconds / step <= marksMax) ?? 600;
}

/** The canvas of one track while it is drawn: its time axis, and drawing that tracks share. Lengths in CSS pixels. */
export class Picture {
  readonly context: CanvasRenderingContext2D;
  readonly width: number;
  readonly height: number;
  readonly data: TrackData;
  /** Time of the left edge. */
  readonly fromSeconds: number;
  /** Indices of the readings to draw: from the last one before the left edge to the first one after the right edge. */
  readonly first: number;
  readonly last: number;

  constructor(context: CanvasRenderingContext2D, width: number, height: number, data: TrackData) {
    this.context = context;
    this.width = width;
    this.height = height;
    this.data = data;
    const { readings, visible } = data;
    this.fromSeconds = visible.toSeconds - visible.spanSeconds;
    this.first = Math.max(0, indexAt(readings, this.fromSeconds));
    this.last = Math.min(readings.length - 1, indexAt(readings, visible.toSeconds) + 1);
  }

  /** Returns the horizontal position of a time. */
  x(seconds: number): number {
    return ((seconds - this.fromSeconds) / this.data.visible.spanSeconds) * this.width;
  }

  /** Times of the grid lines, in seconds. */
  get ticks(): number[] {
    const { toSeconds } = this.data.visible;
    const { step } = this;
    const ticks: number[] = [];
    for (let at = Math.ceil(this.fromSeconds / step) * step; at <= toSeconds; at += step) ticks.push(at);
    return ticks;
  }

  /** Seconds between two ticks. */
  get step(): number {
    return stepFor(this.data.visible.spanSeconds, Math.max(2, this.width / 72));
  }

  /** Draws the grid, the underruns and the points where the clock stopped. */
  drawBackground(): void {
    const { context, height } = this;
    const { events, underruns, colors } = this.data;
    context.fillStyle = colors.line;
    for (const tick of this.ticks) context.fillRect(Math.round(this.x(tick)), 0, 1, height);
    context.fillStyle = colors.trouble;
    for (const { fromSeconds, toSeconds } of underruns) {
      const x = this.x(fromSeconds);
      context.globalAlpha = 0.16;
      context.fillRect(x, 0, Math.max(1, this.x(toSeconds) - x), height);
      context.globalAlpha = 1;
      context.fillRect(x, 0, 1, height);
    }
    for (const { type, atSeconds } of events) {
      if (type === 'idle') this.#drawVertical(atSeconds, colors.muted, [1, 3]);
    }
  }

  drawCursor(): void {
    const { cursorSeconds, colors } = this.data;
    if (cursorSeconds !== null) this.#drawVertical(cursorSeconds, colors.text, []);
  }

  #drawVertical(atSeconds: number, color: string, dashes: number[]): void {
    const { context } = this;
    const x = Math.round(this.x(atSeconds)) + 0.5;
    context.beginPath();
    context.moveTo(x, 0);
    context.lineTo(x, this.height);
    this.stroke(color, 1, dashes);
  }

  /** Draws a label of the vertical scale at the left edge, with an outline that keeps it readable. */
  drawLabel(text: string, y: number): void {
    const { context } = this;
    const { surface, muted } = this.data.colors;
    context.strokeStyle = surface;
    context.lineWidth = 5;
    context.lineJoin = 'round';
    context.strokeText(text, 4, y);
    context.fillStyle = muted;
    context.fillText(text, 4, y);
  }

  /** Begins a path through the readings. */
  trace(y: (reading: Reading) => number): void {
    const { context } = this;
    const { readings } = this.data;
    context.beginPath();
    for (let i = this.first; i <= this.last; i++) context.lineTo(this.x(readings[i]!.atSeconds), y(readings[i]!));
  }

  /** Strokes the current path. */
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
