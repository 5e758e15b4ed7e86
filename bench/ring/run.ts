/**
 * Measures the cost of the ring: `npm run ring --prefix bench`.
 *
 * Calls: nanoseconds per call in one thread, and the ratio to `TypedArray.prototype.set` of the same samples between
 * fixed places, timed in turn in the same process; bytes allocated per million calls. Our reader does not copy: samples
 * are used in place. So "ours pop" is the cost of the ring alone, "to float64" includes the conversion of every sample
 * as in the resampler, and "no ring" is that conversion alone.
 *
 * Threads: millions of samples per second from one thread to another. The writer writes up to 960 at a time, as room
 * permits; the reader takes up to 128 at a time and reads each one. In addition, every sample is checked, in blocks of
 * random size, where positions wrap.
 */
import { inOwnProcess } from '../own-process.js';
import { show } from '../show.js';
import { median, rounded } from '../timing.js';
import type { CallCost } from './call-cost.js';
import { checkSamples, samplesPerSecond } from './two-threads.js';

/** Operations, samples per call, and the upper limit of the ratio to `set`. */
const CALLS = [
  ['ours push', 960, 1.4],
  ['ours push part', 960, null],
  ['ringbuf.js push', 960, null],
  ['ours push', 128, null],
  ['ringbuf.js push', 128, null],
  ['ours pop', 128, 1.6],
  ['ours pop to float64', 128, null],
  ['no ring, to float64', 128, null],
  ['ringbuf.js pop', 128, null],
  ['ours pop', 960, null],
  ['ringbuf.js pop', 960, null],
] as const;

const NO_COLLECTION = ['--expose-gc', '--min-semi-space-size=512', '--max-semi-space-size=512'];
/** Processes per operation. The figures are their medians. */
const ROUNDS = 3;
const THREAD_ROUNDS = 9;
/** First positions of the checks: near the wrap of int32, and of the unsigned value. */
const CHECKS = [2 ** 31 - 1e8, -1e8];
const CHECKED_SAMPLES = 5e8;

const file = (name: string): string => new URL(name, import.meta.url).href;

const costs = CALLS.map(() => [] as CallCost[]);
for (let round = 0; round < ROUNDS; round++) {
  CALLS.forEach(([operation, samples], i) => {
    costs[i]!.push(inOwnProcess(file('call-cost.ts'), [operation, String(samples)]) as CallCost);
  });
}
const calls = CALLS.map(([operation, samples, target], i) => ({
  operation,
  samples,
  ns: rounded(median(costs[i]!.map(({ ns }) => ns)), 1),
  'a copy, ns': rounded(median(costs[i]!.map(({ limitNs }) => limitNs)), 1),
  'times a copy': median(costs[i]!.map(({ ratio }) => ratio)),
  'at most': target,
  'bytes a million': inOwnProcess(file('allocation.ts'), [operation, String(samples)], NO_COLLECTION) as number,
}));
show('ring: calls', calls);

const speeds = { ours: [] as number[], 'ringbuf.js': [] as number[] };
for (let round = 0; round < THREAD_ROUNDS; round++) {
  for (const kind of ['ours', 'ringbuf.js'] as const) speeds[kind].push(await samplesPerSecond(kind));
}
const threads = Object.entries(speeds).map(([ring, perSecond]) => ({
  ring,
  // The best: while one of the two threads has no core, the other one is blocked, too.
  'Msample/s, best': rounded(Math.max(...perSecond) / 1e6, 0),
  'Msample/s, median': rounded(median(perSecond) / 1e6, 0),
}));
show('ring: two threads', threads);

const checks = [];
for (const position of CHECKS) {
  const wrong = await checkSamples(position, CHECKED_SAMPLES);
  checks.push({ 'from position': position, samples: CHECKED_SAMPLES, 'first wrong one': wrong ?? 'none' });
}
show('ring: every sample', checks);
