/**
 * Measures the bytes that a million calls leave on the heap: `allocation.ts <operation> <samples>` prints a number.
 *
 * Requires `NO_COLLECTION` of run.ts: a young generation so large that nothing is collected, so that the heap grows by
 * everything that is allocated.
 */
import { operations } from './operations.js';

const CALLS = 1e6;
const WINDOWS = 5;

const [name = '', size = ''] = process.argv.slice(2);
const { calls, run } = operations[name]!(Number(size));
const windows = Array.from({ length: WINDOWS + 1 }, () => {
  globalThis.gc!();
  const before = process.memoryUsage().heapUsed;
  const ownBytes = process.memoryUsage().heapUsed - before;
  for (let made = 0; made < CALLS; made += calls) run();
  return process.memoryUsage().heapUsed - before - 2 * ownBytes;
});
// The first window warms up. Background compilation may fall into others.
console.log(Math.max(0, Math.min(...windows.slice(1))));
