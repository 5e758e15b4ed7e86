import { createResampler, designResampler } from '../../src/dsp/index.js';
import type { HeardAudio } from './destination-tap.js';

/** Below this a sample is silence: about three steps of 16-bit audio. */
const AUDIBLE = 1e-4;

/** Speech is compared in windows of this length, in seconds. */
const WINDOW_SECONDS = 0.05;

/** A window whose root mean square is below this holds no speech to compare. */
const SPEECH_RMS = 0.005;

/** How what was heard relates to what was sent. */
export interface AudioComparison {
  /** Samples from the first audible one to the last, of what was heard. */
  readonly heardLength: number;
  /** The same of what was sent, brought to the context's rate. */
  readonly sentLength: number;
  /** Normalised correlation of the two, over all of it, at the one lag that fits best; 1 = the same. */
  readonly correlation: number;
  /** The least correlation of any window of speech at that lag: a gap, a repetition or a jump shows here. */
  readonly worstWindow: number;
  /** Loudness heard, relative to what was sent. */
  readonly gain: number;
  /** Greatest absolute value after the last sample of what was sent. */
  readonly afterwards: number;
}

/** Compares what a context played with the audio the service sent, at `sentRate` Hz. */
export function compareAudio(heard: HeardAudio, sent: Int16Array, sentRate: number): AudioComparison {
  const reference = resample(sent, sentRate, heard.sampleRate);
  const [sentFirst, sentLast] = audibleRange(reference);
  const [heardFirst, heardLast] = audibleRange(heard.samples);
  const lag = bestLag(heard.samples, reference, heardFirst - sentFirst, Math.round(heard.sampleRate / 50));
  const window = Math.round(WINDOW_SECONDS * heard.sampleRate);
  let worstWindow = 1;
  for (let from = sentFirst; from + window <= sentLast; from += window) {
    if (rms(reference, from, window) < SPEECH_RMS) continue;
    worstWindow = Math.min(worstWindow, correlation(heard.samples, reference, lag, from, window));
  }
  const length = sentLast - sentFirst + 1;
  return {
    heardLength: heardLast - heardFirst + 1,
    sentLength: length,
    correlation: correlation(heard.samples, reference, lag, sentFirst, length),
    worstWindow,
    gain: rms(heard.samples, sentFirst + lag, length) / rms(reference, sentFirst, length),
    afterwards: peak(heard.samples, lag + reference.length),
  };
}

/** Index of the first and the last audible sample. */
export function audibleRange(samples: Float32Array): readonly [first: number, last: number] {
  const audible = (sample: number) => Math.abs(sample) > AUDIBLE;
  return [samples.findIndex(audible), samples.findLastIndex(audible)];
}

/** Greatest absolute value from `from` on; 0 for nothing. */
export function peak(samples: Float32Array, from = 0): number {
  let greatest = 0;
  for (let index = Math.max(0, from); index < samples.length; index += 1) {
    greatest = Math.max(greatest, Math.abs(samples[index]!));
  }
  return greatest;
}

function resample(sent: Int16Array, fromRate: number, toRate: number): Float32Array {
  const resampler = createResampler(designResampler(fromRate, toRate), sent.length + 8192);
  resampler.push(sent, 0, sent.length);
  const wanted = Math.round((sent.length * toRate) / fromRate);
  resampler.pushSilence(Math.max(0, resampler.inputFor(wanted)));
  const output = new Float32Array(wanted);
  const pulled = resampler.pull(output, 0, wanted);
  if (pulled !== wanted) throw new Error(`the resampler gave ${pulled} samples instead of ${wanted}`);
  return output;
}

/** The shift of `reference` at which it fits `heard` best, looked for around `guess`. */
function bestLag(heard: Float32Array, reference: Float32Array, guess: number, reach: number): number {
  const [first] = audibleRange(reference);
  // Half a second is enough to be sure, and short enough to try every shift.
  const length = Math.min(reach * 25, reference.length - first);
  let best = guess;
  let bestCorrelation = -Infinity;
  for (let lag = guess - reach; lag <= guess + reach; lag += 1) {
    const candidate = correlation(heard, reference, lag, first, length);
    if (candidate > bestCorrelation) [best, bestCorrelation] = [lag, candidate];
  }
  return best;
}

function correlation(heard: Float32Array, reference: Float32Array, lag: number, from: number, length: number): number {
  let product = 0;
  let heardEnergy = 0;
  let referenceEnergy = 0;
  for (let index = from; index < from + length; index += 1) {
    const a = heard[index + lag] ?? 0;
    const b = reference[index] ?? 0;
    product += a * b;
    heardEnergy += a * a;
    referenceEnergy += b * b;
  }
  return product / Math.sqrt(heardEnergy * referenceEnergy || 1);
}

function rms(samples: Float32Array, from: number, length: number): number {
  let energy = 0;
  for (let index = from; index < from + length; index += 1) energy += (samples[index] ?? 0) ** 2;
  return Math.sqrt(energy / length);
}
