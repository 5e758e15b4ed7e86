/** What the lips do besides opening, each 0 to 1: the share of it in what is shown, together 1 at most. */
export interface MouthForm {
  /** As in "who". */
  readonly round: number;
  /** As in "he". */
  readonly spread: number;
  /** Teeth together, as in "see" at its beginning. */
  readonly teeth: number;
}

/** Bands of speech, in Hz: the first formant of all vowels, the second of those at the back and at the front, hissing. */
const FIRST = [150, 950] as const;
const BACK = [950, 1700] as const;
const FRONT = [1700, 3400] as const;
const HISS = [3400, 8000] as const;

/**
 * Reads the form of the mouth from how speech is spread over the frequencies. Lips that are round lower the second formant
 * into the first one's band; lips that are spread go with a high one; with the teeth together there is little but hissing
 * (G. Fant, Acoustic Theory of Speech Production, 1960). The limits were found with three voices of flite.
 *
 * @param powers - Power per bin, of any unit.
 * @param binHz - Width of a bin.
 */
export function readMouthForm(powers: Float32Array, binHz: number): MouthForm {
  const powerIn = ([from, to]: readonly [number, number]): number => {
    let sum = 0;
    for (let bin = Math.ceil(from / binHz); bin < Math.min(powers.length, to / binHz); bin++) {
      // Speech falls by some 6 dB per octave.
      sum += powers[bin]! * bin ** 2;
    }
    return sum;
  };
  const [first, back, front, hiss] = [powerIn(FIRST), powerIn(BACK), powerIn(FRONT), powerIn(HISS)];
  const voiced = first + back + front;
  if (voiced + hiss === 0) return { round: 0, spread: 0, teeth: 0 };
  const teeth = rise(hiss / (voiced + hiss), 0.35, 0.75);
  const round = voiced > 0 ? rise(first / voiced, 0.8, 0.95) : 0;
  const spread = voiced > 0 ? rise(front / voiced, 0.1, 0.3) : 0;
  const share = (1 - teeth) / Math.max(1, round + spread);
  return { round: share * round, spread: share * spread, teeth };
}

/** 0 up to `from`, 1 from `to` on, and a straight line in between. */
function rise(value: number, from: number, to: number): number {
  return Math.min(1, Math.max(0, (value - from) / (to - from)));
}
