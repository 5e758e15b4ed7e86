import type { Picture } from './picture.js';

/** Depths that get a line, in seconds. */
const depthTicks = [0.1, 0.25, 0.5, 1, 2, 5, 10, 30, 60, 300, 1800];
/** Below this depth the scale is about linear, and above logarithmic: one frame and a whole reply can both be seen. */
const LINEAR_SECONDS = 0.15;
/** The least depth that the scale reaches to, in seconds. */
const DEPTH_MIN_SECONDS = 0.25;

/** What is held, as an area; the target above it, as a dashed line. */
export function drawBuffer(picture: Picture): void {
  const { context, width, height, first, last } = picture;
  const { readings, colors } = picture.data;
  let most = DEPTH_MIN_SECONDS;
  for (let i = first; i <= last; i++) {
    most = Math.max(most, readings[i]!.bufferedSeconds, readings[i]!.targetSeconds);
  }
  const base = height - 1;
  const full = (base - 6) / Math.asinh((most * 1.1) / LINEAR_SECONDS);
  const y = (seconds: number): number => base - Math.asinh(seconds / LINEAR_SECONDS) * full;

  context.fillStyle = colors.line;
  context.fillRect(0, base, width, 1);
  const labels: [string, number][] = [];
  let above = base - 14;
  for (const tick of depthTicks) {
    const at = Math.round(y(tick));
    if (at > above || at < 10) continue;
    above = at - 18;
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
  for (const [label, at] of labels) picture.label(label, at);
}
