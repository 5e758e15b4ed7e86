import type { Reading } from 'svc-speaker/inspector/recorder.js';
import type uPlot from 'uplot';

/** Depths at which the tint of the water changes, in seconds. Shallow water is darker, as on a nautical chart. */
const contoursSeconds = [0.5, 2, 5] as const;

/** Height of the ruler along the bottom, in CSS pixels. */
const RULER_PX = 5;

/** Radius of the mark of an underrun, in CSS pixels. */
const WRECK_PX = 6;

/** Length of the longest line of an arrival, as a share of the chart's height. */
const ARRIVAL_SHARE = 0.3;

/** Seconds of speech that draw the longest line if they arrive between two readings. More draw the same line. */
const ARRIVAL_FULL_SECONDS = 4;

/** Colours of the chart, from `palette.css`, and the font of its labels. */
export interface ChartColors {
  readonly ink: string;
  readonly inkSoft: string;
  readonly sea: string;
  readonly line: string;
  /** Tints of the water, shallowest first; one more than there are contours. */
  readonly depths: readonly string[];
  readonly overprint: string;
  readonly font: string;
}

/**
 * Returns the colours of the current colour scheme.
 *
 * @param host - Element that briefly contains a probe element: a canvas cannot resolve custom properties or, in forced
 *   colours, system colours.
 */
export function readChartColors(host: HTMLElement): ChartColors {
  const probe = document.createElement('i');
  probe.style.setProperty('forced-color-adjust', 'none');
  host.append(probe);
  const style = getComputedStyle(probe);
  const value = (name: string) => {
    probe.style.color = `var(${name})`;
    return style.color;
  };
  const serif = style.getPropertyValue('--serif');
  const colors: ChartColors = {
    ink: value('--ink'),
    inkSoft: value('--ink-soft'),
    sea: value('--sea'),
    line: value('--sea-line'),
    depths: ['--depth-1', '--depth-2', '--depth-3', '--depth-4'].map(value),
    overprint: value('--overprint'),
    font: `italic 14px ${serif}`,
  };
  probe.remove();
  return colors;
}

/** Returns a fill with one flat tint between two contours: a gradient with hard steps. */
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
 * Draws arrivals as lines from the top edge. Their length grows with the square root of the amount, so that a single
 * frame is visible.
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

/** Draws a crossed ring on the bottom, with a dashed line above it, for each underrun. */
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

/** Draws a ruler whose seconds are alternately filled and empty; it moves with the readings. */
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

/**
 * Runs `draw` clipped to the plotting area, and restores the canvas state.
 *
 * @param draw - Called with the canvas context and the number of canvas pixels per CSS pixel.
 */
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
