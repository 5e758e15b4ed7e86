/** Number of samples that the stress test sends: enough for hundreds of laps of its ring. */
export const STRESS_SAMPLES = 10_000_000;
/** Average distance between two marks, in samples. */
export const SAMPLES_PER_MARK = 5_000;
/** Seed of the dice with which both sides determine the distance to the next mark. */
export const MARK_SEED = 3;

/** Returns sample number `index`. It looks random, so that a swapped, repeated or missing block is detected. */
export function stressSample(index: number): number {
  const bits = Math.imul(index ^ (index >>> 15), 0x2c1b3c6d);
  return ((bits ^ (bits >>> 12)) << 16) >> 16;
}

/** Returns a small, repeatable random generator of integers from 1 to `below`. */
export function dice(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return 1 + Math.floor((state / 2 ** 32) * below);
  };
}
