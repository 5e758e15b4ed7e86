import { paceAt } from './measures.js';
import { Picture, type TrackData } from './picture.js';
import type { Reading } from './recording.js';

const drawings = {
  buffer: drawBuffer,
  arrivals: drawArrivals,
  pace: drawPace,
  heard: drawHeard,
  events: drawEvents,
  time: drawTime,
};

export type TrackName = keyof typeof drawings;

/** Names of the tracks, from top to bottom. */
export const trackNames = Object.keys(drawings) as readonly TrackName[];

/** Draws a track on its canvas, at the resolution of the screen. */
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
  drawings[name](picture);
  if (name !== 'time') picture.drawCursor();
}

// --- buffer

/** Depths with a grid line, in seconds. */
const depthTicks = [0.1, 0.25, 0.5, 1, 2, 5, 10, 30, 60, 300, 1800];
/**
 * The scale of depths is nearly linear below this and logarithmic above, so one frame and a whole reply are both
 * visible.
 */
const LINEAR_SECONDS = 0.15;
/** Smallest top of the scale, in seconds. */
const DEPTH_MIN_SECONDS = 0.25;

/** Draws buffered speech as an area and its target as a dashed line. */
function drawBuffer(picture: Picture): void {
  const { context, width, height, first, last } = picture;
  const { readings, colors } = picture.data;
  let depthMax = DEPTH_MIN_SECONDS;
  for (let i = first; i <= last; i++) {
    depthMax = Math.max(depthMax, readings[i]!.bufferedSeconds, readings[i]!.targetSeconds);
  }
  const base = height - 1;
  const full = (base - 6) / Math.asinh((depthMax * 1.1) / LINEAR_SECONDS);
  const y = (seconds: number): number => base - Math.asinh(seconds / LINEAR_SECONDS) * full;

  context.fillStyle = colors.line;
  context.fillRect(0, base, width, 1);
  const labels: [string, number][] = [];
  let freeAbove = base - 14;
  for (const tick of depthTicks) {
    const at = Math.round(y(tick));
    if (at > freeAbove || at < 10) continue;
    freeAbove = at - 18;
    context.fillStyle = colors.line;
    context.fillRect(0, at, width, 1);
    labels.push([tick < 1 ? `${tick * 1000} ms` : tick < 60 ? `${tick} s` : `${tick / 60} min`, at - 4]);
  }

  if (readings.length > 0) {
    picture.trace((reading) => y(reading.bufferedSeconds));
    context.lineTo(picture.x(readings[last]!.atSeconds), base);
    context.lineTo(picture.x(readings[first]!.atSeconds), base);
    context.fillStyle = colors.buffer;
    context.globalAlpha = 0.2;
    context.fill();
    context.globalAlpha = 1;
    picture.trace((reading) => y(reading.bufferedSeconds));
    picture.stroke(colors.buffer, 1.75, []);
    picture.trace((reading) => y(reading.targetSeconds));
    picture.stroke(colors.target, 1.5, [5, 4]);
  }
  for (const [label, at] of labels) picture.drawLabel(label, at);
}

// --- arrivals

/**
 * Draws arrivals per pixel. The height is the square root of the amount, so one frame and a whole reply are both
 * visible.
 */
function drawArrivals(picture: Picture): void {
  const { context, first, last } = picture;
  const { readings, visible, colors } = picture.data;
  const bars: [x: number, seconds: number][] = [];
  let secondsMax = 0.1;
  for (let i = first; i <= last; i++) {
    const { arrivedSeconds, atSeconds } = readings[i]!;
    if (arrivedSeconds === 0) continue;
    const x = Math.floor(picture.x(atSeconds));
    const previous = bars.at(-1);
    if (previous?.[0] === x) previous[1] += arrivedSeconds;
    else bars.push([x, arrivedSeconds]);
    secondsMax = Math.max(secondsMax, bars.at(-1)![1]);
  }
  const base = picture.height - 1;
  context.fillStyle = colors.line;
  context.fillRect(0, base, picture.width, 1);
  context.fillStyle = colors.arrivals;
  const width = Math.max(1.5, Math.min(3, picture.width / visible.spanSeconds / 100));
  for (const [x, seconds] of bars) {
    const height = Math.max(2, Math.sqrt(seconds / secondsMax) * (base - 4));
    context.fillRect(x - width / 2, base - height, width, height);
  }
}

// --- pace

/** Draws the pace on a logarithmic scale from 0.5 to 2. Above the middle, speech plays faster than it was spoken. */
function drawPace(picture: Picture): void {
  const { context, width, height, first, last } = picture;
  const { readings, colors } = picture.data;
  const middle = Math.round(height / 2);
  const y = (pace: number): number => middle - Math.max(-1, Math.min(1, Math.log2(pace))) * (middle - 4);
  context.fillStyle = colors.line;
  context.fillRect(0, middle, width, 1);
  let isInLine = false;
  context.beginPath();
  for (let i = first; i <= last; i++) {
    const pace = paceAt(readings, i);
    if (pace !== null) {
      const x = picture.x(readings[i]!.atSeconds);
      if (isInLine) context.lineTo(x, y(pace));
      else context.moveTo(x, y(pace));
    }
    isInLine = pace !== null;
  }
  picture.stroke(colors.pace, 1.75, []);
  picture.drawLabel('1×', middle - 4);
}

