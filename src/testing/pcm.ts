/**
 * Deterministic sample generators: the gateway sends the samples; a test computes them again and compares. No imports,
 * so that browser tests can use this file, too.
 */

/** Signal to generate. At most one of `tone`, `ramp` and `noise`; a tone of 440 Hz by default. */
export interface PcmSource {
  /** Frequency of a sine at half of full scale, in Hz. */
  readonly tone?: number;
  /** Each sample is the previous one plus 1, wrapping at 16 bits, which makes missing or repeated samples obvious. */
  readonly ramp?: true;
  /** Seed of white noise at full scale. */
  readonly noise?: number;
  /** Samples per second; 24000 by default. */
  readonly rate?: number;
}

/**
 * Returns the samples `from` to `from + count` of a source.
 *
 * @param from - Offset in the endless signal, in samples; lets a second part continue where the first one ended.
 */
export function generatePcm(source: PcmSource, count: number, from: number = 0): Int16Array {
  const pcm = new Int16Array(count);
  const { noise, ramp } = source;
  if (ramp) {
    for (let index = 0; index < count; index++) pcm[index] = from + index;
  } else if (noise !== undefined) {
    for (let index = 0; index < count; index++) pcm[index] = hash(from + index, noise);
  } else {
    const step = (2 * Math.PI * (source.tone ?? 440)) / (source.rate ?? 24000);
    for (let index = 0; index < count; index++) pcm[index] = Math.round(16383 * Math.sin(step * (from + index)));
  }
  return pcm;
}

/** Returns 16 pseudo-random bits that depend only on both numbers. */
function hash(index: number, seed: number): number {
  let bits = Math.imul(index ^ Math.imul(seed, 0x9e3779b1), 0x85ebca6b);
  bits = Math.imul(bits ^ (bits >>> 13), 0xc2b2ae35);
  return (bits ^ (bits >>> 16)) & 0xffff;
}
