/**
 * What the resampler costs: `npm run bench`. Prints a table, then the same as JSON.
 *
 * Each row has a process of its own, since V8 compiles a closure better while there is only one of its kind. Columns:
 * - nsPerOutput, and percentOfQuantum, its share of a render quantum of 128: median of many runs after warm-up;
 * - coldUs: the longest of the first 8 quanta of all, in microseconds, compilation included;
 * - warmUs: the longest of 8 quanta after 45 others, which is what a jitter buffer of 120 ms leaves time for;
 * - tableColdMs, tableWarmMs: milliseconds to design the filter, the first time and the tenth.
 */
import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { createResampler, designResampler } from '../../src/dsp/index.js';

const QUANTUM = 128;

/** Rates from and to, and how many resamplers live in the realm. */
const ROWS = [
  [24000, 48000, 1],
  [24000, 48000, 2],
  [24000, 44100, 1],
  [24000, 44100, 2],
  [22050, 48000, 1],
  [16000, 44100, 1],
  [11025, 48000, 1],
  [8000, 96000, 1],
  [48000, 44100, 1],
  [96000, 48000, 1],
  [24000, 44101, 1],
  [48000, 48000, 1],
] as const;

/** One line of the table; columns as above. */
interface Row {
  from: number;
  to: number;
  /** Resamplers in the realm. */
  count: number;
  taps: number;
  nsPerOutput: number;
  percentOfQuantum: number;
  coldUs: number;
  warmUs: number;
  tableColdMs: number;
  tableWarmMs: number;
}

const [fromRate, toRate, count] = process.argv.slice(2).map(Number);
if (fromRate !== undefined && toRate !== undefined) {
  console.log(JSON.stringify(measure(fromRate, toRate, count ?? 1)));
} else {
  const rows = ROWS.map((row) => {
    const args = ['--import', 'tsx', fileURLToPath(import.meta.url), ...row.map(String)];
    return JSON.parse(execFileSync(process.execPath, args, { encoding: 'utf8' })) as Row;
  });
  console.table(rows);
  console.log(JSON.stringify({ bench: 'resampler', node: process.version, rows }));
}

function measure(from: number, to: number, realmCount: number): Row {
  const designs = Array.from({ length: 10 }, () => time(() => designResampler(from, to)));
  const table = designResampler(from, to);
  const resamplers = Array.from({ length: realmCount }, () => createResampler(table, 4096));
  const input = Int16Array.from({ length: 4096 }, (_, i) => 16000 * Math.sin(i / 3));
  const output = new Float32Array(QUANTUM);
  const quantum = (): void => {
    for (const resampler of resamplers) {
      resampler.push(input, 0, resampler.inputFor(QUANTUM));
      resampler.pull(output, 0, QUANTUM);
    }
  };
  const first = Array.from({ length: 53 }, () => time(quantum));
  const runs = Array.from({ length: 60 }, () =>
    time(() => {
      for (let i = 0; i < 200; i++) quantum();
    }),
  );
  const ns = (median(runs.slice(20)) * 1e6) / (200 * QUANTUM * realmCount);
  const round = (value: number, digits: number): number => Number(value.toFixed(digits));
  return {
    from,
    to,
    count: realmCount,
    taps: table.taps,
    nsPerOutput: round(ns, 1),
    percentOfQuantum: round((ns * to) / 1e7, 2),
    coldUs: round(Math.max(...first.slice(0, 8)) * 1000, 0),
    warmUs: round(Math.max(...first.slice(45)) * 1000, 0),
    tableColdMs: round(designs[0]!, 1),
    tableWarmMs: round(designs[9]!, 1),
  };
}

/** Milliseconds that `work` takes. */
function time(work: () => unknown): number {
  const start = performance.now();
  work();
  return performance.now() - start;
}

function median(values: number[]): number {
  return values.sort((a, b) => a - b)[values.length >> 1]!;
}
