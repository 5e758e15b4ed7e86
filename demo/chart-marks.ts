import type { Reading } from 'svc-speaker/inspector.js';
import type uPlot from 'uplot';
import type { ChartColors } from './chart-colors.js';
import { contoursSeconds } from './depth-scale.js';

/** Height of the scale of seconds along the bottom, in CSS pixels. */
const RULER_PX = 5;

/** Radius of the sign that marks an underrun, in CSS pixels. */
const WRECK_PX = 6;

/** How far down the longest line of an arrival reaches, as a share of the picture's height. */
const ARRIVAL_SHARE = 0.3;

/** Audio that has to arrive between two readings for that, in seconds. */
const ARRIVAL_FULL_SECONDS = 4;

/** Fills the water with one flat tint per depth: a gradient with hard steps at the contours. */
export function tintByDepth(plot: uPlot, { depths }: ChartColors): CanvasGradient | string {
  const { top, height } = plot.bbox;
  const shallowest = depths[0]!;
  if (!(height > 0)) return shallowest;
  const gradient = plot.ctx.createLinearGradient(0, top + height, 0, top);
  gradient.addColorStop(0, shallowest);
  contoursSeconds.forEach((contour, index) => {
    const stop = 1 - (plot.valToPos(contour, 'depth', true) - top) / height;
    if (!(stop > 0 && stop < 1)) return;
    gradient.addColorStop(stop, depths[index]!);
    gradient.addColorStop(stop, depths[index + 1]!);
  });
  return gradient;
}

/**
 * Draws what arrived since each reading as a line from the top edge. Its length grows with the square
 * root of the amount, so that one clause and one frame can be seen side by side.
 */
export function drawArrivals(plot: uPlot, readings: readonly Reading[], { ink }: ChartColors): void {
  inPlot(plot, (context, pixel) => {
    const { top, height } = plot.bbox;
    const longest = height * ARRIVAL_SHARE;
    context.strokeStyle = ink;
    context.lineWidth = 1.5 * pixel;
    context.setLineDash([]);
    context.beginPath();
    for (const { atSeconds, arrivedSeconds } of readings) {
      if (arrivedSeconds <= 0) continue;
      const x = plot.valToPos(atSeconds, 'x', true);
      const length = longest * Math.sqrt(Math.min(1, arrivedSeconds / ARRIVAL_FULL_SECONDS));
      context.moveTo(x, top);
      context.lineTo(x, top + Math.max(length, 3 * pixel));
    }
    context.stroke();
  });
}

/** Draws a ring with a cross on the bottom, and a line above it, wherever the buffer ran dry. */
export function drawUnderruns(plot: uPlot, readings: readonly Reading[], { overprint, sea }: ChartColors): void {
  inPlot(plot, (context, pixel) => {
    const { top, height } = plot.bbox;
    const radius = WRECK_PX * pixel;
    const y = top + height - radius - (RULER_PX + 4) * pixel;
    context.strokeStyle = overprint;
    context.fillStyle = sea;
    context.lineWidth = 1.5 * pixel;
    for (const { atSeconds, underruns } of readings) {
      if (underruns === 0) continue;
      const x = plot.valToPos(atSeconds, 'x', true);
      context.setLineDash([2 * pixel, 4 * pixel]);
      context.beginPath();
      context.moveTo(x, top);
      context.lineTo(x, y - radius);
      context.stroke();
      context.setLineDash([]);
      context.beginPath();
      context.arc(x, y, radius, 0, 2 * Math.PI);
      context.fill();
      context.moveTo(x - radius, y);
      context.lineTo(x + radius, y);
      context.moveTo(x, y - radius);
      context.lineTo(x, y + radius);
      context.stroke();
    }
  });
}

/** Draws the scale of seconds: filled and empty by turns, and moving with the readings. */
export function drawSecondsRuler(plot: uPlot, { ink, sea }: ChartColors): void {
  inPlot(plot, (context, pixel) => {
    const { left, top, width, height } = plot.bbox;
    const { min = 0, max = 0 } = plot.scales.x ?? {};
    const y = top + height - RULER_PX * pixel;
    context.fillStyle = sea;
    context.fillRect(left, y, width, RULER_PX * pixel);
    context.fillStyle = ink;
    context.fillRect(left, y, width, pixel);
    for (let second = Math.floor(min); second < max; second += 1) {
      if (second % 2 !== 0) continue;
      const x = plot.valToPos(second, 'x', true);
      context.fillRect(x, y, plot.valToPos(second + 1, 'x', true) - x, RULER_PX * pixel);
    }
  });
}

/** Runs `draw` clipped to the plotting area and leaves the canvas as it was. */
function inPlot(plot: uPlot, draw: (context: CanvasRenderingContext2D, pixel: number) => void): void {
  const { left, top, width, height } = plot.bbox;
  const context = plot.ctx;
  context.save();
  context.beginPath();
  context.rect(left, top, width, height);
  context.clip();
  draw(context, devicePixelRatio);
  context.restore();
}
