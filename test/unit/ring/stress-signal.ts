/** Samples that the stress test sends: enough for hundreds of laps of its ring. */
export const STRESS_SAMPLES = 10_000_000;
/** A mark stands before every so many samples, on average. */
export const SAMPLES_PER_MARK = 5_000;
/** Both sides roll the distance to the next mark with dice of this seed. */
export const MARK_SEED = 3;

/** Sample number `index`: looks random, so that a swapped, doubled or missing block cannot go unseen. */
export function stressSample(index: number): number {
  const bits = Math.imul(index ^ (index >>> 15), 0x2c1b3c6d);
  return ((bits ^ (bits >>> 12)) << 16) >> 16;
}

/** Small repeatable random source: gives integers from 1 to `below`. */
export function dice(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return 1 + Math.floor((state / 2 ** 32) * below);
  };
}
