/**
 * Measures the audio thread's work per render quantum of 128 samples, from 24 to 48 kHz:
 * `npm run render --prefix bench`. It drives `Playout` without a browser, quantum
 * by quantum, in virtual time.
 *
 * Quanta: microseconds, and percent of the 2667 that a quantum lasts. p50, p99 and max use the minimum time of each
 * quantum over several runs, which is the cost of its work. The raw ones include disturbances by other programs.
 * Garbage: bytes allocated by a million quanta, and collections of a small heap in 100,000.
 * First quanta: the longest of the first eight speech quanta in a new process, median and worst of several processes.
 * `warm` follows the warm-up; `paced` also runs at the due times.
 * Many: microseconds for one quantum of many playouts on one audio thread: of all of them, and of each.
 */
import { inOwnProcess } from '../own-process.js';
import { show } from '../show.js';
import { median, rounded } from '../timing.js';
import type { QuantumTimes } from './quantum-times.js';
import { modes, QUANTUM_US } from './stage.js';

/**
 * Upper limits: of p99 in percent of a quantum, while playing and while stretching, and of the first eight quanta after
 * warm-up, in us.
 */
const TARGET_PLAYING = 2;
const TARGET_STRETCHING = 5;
const TARGET_FIRST_US = 100;

const FIRST_MODES = ['normal', 'slow', 'rate 2'];
const FIRST_ROUNDS = 5;
const MANY = [
  ['normal', 1],
  ['normal', 8],
  ['normal', 64],
  ['slow', 1],
  ['slow', 8],
  ['slow', 64],
  ['idle', 1],
  ['idle', 64],
] as const;

const NO_COLLECTION = ['--expose-gc', '--min-semi-space-size=512', '--max-semi-space-size=512'];
const SMALL_HEAP = ['--max-semi-space-size=1'];

const file = (name: string): string => new URL(name, import.meta.url).href;
const percent = (us: number): number => rounded((us / QUANTUM_US) * 100, 2);

const quanta = Object.keys(modes).map((mode) => {
  const times = inOwnProcess(file('quantum-times.ts'), [mode]) as QuantumTimes;
  const calm = mode === 'idle' || mode === 'normal' || mode === 'fixed';
  return {
    mode,
    ...times,
    'p50 % of a quantum': percent(times.p50),
    'p99 %': percent(times.p99),
    'p99 at most %': calm ? TARGET_PLAYING : TARGET_STRETCHING,
  };
});
show('render: quanta', quanta);

const garbage = Object.keys(modes).map((mode) => ({
  mode,
  'bytes a million quanta': inOwnProcess(file('allocation.ts'), [mode, 'bytes'], NO_COLLECTION) as number,
  'collections in 100,000': inOwnProcess(file('allocation.ts'), [mode, 'collections'], SMALL_HEAP) as number,
  'at most': 0,
}));
show('render: garbage', garbage);

const first = FIRST_MODES.flatMap((mode) =>
  ['cold', 'warm', 'paced'].map((temperature) => {
    const rounds = Array.from({ length: FIRST_ROUNDS }, () =>
      Math.max(...(inOwnProcess(file('first-quanta.ts'), [mode, temperature]) as number[])),
    );
    return {
      mode,
      temperature,
      'longest us': median(rounds),
      'worst us': Math.max(...rounds),
      'at most us': temperature === 'cold' ? null : TARGET_FIRST_US,
    };
  }),
);
show('render: first quanta', first);

const many = MANY.map(([mode, count]) => {
  const us = inOwnProcess(file('many.ts'), [mode, String(count)]) as number;
  return { mode, speakers: count, us, 'us each': rounded(us / count, 2), '% of a quantum': percent(us) };
});
show('render: many', many);
