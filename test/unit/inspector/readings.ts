import type { Reading } from '../../../src/inspector/recording.js';

const idle: Reading = {
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

/** Returns readings 20 ms apart of an idle speaker, with `changes` applied to one each. */
export function readingsOf(...changes: readonly Partial<Reading>[]): Reading[] {
  return changes.map((change, index) => ({ ...idle, atSeconds: index / 50, ...change }));
}
