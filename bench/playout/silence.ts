/** A sample below this is silent. It exceeds the +-1e-6 that keeps an output awake. Marked speech is louder. */
export const SILENCE = 2e-6;

/** Shortest run of silence that counts, in samples: the marker under speech is never below `SILENCE` that long. */
const RUN_MIN = 24;

/** Samples `[from, to)`. */
export interface Run {
  readonly from: number;
  readonly to: number;
}

/**
 * Returns the range from the first to the last sample of `output[0, length)` that is not silent; empty at `length` if
 * all are.
 */
export function soundingRange(output: Float32Array, length: number): Run {
  let from = 0;
  while (from < length && Math.abs(output[from]!) < SILENCE) from++;
  let to = length;
  while (to > from && Math.abs(output[to - 1]!) < SILENCE) to--;
  return { from, to };
}

/** Returns the runs of silence inside `range`, in order. None is part of the speech: see the marker in speech.ts. */
export function silentRuns(output: Float32Array, range: Run): Run[] {
  const runs: Run[] = [];
  for (let i = range.from; i < range.to; i += RUN_MIN) {
    // Checks one sample in RUN_MIN: a run that counts cannot fall between two checks.
    if (Math.abs(output[i]!) >= SILENCE) continue;
    let from = i;
    while (from > range.from && Math.abs(output[from - 1]!) < SILENCE) from--;
    let to = i + 1;
    while (to < range.to && Math.abs(output[to]!) < SILENCE) to++;
    if (to - from >= RUN_MIN) {
      runs.push({ from, to });
      i = to - 1;
    }
  }
  return runs;
}
