/**
 * Sample generators that give the same samples everywhere: the gateway sends them, a test computes them again and
 * compares. No imports, so that browser tests can use this file too.
 */

/** What to generate. Exactly one of `tone`, `ramp` and `noise`; a tone of 440 Hz if there is none. */
export interface PcmSource {
  /** Sine of so many Hz, at half of full scale. */
  readonly tone?: number;
  /** Every sample is the one before plus 1, wrapping at 16 bits: shows at once what is missing or doubled. */
  readonly ramp?: true;
  /** White noise at full scale from this seed. */
  readonly noise?: number;
  /** Samples per second; 24000 if left out. */
  readonly rate?: number;
}

/**
 * Samples `from` to `from + count` of a source.
 *
 * @param from - Where to begin in the endless signal, in samples: a second part can go on where the first one ended.
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

/** 16 bits that look random and depend on both numbers alone. */
function hash(index: number, seed: number): number {
  let bits = Math.imul(index ^ Math.imul(seed, 0x9e3779b1), 0x85ebca6b);
  bits = Math.imul(bits ^ (bits >>> 13), 0xc2b2ae35);
  return (bits ^ (bits >>> 16)) & 0xffff;
}
