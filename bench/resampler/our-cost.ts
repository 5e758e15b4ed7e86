/** Measures our resampler in a new process: `our-cost.ts <from> <to> <count>` prints an `OurCost` as JSON. */
import { createResampler, designResampler } from '../../src/dsp/index.js';
import { quantile, rounded, time } from '../timing.js';

/**
 * Costs. `nsPerOutput` and `percentOfQuantum` are the 10th percentile of many runs, to exclude disturbances by other
 * programs.
 */
export interface OurCost {
  taps: number;
  nsPerOutput: number;
  /** Percentage of the duration of a render quantum. */
  percentOfQuantum: number;
  /** Longest of the very first 8 quanta, in microseconds, including compilation. */
  coldUs: number;
  /** Longest of 8 quanta after 45 others, in microseconds. */
  warmUs: number;
  /** Milliseconds to design the filter, the first and the tenth time. */
  tableColdMs: number;
  tableWarmMs: number;
}

const QUANTUM = 128;

const [from = 0, to = 0, count = 1] = process.argv.slice(2).map(Number);
const designs = Array.from({ length: 10 }, () => time(() => designResampler(from, to)));
const table = designResampler(from, to);
const resamplers = Array.from({ length: count }, () => createResampler(table, 4096));
const input = Int16Array.from({ length: 4096 }, (_, i) => 16000 * Math.sin(i / 3));
const output = new Float32Array(QUANTUM);
const quantum = (): void => {
  for (const resampler of resamplers) {
    resampler.push(input, 0, resampler.inputFor(QUANTUM));
    resampler.pull(output, 0, QUANTUM);
  }
};
const first = Array.from({ length: 53 }, () => time(quantum));
const runs = Array.from({ length: 600 }, () =>
  time(() => {
    for (let i = 0; i < 20; i++) quantum();
  }),
);
const ns = (quantile(runs.slice(200), 0.1) * 1e6) / (20 * QUANTUM * count);
const cost: OurCost = {
  taps: table.taps,
  nsPerOutput: rounded(ns, 1),
  percentOfQuantum: rounded((ns * to) / 1e7, 2),
  coldUs: rounded(Math.max(...first.slice(0, 8)) * 1000, 0),
  warmUs: rounded(Math.max(...first.slice(45)) * 1000, 0),
  tableColdMs: rounded(designs[0]!, 1),
  tableWarmMs: rounded(designs[9]!, 1),
};
console.log(JSON.stringify(cost));
