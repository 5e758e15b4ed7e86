/**
 * What the resampler costs: `npx tsx bench/resampler/run.ts`.
 *
 * Each row has a process of its own, since V8 compiles a closure better while there is only one of its kind. Columns:
 * - ns/output, and its share of a render quantum of 128: median of many runs after warm-up;
 * - cold: the longest of the first 8 quanta of all, in microseconds, compilation included;
 * - warm: the longest of 8 quanta after 45 others, which is what a jitter buffer of 120 ms leaves time for;
 * - table: milliseconds to design the filter, the first time and the tenth.
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

const [fromRate, toRate, count] = process.argv.slice(2).map(Number);
if (fromRate !== undefined && toRate !== undefined) {
  console.log(measure(fromRate, toRate, count ?? 1));
} else {
  console.log('   from      to   n   taps  ns/output  % of quantum  cold us  warm us  table ms');
  for (const row of ROWS) {
    const args = ['--import', 'tsx', fileURLToPath(import.meta.url), ...row.map(String)];
    process.stdout.write(execFileSync(process.execPath, args));
  }
}

function measure(from: number, to: number, realmCount: number): string {
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
  const cells = [
    [from, 7],
    [to, 7],
    [realmCount, 3],
    [table.taps, 6],
    [ns.toFixed(1), 10],
    [((ns * to) / 1e7).toFixed(2), 13],
    [(Math.max(...first.slice(0, 8)) * 1000).toFixed(0), 8],
    [(Math.max(...first.slice(45)) * 1000).toFixed(0), 8],
    [`${designs[0]!.toFixed(1)}/${designs[9]!.toFixed(1)}`, 9],
  ] as const;
  return cells.map(([value, width]) => String(value).padStart(width)).join(' ');
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