// --- heard

type Sound = 'speech' | 'concealed' | 'silence';

/** Draws the played sound: a pale bar for speech, a solid bar for concealment, an outline for silent concealment. */
function drawHeard(picture: Picture): void {
  const { first, last } = picture;
  const { readings } = picture.data;
  let sound: Sound | null = null;
  let from = 0;
  for (let i = Math.max(1, first); i <= last + 1; i++) {
    const next = i <= last ? soundIn(readings[i]!) : null;
    if (next === sound) continue;
    const x = picture.x(readings[i - 1]!.atSeconds);
    if (sound) drawSound(picture, sound, from, x - from);
    sound = next;
    from = x;
  }
}

/** Returns the sound with the largest share since the previous reading; null if nothing was played. */
function soundIn({ playedSeconds, concealedSeconds, silentSeconds }: Reading): Sound | null {
  if (playedSeconds + concealedSeconds === 0) return null;
  const audibleSeconds = concealedSeconds - silentSeconds;
  if (silentSeconds > Math.max(playedSeconds, audibleSeconds)) return 'silence';
  return audibleSeconds > playedSeconds ? 'concealed' : 'speech';
}

function drawSound(picture: Picture, sound: Sound, from: number, width: number): void {
  const { context } = picture;
  const { colors } = picture.data;
  const height = picture.height - 6;
  context.fillStyle = { speech: colors.buffer, concealed: colors.concealed, silence: colors.trouble }[sound];
  if (sound === 'silence') {
    context.fillRect(from, 3, width, 1.5);
    context.fillRect(from, 1.5 + height, width, 1.5);
    return;
  }
  context.globalAlpha = sound === 'speech' ? 0.55 : 1;
  context.fillRect(from, 3, width, height);
  context.globalAlpha = 1;
}

// --- events

/** Labels by event type. Other events are not drawn. */
const eventLabels: Partial<Record<string, string>> = {
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
  resume: 'resumed',
  error: 'error',
};

/** Types whose labels are placed first, in this order. */
const placedFirst = ['error', 'underrun', 'resume', 'playing', 'idle', 'waiting', 'canplay'];

function placeOf(type: string): number {
  const place = placedFirst.indexOf(type);
  return place < 0 ? placedFirst.length : place;
}

/** Draws a mark for each event, and its label if there is room. */
function drawEvents(picture: Picture): void {
  const { context, width, fromSeconds } = picture;
  const { events, visible, colors } = picture.data;
  const taken: [from: number, to: number][] = [];
  const inside = events.filter(({ atSeconds }) => atSeconds >= fromSeconds && atSeconds <= visible.toSeconds);
  for (const { type, atSeconds, durationMs = 0 } of inside.toSorted((a, b) => placeOf(a.type) - placeOf(b.type))) {
    const label =
      type === 'idle' ? `${(durationMs / 1000).toFixed(durationMs < 10_000 ? 1 : 0)} s idle` : eventLabels[type];
    if (label === undefined) continue;
    const x = picture.x(atSeconds);
    const isTrouble = type === 'underrun' || type === 'error';
    context.fillStyle = isTrouble ? colors.trouble : colors.muted;
    context.fillRect(Math.round(x), 0, isTrouble ? 2 : 1, 5);
    const to = x + context.measureText(label).width + 8;
    if (to > width || taken.some((other) => x < other[1] && to > other[0])) continue;
    context.fillText(label, x + 1, 15);
    taken.push([x, to]);
  }
}

// --- time

/** Draws the labels of the time axis. The time of the cursor replaces labels near it. */
function drawTime(picture: Picture): void {
  const { context, width, step } = picture;
  const { cursorSeconds, colors } = picture.data;
  const digits = step < 0.1 ? 2 : step < 1 ? 1 : 0;
  const cursorX = cursorSeconds === null ? Number.NEGATIVE_INFINITY : picture.x(cursorSeconds);
  context.textAlign = 'center';
  context.fillStyle = colors.muted;
  for (const tick of picture.ticks) {
    const x = picture.x(tick);
    if (tick < 0 || x < 14 || x > width - 18 || Math.abs(x - cursorX) < 48) continue;
    context.fillText(`${tick.toFixed(digits)} s`, x, 13);
  }
  if (cursorSeconds !== null) {
    context.fillStyle = colors.text;
    context.font = `600 ${context.font}`;
    context.fillText(`${cursorSeconds.toFixed(2)} s`, Math.min(width - 24, Math.max(24, cursorX)), 13);
  }
  context.textAlign = 'start';
}
