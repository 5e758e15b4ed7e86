import { paceAt } from './pace.js';
import type { Reading } from './reading.js';
import type { SpeakerEventRecord } from './recording.js';
import { indexAt, stepFor, type TimeView } from './time-view.js';
import type { DryTime } from './underruns.js';

/** The pictures, one above the other. */
export type TrackName = 'buffer' | 'arrivals' | 'pace' | 'heard' | 'events' | 'time';

/** Colours as a canvas wants them. */
export interface TrackColors {
  readonly surface: string;
  readonly text: string;
  readonly muted: string;
  readonly line: string;
  readonly buffer: string;
  readonly target: string;
  readonly arrivals: string;
  readonly pace: string;
  readonly concealed: string;
  readonly trouble: string;
  /** Font family of the figures. */
  readonly font: string;
}

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

/** Depths that get a line, in seconds. */
const depthTicks = [0.1, 0.25, 0.5, 1, 2, 5, 10, 30, 60, 300, 1800];
/** Below this depth the scale is about linear, and above logarithmic: one frame and a whole reply can both be seen. */
const LINEAR_SECONDS = 0.15;
/** The least depth that the scale reaches to, in seconds. */
const DEPTH_MIN_SECONDS = 0.25;

/** Events that say what the speaker does or what happened to it, in the words that are shown. */
const flags: Partial<Record<string, string>> = {
  loadstart: 'asked',
  loadedmetadata: 'socket open',
  canplay: 'first frame',
  playing: 'sound',
  waiting: 'waiting',
  pause: 'pause',
  ended: 'ended',
  emptied: 'emptied',
  blocked: 'blocked',
  utterancestart: 'utterance',
  underrun: 'underrun',
  socketclose: 'closed',
  error: 'error',
};

/** In this order names get the room that there is; all others come after them. */
const ranks = ['error', 'underrun', 'playing', 'idle', 'waiting', 'canplay'];

function rankOf(type: string): number {
  const rank = ranks.indexOf(type);
  return rank < 0 ? ranks.length : rank;
}

type Heard = 'speech' | 'concealed' | 'silence';

/** What most of what was heard before a reading was; null if there was nothing. */
function heardIn({ playedSeconds, concealedSeconds, silentSeconds }: Reading): Heard | null {
  if (playedSeconds + concealedSeconds === 0) return null;
  const madeUp = concealedSeconds - silentSeconds;
  if (silentSeconds > Math.max(playedSeconds, madeUp)) return 'silence';
  return madeUp > playedSeconds ? 'concealed' : 'speech';
}

/** Draws one picture, anew. The canvas is as large as it is shown, in pixels of the device. */
export function drawTrack(name: TrackName, canvas: HTMLCanvasElement, data: TrackData): void {
  const context = canvas.getContext('2d');
  const { clientWidth, clientHeight } = canvas;
  if (!context || clientWidth === 0) return;
  const scale = devicePixelRatio;
  const [width, height] = [Math.round(clientWidth * scale), Math.round(clientHeight * scale)];
  if (canvas.width !== width) canvas.width = width;
  if (canvas.height !== height) canvas.height = height;
  context.setTransform(scale, 0, 0, scale, 0, 0);
  context.clearRect(0, 0, clientWidth, clientHeight);
  context.font = `11px ${data.colors.font}`;
  context.textBaseline = 'alphabetic';
  const picture = new Picture(context, clientWidth, clientHeight, data);
  if (name !== 'time') picture.drawBackground();
  picture[name]();
  if (name !== 'time') picture.drawCursor();
}

/** One picture while it is drawn. */
class Picture {
  readonly #context: CanvasRenderingContext2D;
  readonly #width: number;
  readonly #height: number;
  readonly #data: TrackData;
  readonly #fromSeconds: number;
  /** Readings from the last before the view to the first behind it. */
  readonly #first: number;
  readonly #last: number;

  constructor(context: CanvasRenderingContext2D, width: number, height: number, data: TrackData) {
    this.#context = context;
    this.#width = width;
    this.#height = height;
    this.#data = data;
    const { readings, view } = data;
    this.#fromSeconds = view.toSeconds - view.spanSeconds;
    this.#first = Math.max(0, indexAt(readings, this.#fromSeconds));
    this.#last = Math.min(readings.length - 1, indexAt(readings, view.toSeconds) + 1);
  }

