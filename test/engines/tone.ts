import type { Recorded } from './launch/recorder.js';

/** A stretch of a recording, in samples; `to` is exclusive. */
export interface Stretch {
  readonly from: number;
  readonly to: number;
}

/** Properties of a stretch of tone. */
export interface Tone {
  /** Frequency in Hz. */
  readonly pitch: number;
  /** Peak amplitude, as a fraction of full scale. */
  readonly level: number;
  /**
   * Maximum difference of a sample from a clean tone, as a fraction of the level. Gaps, clicks and lost frames raise
   * it.
   */
  readonly error: number;
}

/** Threshold below which a sample is silence: -60 dB of full scale. */
const SILENCE = 0.001;
/** Minimum silence between two stretches of sound, in seconds. A tone crosses zero much faster. */
const APART = 0.02;
/** Length, in seconds, of the pieces whose phases give the pitch. */
const PIECE = 0.02;

/** Decodes the recorded samples of the left channel, in [-1, 1). */
export function samplesOf(recorded: Recorded): Float32Array {
  return framesOf(recorded, (left) => left);
}

/** Returns what was recorded only on the right channel. */
export function rightOf(recorded: Recorded): Float32Array {
  return framesOf(recorded, (left, right) => right - left);
}

function framesOf({ pcm }: Recorded, mix: (left: number, right: number) => number): Float32Array {
  const bytes = Uint8Array.from(atob(pcm), (character) => character.charCodeAt(0));
  const frames = new Int16Array(bytes.buffer, 0, 2 * Math.floor(bytes.length / 4));
  return Float32Array.from({ length: frames.length / 2 }, (_, at) => mix(frames[2 * at]!, frames[2 * at + 1]!) / 32768);
}

/** Finds the stretches of sound. */
export function sounds(samples: Float32Array, rate: number): Stretch[] {
  const found: Stretch[] = [];
  let from = -1;
  let last = -1;
  samples.forEach((sample, at) => {
    if (Math.abs(sample) < SILENCE) return;
    if (from >= 0 && at - last > APART * rate) {
      found.push({ from, to: last + 1 });
      from = at;
    }
    if (from < 0) from = at;
    last = at;
  });
  if (from >= 0) found.push({ from, to: last + 1 });
  return found;
}

/**
 * Fits a pure tone to a stretch of sound, and measures how far the sound differs from it.
 *
 * @param about - Approximate pitch in Hz; at most 20 Hz off.
 */
export function toneOf(samples: Float32Array, rate: number, about: number): Tone {
  const length = Math.round(PIECE * rate);
  const phases: number[] = [];
  for (let at = 0; at + length <= samples.length; at += length) {
    const { cosine, sine } = fit(samples, at, length, about / rate);
    const phase = Math.atan2(-sine, cosine);
    const before = phases.at(-1) ?? phase;
    phases.push(phase + 2 * Math.PI * Math.round((before - phase) / (2 * Math.PI)));
  }
  const pitch = about + (slopeOf(phases) * rate) / length / (2 * Math.PI);
  const { cosine, sine } = fit(samples, 0, samples.length, pitch / rate);
  const level = Math.hypot(cosine, sine);
  const error = samples.reduce((most, sample, at) => {
    const angle = (2 * Math.PI * pitch * at) / rate;
    return Math.max(most, Math.abs(sample - cosine * Math.cos(angle) - sine * Math.sin(angle)));
  }, 0);
  return { pitch, level, error: error / level };
}

/**
 * Fits a cosine and a sine by least squares.
 *
 * @param frequency - Frequency in cycles per sample. The phase counts from the beginning of `samples`.
 */
function fit(samples: Float32Array, from: number, length: number, frequency: number): { cosine: number; sine: number } {
  let [cc, cs, ss, xc, xs] = [0, 0, 0, 0, 0];
  for (let at = from; at < from + length; at++) {
    const cos = Math.cos(2 * Math.PI * frequency * at);
    const sin = Math.sin(2 * Math.PI * frequency * at);
    cc += cos * cos;
    cs += cos * sin;
    ss += sin * sin;
    xc += samples[at]! * cos;
    xs += samples[at]! * sin;
  }
  const determinant = cc * ss - cs * cs;
  return { cosine: (xc * ss - xs * cs) / determinant, sine: (xs * cc - xc * cs) / determinant };
}

/** Slope, per value, of the straight line that fits `values` best. */
function slopeOf(values: readonly number[]): number {
  const middle = (values.length - 1) / 2;
  const up = values.reduce((sum, value, index) => sum + (index - middle) * value, 0);
  const across = values.reduce((sum, _, index) => sum + (index - middle) ** 2, 0);
  return up / across;
}
