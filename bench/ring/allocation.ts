/**
 * Bytes that a million calls leave on the heap: `allocation.ts <operation> <samples>` prints a number.
 *
 * Wants Node's `FLAGS`: a young generation so large that nothing is collected in between, so that the heap grows by all
 * that is allocated.
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
// The first one warms up; compilation in the background may fall into others.
console.log(Math.max(0, Math.min(...windows.slice(1))));