  #x(seconds: number): number {
    return ((seconds - this.#fromSeconds) / this.#data.view.spanSeconds) * this.#width;
  }

  get #step(): number {
    return stepFor(this.#data.view.spanSeconds, Math.max(2, this.#width / 72));
  }

  /** Lines of time, where the buffer was dry, where the clock stood still. */
  drawBackground(): void {
    const context = this.#context;
    const { view, events, colors } = this.#data;
    const step = this.#step;
    context.fillStyle = colors.line;
    for (let at = Math.ceil(this.#fromSeconds / step) * step; at <= view.toSeconds; at += step) {
      context.fillRect(Math.round(this.#x(at)), 0, 1, this.#height);
    }
    context.fillStyle = colors.trouble;
    for (const { fromSeconds, toSeconds } of this.#data.underruns) {
      const x = this.#x(fromSeconds);
      context.globalAlpha = 0.16;
      context.fillRect(x, 0, Math.max(1, this.#x(toSeconds) - x), this.#height);
      context.globalAlpha = 1;
      context.fillRect(x, 0, 1, this.#height);
    }
    for (const { type, atSeconds } of events) {
      if (type === 'idle') this.#dash(this.#x(atSeconds), colors.muted, [1, 3]);
    }
  }

  drawCursor(): void {
    const { cursorSeconds, colors } = this.#data;
    if (cursorSeconds !== null) this.#dash(this.#x(cursorSeconds), colors.text, []);
  }

  #dash(x: number, color: string, dashes: number[]): void {
    const context = this.#context;
    context.strokeStyle = color;
    context.lineWidth = 1;
    context.setLineDash(dashes);
    context.beginPath();
    context.moveTo(Math.round(x) + 0.5, 0);
    context.lineTo(Math.round(x) + 0.5, this.#height);
    context.stroke();
    context.setLineDash([]);
  }

  /** What is held, as an area; the target above it, as a dashed line. */
  buffer(): void {
    const context = this.#context;
    const { readings, colors } = this.#data;
    let most = DEPTH_MIN_SECONDS;
    for (let i = this.#first; i <= this.#last; i++) {
      most = Math.max(most, readings[i]!.bufferedSeconds, readings[i]!.targetSeconds);
    }
    const base = this.#height - 1;
    const full = (base - 6) / Math.asinh((most * 1.1) / LINEAR_SECONDS);
    const y = (seconds: number): number => base - Math.asinh(seconds / LINEAR_SECONDS) * full;

    context.fillStyle = colors.line;
    context.fillRect(0, base, this.#width, 1);
    const labels: [string, number][] = [];
    let above = base - 14;
    for (const tick of depthTicks) {
      const at = Math.round(y(tick));
      if (at > above || at < 10) continue;
      above = at - 18;
      context.fillStyle = colors.line;
      context.fillRect(0, at, this.#width, 1);
      labels.push([tick < 1 ? `${tick * 1000} ms` : tick < 60 ? `${tick} s` : `${tick / 60} min`, at - 4]);
    }

    if (readings.length > 0) {
      this.#trace((reading) => y(reading.bufferedSeconds));
      context.lineTo(this.#x(readings[this.#last]!.atSeconds), base);
      context.lineTo(this.#x(readings[this.#first]!.atSeconds), base);
      context.fillStyle = colors.buffer;
      context.globalAlpha = 0.2;
      context.fill();
      context.globalAlpha = 1;
      this.#trace((reading) => y(reading.bufferedSeconds));
      this.#stroke(colors.buffer, 1.75, []);
      this.#trace((reading) => y(reading.targetSeconds));
      this.#stroke(colors.target, 1.5, [5, 4]);
    }
    for (const [label, at] of labels) this.#label(label, at);
  }

  /** A figure of the scale, at the left edge, readable on whatever is there. */
  #label(text: string, y: number): void {
    const context = this.#context;
    const { surface, muted } = this.#data.colors;
    context.strokeStyle = surface;
    context.lineWidth = 5;
    context.lineJoin = 'round';
    context.strokeText(text, 4, y);
    context.fillStyle = muted;
    context.fillText(text, 4, y);
  }

  #trace(y: (reading: Reading) => number): void {
    const context = this.#context;
    const { readings } = this.#data;
    context.beginPath();
    for (let i = this.#first; i <= this.#last; i++) context.lineTo(this.#x(readings[i]!.atSeconds), y(readings[i]!));
  }

  #stroke(color: string, width: number, dashes: number[]): void {
    const context = this.#context;
    context.strokeStyle = color;
    context.lineWidth = width;
    context.lineJoin = 'round';
    context.setLineDash(dashes);
    context.stroke();
    context.setLineDash([]);
  }

  /** What came, pixel by pixel; the height grows with the square root, so that a frame and a reply can both be seen. */
  arrivals(): void {
    const context = this.#context;
    const { readings, colors } = this.#data;
    const bars: [number, number][] = [];
    let most = 0.1;
    for (let i = this.#first; i <= this.#last; i++) {
      const { arrivedSeconds, atSeconds } = readings[i]!;
      if (arrivedSeconds === 0) continue;
      const x = Math.floor(this.#x(atSeconds));
      const last = bars.at(-1);
      if (last?.[0] === x) last[1] += arrivedSeconds;
      else bars.push([x, arrivedSeconds]);
      most = Math.max(most, bars.at(-1)![1]);
    }
    const base = this.#height - 1;
    context.fillStyle = colors.line;
    context.fillRect(0, base, this.#width, 1);
    context.fillStyle = colors.arrivals;
    const width = Math.max(1.5, Math.min(3, this.#width / this.#data.view.spanSeconds / 100));
    for (const [x, seconds] of bars) {
      const height = Math.max(2, Math.sqrt(seconds / most) * (base - 4));
      context.fillRect(x - width / 2, base - height, width, height);
    }
  }

  /** How fast speech leaves, from half to twice: above the middle it is faster than it was spoken. */
  pace(): void {
    const context = this.#context;
    const { readings, colors } = this.#data;
    const middle = Math.round(this.#height / 2);
    const y = (pace: number): number => middle - Math.max(-1, Math.min(1, Math.log2(pace))) * (middle - 4);
    context.fillStyle = colors.line;
    context.fillRect(0, middle, this.#width, 1);
    let open = false;
    context.beginPath();
    for (let i = this.#first; i <= this.#last; i++) {
      const pace = paceAt(readings, i);
      const x = this.#x(readings[i]!.atSeconds);
      if (pace === null) open = false;
      else if (open) context.lineTo(x, y(pace));
      else {
        context.moveTo(x, y(pace));
        open = true;
      }
    }
    this.#stroke(colors.pace, 1.75, []);
    this.#label('1×', middle - 4);
  }

  /** What was heard: speech as a bar, what was made up as a full one, silence in its place as an empty one. */
  heard(): void {
    const { readings } = this.#data;
    let kind: Heard | null = null;
    let from = 0;
    for (let i = Math.max(1, this.#first); i <= this.#last + 1; i++) {
      const now = i <= this.#last ? heardIn(readings[i]!) : null;
      if (now === kind) continue;
      const x = this.#x(readings[i - 1]!.atSeconds);
      if (kind) this.#drawHeard(kind, from, x - from);
      kind = now;
      from = x;
    }
  }

  #drawHeard(kind: Heard, from: number, width: number): void {
    const context = this.#context;
    const { colors } = this.#data;
    const height = this.#height - 6;
    context.fillStyle = { speech: colors.buffer, concealed: colors.concealed, silence: colors.trouble }[kind];
    if (kind === 'silence') {
      context.fillRect(from, 3, width, 1.5);
      context.fillRect(from, 1.5 + height, width, 1.5);
      return;
    }
    context.globalAlpha = kind === 'speech' ? 0.55 : 1;
    context.fillRect(from, 3, width, height);
    context.globalAlpha = 1;
  }

  /** A mark for each event, and its name where there is room: that of trouble first. */
  events(): void {
    const context = this.#context;
    const { events, view, colors } = this.#data;
    const taken: [number, number][] = [];
    const inside = events.filter(({ atSeconds }) => atSeconds >= this.#fromSeconds && atSeconds <= view.toSeconds);
    for (const { type, atSeconds, durationMs = 0 } of inside.toSorted((a, b) => rankOf(a.type) - rankOf(b.type))) {
      const label =
        type === 'idle' ? `${(durationMs / 1000).toFixed(durationMs < 10_000 ? 1 : 0)} s idle` : flags[type];
      if (label === undefined) continue;
      const x = this.#x(atSeconds);
      const bad = type === 'underrun' || type === 'error';
      context.fillStyle = bad ? colors.trouble : colors.muted;
      context.fillRect(Math.round(x), 0, bad ? 2 : 1, 5);
      const to = x + context.measureText(label).width + 8;
      if (to > this.#width || taken.some(([begin, end]) => x < end && to > begin)) continue;
      context.fillText(label, x + 1, 15);
      taken.push([x, to]);
    }
  }

  /** Seconds of the recording's clock; those of the cursor before all others. */
  time(): void {
    const context = this.#context;
    const { view, cursorSeconds, colors } = this.#data;
    const step = this.#step;
    const digits = step < 0.1 ? 2 : step < 1 ? 1 : 0;
    const cursorX = cursorSeconds === null ? Number.NEGATIVE_INFINITY : this.#x(cursorSeconds);
    context.textAlign = 'center';
    context.fillStyle = colors.muted;
    for (let at = Math.ceil(this.#fromSeconds / step) * step; at <= view.toSeconds; at += step) {
      const x = this.#x(at);
      if (at < 0 || x < 14 || x > this.#width - 18 || Math.abs(x - cursorX) < 48) continue;
      context.fillText(`${at.toFixed(digits)} s`, x, 13);
    }
    if (cursorSeconds !== null) {
      context.fillStyle = colors.text;
      context.font = `600 ${context.font}`;
      context.fillText(`${cursorSeconds.toFixed(2)} s`, Math.min(this.#width - 24, Math.max(24, cursorX)), 13);
    }
    context.textAlign = 'start';
  }
}
