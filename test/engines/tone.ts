import type { Recorded } from './launch/recorder.js';

/** A stretch of a recording, in samples; `to` is one past the last. */
export interface Stretch {
  readonly from: number;
  readonly to: number;
}

/** What a stretch of tone is like. */
export interface Tone {
  /** In Hz. */
  readonly pitch: number;
  /** Peak, of full scale. */
  readonly level: number;
  /** By how much a sample differs at most from a clean tone, of the level. A gap, a click and a lost frame all show. */
  readonly error: number;
}

/** Softer than this is silence: -60 dB of full scale. */
const SILENCE = 0.001;
/** Two stretches of sound have more silence than this between them, in seconds; a tone goes through zero much faster. */
const APART = 0.02;
/** Pieces whose phases give the pitch, in seconds. */
const PIECE = 0.02;

/** What was recorded, between -1 and 1. */
export function samplesOf({ pcm }: Recorded): Float32Array {
  const bytes = Uint8Array.from(atob(pcm), (character) => character.charCodeAt(0));
  return Float32Array.from(new Int16Array(bytes.buffer), (sample) => sample / 32768);
}

/** Where there is sound. */
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
 * Finds the tone that a stretch of sound is, and how far it is from being nothing else.
 *
 * @param about - Its pitch, roughly: within 20 Hz.
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
 * Least squares of a cosine and a sine.
 *
 * @param frequency - In cycles per sample. The phase counts from the beginning of `samples`.
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

/** By how much the values grow from one to the next, on the line that fits them best. */
function slopeOf(values: readonly number[]): number {
  const middle = (values.length - 1) / 2;
  const up = values.reduce((sum, value, index) => sum + (index - middle) * value, 0);
  const across = values.reduce((sum, _, index) => sum + (index - middle) ** 2, 0);
  return up / across;
}
