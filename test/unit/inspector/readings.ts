import type { Reading } from '../../../src/inspector/reading.js';

const nothing: Reading = {
  atSeconds: 0,
  bufferedSeconds: 0,
  targetSeconds: 0.12,
  arrivedSeconds: 0,
  playedSeconds: 0,
  insertedSeconds: 0,
  removedSeconds: 0,
  concealedSeconds: 0,
  silentSeconds: 0,
  underruns: 0,
  outputSeconds: 0.03,
};

/** Readings 20 ms apart, in which nothing happens but for what is said of each. */
export function readingsOf(...changes: readonly Partial<Reading>[]): Reading[] {
  return changes.map((change, index) => ({ ...nothing, atSeconds: index / 50, ...change }));
}
