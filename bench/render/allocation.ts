/**
 * Measures garbage in 100,000 quanta. `allocation.ts <mode> bytes` prints the bytes that they leave on the heap, scaled
 * to a million; `allocation.ts <mode> collections` prints the number of garbage collections. The first requires a young
 * generation so large that nothing is collected, so that the heap grows by everything that is allocated; the second
 * requires a small one.
 */
import { PerformanceObserver } from 'node:perf_hooks';
import { setImmediate } from 'node:timers/promises';
import { modes, Stage } from './stage.js';

const QUANTA = 100_000;
const WINDOWS = 3;

const [mode = '', method] = process.argv.slice(2);
const stage = new Stage(modes[mode]!);
run(); // compiles
console.log(method === 'bytes' ? bytesPerMillion() : await collections());

function run(): void {
  for (let i = 0; i < QUANTA; i++) {
    stage.feed();
    stage.render();
  }
}

/** Returns the minimum of several windows: background compilation may fall into the others. */
function bytesPerMillion(): number {
  const windows = Array.from({ length: WINDOWS }, () => {
    globalThis.gc!();
    const before = process.memoryUsage().heapUsed;
    const ownBytes = process.memoryUsage().heapUsed - before;
    run();
    return process.memoryUsage().heapUsed - before - 2 * ownBytes;
  });
  return Math.max(0, Math.min(...windows)) * (1e6 / QUANTA);
}

async function collections(): Promise<number> {
  let seen = 0;
  const observer = new PerformanceObserver((list) => (seen += list.getEntries().length));
  observer.observe({ entryTypes: ['gc'] });
  await setImmediate();
  seen = 0;
  run();
  await setImmediate();
  return seen;
}
