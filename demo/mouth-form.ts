/** Shares of the forms of the mouth, each 0 to 1; together at most 1. */
export interface MouthForm {
  /** Round lips, as in "who". */
  readonly round: number;
  /** Spread lips, as in "he". */
  readonly spread: number;
  /** Teeth together, as at the beginning of "see". */
  readonly teeth: number;
}

/** Frequency bands in Hz: the first formant, the second formant of back vowels and of front vowels, and sibilants. */
const FIRST = [150, 950] as const;
const BACK = [950, 1700] as const;
const FRONT = [1700, 3400] as const;
const SIBILANT = [3400, 8000] as const;

/**
 * Estimates the form of the mouth from the spectrum of speech. Round lips lower the second formant into the band of the
 * first; spread lips go with a high second formant; with the teeth together, sibilants dominate (G. Fant, Acoustic Theory
 * of Speech Production, 1960). The limits were tuned with three voices of flite.
 *
 * @param powers - Power per bin, in any unit.
 * @param binHz - Width of a bin in Hz.
 */
export function readMouthForm(powers: Float32Array, binHz: number): MouthForm {
  const powerIn = ([from, to]: readonly [number, number]): number => {
    let sum = 0;
    for (let bin = Math.ceil(from / binHz); bin < Math.min(powers.length, to / binHz); bin++) {
      // Compensates for the spectrum of speech, which falls by about 6 dB per octave.
      sum += powers[bin]! * bin ** 2;
    }
    return sum;
  };
  const [first, back, front, hiss] = [powerIn(FIRST), powerIn(BACK), powerIn(FRONT), powerIn(SIBILANT)];
  const voiced = first + back + front;
  if (voiced + hiss === 0) return { round: 0, spread: 0, teeth: 0 };
  const teeth = ramp(hiss / (voiced + hiss), 0.35, 0.75);
  const round = voiced > 0 ? ramp(first / voiced, 0.8, 0.95) : 0;
  const spread = voiced > 0 ? ramp(front / voiced, 0.1, 0.3) : 0;
  const share = (1 - teeth) / Math.max(1, round + spread);
  return { round: share * round, spread: share * spread, teeth };
}

/** Returns 0 below `from`, 1 above `to`, and interpolates linearly between them. */
function ramp(value: number, from: number, to: number): number {
  return Math.min(1, Math.max(0, (value - from) / (to - from)));
}
