/** Range of sample rates, in Hz, for which a resampler is designed. */
const RATE_MIN = 4000;
const RATE_MAX = 384000;

/** Maximum number of phases of a table with one row per phase, and of its coefficients (4 MiB). */
const EXACT_PHASES = 1024;
const EXACT_COEFFICIENTS = 2 ** 19;

/** Rows per input sample of a table for interpolation. The error of linear interpolation is then below -105 dB. */
const INTERPOLATED_PHASES = 512;

/** Number of taps that the inner loop of the resampler takes at a time. */
const TAPS_UNIT = 8;

/**
 * Coefficients of a polyphase resampler, made by `designResampler` and used by `createResampler`. Plain data that can
 * be posted to another thread; `coefficients` can be on a SharedArrayBuffer.
 */
export interface ResamplerTable {
  /** Rate of the input, in Hz. */
  readonly fromRate: number;
  /** Rate of the output, in Hz. */
  readonly toRate: number;
  /** `toRate / fromRate` is `up / down` in lowest terms. Output `k` lies at input sample `k * down / up`. */
  readonly up: number;
  readonly down: number;
  /** Input samples per output sample: a multiple of 8, or 1 if the rates are the same. */
  readonly taps: number;
  /** Rows per input sample: `up`, or fewer if the resampler interpolates between rows. */
  readonly phases: number;
  /**
   * `phases * taps` coefficients, row after row. Row `p` is for outputs that lie `p / phases` after an input sample.
   * Each row adds up to 1. A table for interpolation has one more row at the end: the first row, one sample later.
   */
  readonly coefficients: Float64Array;
}

/** Shape of the low-pass filter. `designResampler` describes the defaults. */
export interface ResamplerOptions {
  /** Taps per phase, at least 8; rounded up to a multiple of 8. Down-sampling uses more. */
  readonly taps?: number;
  /** Shape of the Kaiser window, at least 0. A higher value is cleaner and less steep. */
  readonly beta?: number;
  /** Frequency at which the filter is 6 dB down, as a fraction, in (0, 1], of the lower Nyquist frequency. */
  readonly cutoff?: number;
}

/**
 * Options for a filter of half the cost and half the look-ahead: 64 taps, 1.33 ms at 24 kHz. It is flat within 0.1 dB
 * up to 0.88 of the lower Nyquist frequency. Images and aliases are 90 dB down, except those of tones within 5 % of it.
 */
export const ecoResampler: ResamplerOptions = { taps: 64, beta: 9, cutoff: 0.945 };

/**
 * Designs the low-pass filter that converts audio from one sample rate to another: a sinc under a Kaiser window, one
 * row of coefficients per phase, each row normalised to a gain of 1 at 0 Hz (J. F. Kaiser, "Nonrecursive digital filter
 * design using the I0-sinh window function", 1974; R. E. Crochiere, L. R. Rabiner, "Multirate Digital Signal
 * Processing", 1983).
 *
 * With the defaults (128 taps, beta 10, cutoff 0.95), the filter is flat within 0.1 dB up to 0.91 of the lower Nyquist
 * frequency, and images and aliases are 100 dB down. 64 taps of 24 kHz audio are 2.67 ms of look-ahead.
 *
 * *Down-sampling*: the pass band is narrower by `toRate / fromRate`, so there are `fromRate / toRate` times as many
 * taps. Quality and look-ahead in output samples stay the same; the cost of an output rises by that factor.
 *
 * *Many phases*: up to 1024 phases have an exact row each, if the table is at most 4 MiB. Otherwise the table has 512
 * rows per input sample (fewer in proportion when down-sampling), and the resampler interpolates linearly between them.
 * The result is still 100 dB clean and does not drift, but an output costs twice as much.
 *
 * *Same rate*: one tap of 1, so samples pass unchanged.
 *
 * Takes milliseconds and allocates, so it is not for the audio thread.
 *
 * @param fromRate - Rate of the input in Hz, an integer from 4000 to 384000.
 * @param toRate - Rate of the output in Hz, in the same range.
 * @throws {RangeError} If a rate or an option is out of range.
 */
export function designResampler(fromRate: number, toRate: number, options: ResamplerOptions = {}): ResamplerTable {
  const { taps: tapsPerPhase = 128, beta = 10, cutoff = 0.95 } = options;
  check('Sample rate', fromRate, Number.isInteger(fromRate) && fromRate >= RATE_MIN && fromRate <= RATE_MAX);
  check('Sample rate', toRate, Number.isInteger(toRate) && toRate >= RATE_MIN && toRate <= RATE_MAX);
  check('Number of taps', tapsPerPhase, tapsPerPhase >= TAPS_UNIT && tapsPerPhase <= 1024);
  check('Kaiser beta', beta, beta >= 0 && beta <= 30);
  check('Cutoff', cutoff, cutoff > 0 && cutoff <= 1);
  const divisor = greatestCommonDivisor(fromRate, toRate);
  const up = toRate / divisor;
  const down = fromRate / divisor;
  const ratio = { fromRate, toRate, up, down };
  if (up === down) return { ...ratio, taps: 1, phases: 1, coefficients: Float64Array.of(1) };
  const narrowing = Math.max(1, down / up);
  const taps = TAPS_UNIT * Math.ceil((tapsPerPhase * narrowing) / TAPS_UNIT);
  const exact = up <= EXACT_PHASES && up * taps <= EXACT_COEFFICIENTS;
  const phases = exact ? up : Math.ceil(INTERPOLATED_PHASES / narrowing);
  const coefficients = new Float64Array((exact ? phases : phases + 1) * taps);
  for (let phase = 0; phase <= phases >> 1; phase++) {
    const row = coefficients.subarray(phase * taps, (phase + 1) * taps);
    fillSincRow(row, phase / phases, cutoff / narrowing, beta);
    const mirror = (phases - phase) * taps;
    if (mirror < coefficients.length) coefficients.set(row.slice().reverse(), mirror);
  }
  return { ...ratio, taps, phases, coefficients };
}

/**
 * Fills a row of coefficients with a sinc under a Kaiser window. Its gain is 1 at 0 Hz.
 *
 * @param row - Row of even length. Its output lies `offset` of a sample after input sample `row.length / 2 - 1`.
 * @param cutoff - Cutoff frequency as a fraction of the Nyquist frequency of the input.
 */
export function fillSincRow(row: Float64Array, offset: number, cutoff: number, beta: number): void {
  const half = row.length / 2;
  let sum = 0;
  for (let tap = 0; tap < row.length; tap++) {
    const time = tap - half + 1 - offset;
    const angle = Math.PI * cutoff * time;
    const sinc = angle === 0 ? 1 : Math.sin(angle) / angle;
    const value = sinc * besselI0(beta * Math.sqrt(1 - (time / half) ** 2));
    row[tap] = value;
    sum += value;
  }
  for (let tap = 0; tap < row.length; tap++) row[tap]! /= sum;
}

/** Computes the modified Bessel function of the first kind and order 0, by its power series. */
function besselI0(x: number): number {
  const quarterSquare = (x * x) / 4;
  let sum = 1;
  let term = 1;
  for (let k = 1; term > sum * Number.EPSILON; k++) {
    term *= quarterSquare / (k * k);
    sum += term;
  }
  return sum;
}

function greatestCommonDivisor(a: number, b: number): number {
  return b === 0 ? a : greatestCommonDivisor(b, a % b);
}

function check(what: string, value: number, valid: boolean): void {
  if (!valid) throw new RangeError(`${what} out of range: ${value}`);
}
