import { drawArrivals } from './arrivals-track.js';
import { drawBuffer } from './buffer-track.js';
import { drawEvents } from './events-track.js';
import { drawHeard } from './heard-track.js';
import { drawPace } from './pace-track.js';
import { Picture, type TrackData } from './picture.js';
import { drawTime } from './time-track.js';

const drawings = {
  buffer: drawBuffer,
  arrivals: drawArrivals,
  pace: drawPace,
  heard: drawHeard,
  events: drawEvents,
  time: drawTime,
};

/** The pictures. */
export type TrackName = keyof typeof drawings;

/** One above the other. */
export const trackNames = Object.keys(drawings) as readonly TrackName[];

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
  if (name !== 'time') drawBackground(picture);
  drawings[name](picture);
  if (name !== 'time') drawCursor(picture);
}

/** Lines of time, where the buffer was dry, where the clock stood still. */
function drawBackground(picture: Picture): void {
  const { context, height, fromSeconds: leftSeconds, step } = picture;
  const { view, events, underruns, colors } = picture.data;
  context.fillStyle = colors.line;
  for (let at = Math.ceil(leftSeconds / step) * step; at <= view.toSeconds; at += step) {
    context.fillRect(Math.round(picture.x(at)), 0, 1, height);
  }
  context.fillStyle = colors.trouble;
  for (const { fromSeconds, toSeconds } of underruns) {
    const x = picture.x(fromSeconds);
    context.globalAlpha = 0.16;
    context.fillRect(x, 0, Math.max(1, picture.x(toSeconds) - x), height);
    context.globalAlpha = 1;
    context.fillRect(x, 0, 1, height);
  }
  for (const { type, atSeconds } of events) {
    if (type === 'idle') picture.dash(picture.x(atSeconds), colors.muted, [1, 3]);
  }
}

function drawCursor(picture: Picture): void {
  const { cursorSeconds, colors } = picture.data;
  if (cursorSeconds !== null) picture.dash(picture.x(cursorSeconds), colors.text, []);
}
