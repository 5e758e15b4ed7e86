/** Peaks up to this, of 32768, are a voice's own noise (measured: at most 166, with flite's kal). */
const FLOOR = 200;

/** Silence that is kept before the first sound, in seconds: soft onsets, such as an "h", lie below the floor. */
const KEPT_BEFORE = 0.04;

/**
 * Cuts the silence that a voice leaves around every piece, so that speech begins at once and pieces follow each other
 * without halting.
 *
 * Pure; any thread; allocates nothing.
 *
 * @param samples - A piece as the voice made it, at `sampleRate` Hz.
 * @param keptAfter - Silence that is kept after the last sound, in seconds.
 * @returns A part of `samples`, over the same memory; empty if there is no sound in it.
 */
export function trimSilence(samples: Int16Array, sampleRate: number, keptAfter: number): Int16Array {
  const isSound = (sample: number): boolean => Math.abs(sample) > FLOOR;
  const first = samples.findIndex(isSound);
  if (first < 0) return samples.subarray(0, 0);
  const last = samples.findLastIndex(isSound);
  const from = Math.max(0, first - Math.round(KEPT_BEFORE * sampleRate));
  const to = Math.min(samples.length, last + 1 + Math.round(keptAfter * sampleRate));
  return samples.subarray(from, to);
}
