import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import type { Reading } from 'svc-speaker/inspector/recorder.js';
import {
  type ChartColors,
  drawArrivals,
  drawSecondsRuler,
  drawUnderruns,
  readChartColors,
  tintByDepth,
} from './chart-marks.js';

/** Visible time, in seconds. */
const windowSeconds = 12;

/** Depths with a grid line and a label, in seconds. */
const soundings = [0, 0.1, 0.5, 1, 2, 5, 10, 20, 40, 120, 600, 3600] as const;

/** The scale of depths is linear below this and logarithmic above (uPlot's arcsinh scale), in seconds. */
const linearBelowSeconds = 0.2;

/**
 * Live chart of the buffer, drawn like a nautical chart: buffered audio is the depth of water, the target a dashed line,
 * arrivals are rain, and underruns are wrecks on the bottom.
 */
export class DepthChart {
  readonly #host: HTMLElement;
  #readings: readonly Reading[] = [];
  #plot: uPlot;
  #nowSeconds = 0;
  #topSeconds = scaleTopSeconds(0);

  /** @param host - Empty element that the chart fills, also after a resize. */
  constructor(host: HTMLElement) {
    this.#host = host;
    this.#plot = this.#build();
    new ResizeObserver(() => this.#plot.setSize(this.#size())).observe(host);
    for (const query of ['(prefers-color-scheme: dark)', '(forced-colors: active)']) {
      matchMedia(query).addEventListener('change', () => {
        this.#plot.destroy();
        this.#plot = this.#build();
        this.#redraw();
      });
    }
  }

  /** Draws the latest readings. @param nowSeconds - Time of the right edge, on the clock of the readings. */
  draw(readings: readonly Reading[], nowSeconds: number): void {
    this.#nowSeconds = nowSeconds;
    const leftSeconds = nowSeconds - windowSeconds;
    // The curve begins at the left edge, so one reading before it is kept.
    const lastBefore = readings.findLastIndex(({ atSeconds }) => atSeconds < leftSeconds);
    this.#readings = readings.slice(Math.max(0, lastBefore));
    const [first] = this.#readings;
    // If there is none, the first reading is extended to the edge.
    if (lastBefore < 0 && first) this.#readings = [{ ...first, atSeconds: leftSeconds }, ...this.#readings];
    this.#redraw();
  }

  #redraw(): void {
    this.#topSeconds = scaleTopSeconds(Math.max(0, ...this.#readings.map((reading) => reading.bufferedSeconds)));
    this.#plot.setData(this.#data());
  }

  #data(): uPlot.AlignedData {
    const readings = this.#readings;
    return [
      readings.map((reading) => reading.atSeconds),
      readings.map((reading) => reading.bufferedSeconds),
      readings.map((reading) => reading.targetSeconds),
    ];
  }

  #size(): { width: number; height: number } {
    const { clientWidth, clientHeight } = this.#host;
    const { paddingLeft, paddingTop } = getComputedStyle(this.#host);
    return {
      width: Math.max(0, clientWidth - 2 * parseFloat(paddingLeft)),
      height: Math.max(0, clientHeight - 2 * parseFloat(paddingTop)),
    };
  }

  #build(): uPlot {
    const colors = readChartColors(this.#host);
    const marks = (plot: uPlot) => {
      drawArrivals(plot, this.#readings, colors);
      drawUnderruns(plot, this.#readings, colors);
      drawSecondsRuler(plot, colors);
    };
    const options: uPlot.Options = {
      ...this.#size(),
      padding: [12, 24, 0, 0],
      cursor: { show: false },
      legend: { show: false },
      scales: {
        x: { time: false, range: () => [this.#nowSeconds - windowSeconds, this.#nowSeconds] },
        depth: { distr: 4, asinh: linearBelowSeconds, range: () => [0, this.#topSeconds] },
      },
      axes: [timeAxis(colors), depthAxis(colors)],
      series: [
        {},
        {
          scale: 'depth',
          stroke: colors.ink,
          width: 2,
          fill: (plot) => tintByDepth(plot, colors),
          points: { show: false },
        },
        { scale: 'depth', stroke: colors.overprint, width: 1.5, dash: [7, 5], points: { show: false } },
      ],
      hooks: { draw: [marks] },
    };
    return new uPlot(options, this.#data(), this.#host);
  }
}

/** Returns an axis whose labels show the age of the data above them. The labels do not move while the chart scrolls. */
function timeAxis({ inkSoft, font }: ChartColors): uPlot.Axis {
  return {
    stroke: inkSoft,
    font,
    size: 30,
    gap: 4,
    grid: { show: false },
    ticks: { show: false },
    splits: (_plot, _axis, min, max) => [min + 2, min + 4, min + 6, min + 8, min + 10, max],
    values: (_plot, splits) =>
      splits.map((at) => {
        const ageSeconds = Math.round(splits.at(-1)! - at);
        return ageSeconds === 0 ? 'now' : `${ageSeconds} s`;
      }),
  };
}

function depthAxis({ inkSoft, line, font }: ChartColors): uPlot.Axis {
  return {
    scale: 'depth',
    stroke: inkSoft,
    font,
    size: 46,
    gap: 6,
    grid: { stroke: line, width: 1 },
    ticks: { show: false },
    // By default, uPlot labels only powers of ten on this scale.
    filter: (_plot, splits) => splits,
    splits: (_plot, _axis, min, max) => soundings.filter((sounding) => sounding >= min && sounding <= max),
    values: (_plot, splits) =>
      splits.map((depth) => (depth === 0 ? '0' : depth < 60 ? `${depth} s` : `${depth / 60} min`)),
  };
}

/** Returns the top of the scale: the smallest sounding that is at least 1 s and at least 1.4 times `deepestSeconds`. */
function scaleTopSeconds(deepestSeconds: number): number {
  return soundings.find((sounding) => sounding >= 1 && sounding >= deepestSeconds * 1.4) ?? deepestSeconds * 1.4;
}
