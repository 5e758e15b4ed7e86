import { createResampler, type ResamplerTable } from '../../../src/dsp/index.js';

/** A sine fitted to samples: its amplitude, and the RMS of the remainder, both relative to full scale. */
export interface Fit {
  amplitude: number;
  residual: number;
}

export const decibels = (ratio: number): number => 20 * Math.log10(Math.max(ratio, 1e-20));

/** Resamples int16 samples in one call, and flushes the resampler. */
export function resample(table: ResamplerTable, input: Int16Array): Float32Array {
  const resampler = createResampler(table, input.length + table.taps);
  resampler.push(input, 0, input.length);
  resampler.pushSilence(resampler.latency);
  const output = new Float32Array(resampler.available());
  resampler.pull(output, 0, output.length);
  return output;
}

/**
 * Resamples samples in [-1, 1) with an input resolution of 31 bits, so that int16 input does not limit the measurement.
 * The resampler is linear, so the error of rounding to int16 is scaled up, resampled separately, and added.
 */
export function resampleDeep(table: ResamplerTable, input: Float64Array): Float64Array {
  const coarse = new Int16Array(input.length);
  const fine = new Int16Array(input.length);
  for (let i = 0; i < input.length; i++) {
    coarse[i] = Math.round(input[i]! * 32767);
    fine[i] = Math.round((input[i]! * 32767 - coarse[i]!) * 32767);
  }
  const remainder = resample(table, fine);
  const output = new Float64Array(resample(table, coarse));
  return output.map((sample, i) => (sample * 32768 + (remainder[i]! / 32767) * 32768) / 32767);
}

export const sine = (length: number, rate: number, frequency: number, amplitude: number): Float64Array =>
  new Float64Array(length).map((_, i) => amplitude * Math.sin((2 * Math.PI * frequency * i) / rate + 1));

/**
 * Resamples a sine of half full scale and fits a sine of that frequency to the output, by least squares over the middle
 * part without the ends of the tone. From the output's Nyquist frequency on, the amplitude is 0 and the residual is all
 * of the output.
 */
export function measureTone(table: ResamplerTable, frequency: number, outputs = 2048): Fit {
  const { fromRate, toRate, taps } = table;
  const edge = Math.ceil((taps * toRate) / fromRate);
  const length = Math.ceil(((outputs + 2 * edge) * fromRate) / toRate);
  const output = resampleDeep(table, sine(length, fromRate, frequency, 0.5)).subarray(edge, edge + outputs);
  if (frequency >= toRate / 2) return { amplitude: 0, residual: rms(output) };
  return fitSine(output, frequency / toRate);
}

export const rms = (samples: Float64Array): number => Math.sqrt(dot(samples, samples) / samples.length);

/** Fits `a cos + b sin` by least squares, with the 2 x 2 normal equations. `cycles` is in cycles per sample. */
export function fitSine(samples: Float64Array, cycles: number): Fit {
  const cos = samples.map((_, i) => Math.cos(2 * Math.PI * cycles * i));
  const sin = samples.map((_, i) => Math.sin(2 * Math.PI * cycles * i));
  const [cc, cs, ss, cy, sy] = [dot(cos, cos), dot(cos, sin), dot(sin, sin), dot(cos, samples), dot(sin, samples)];
  const determinant = cc * ss - cs * cs;
  const a = (cy * ss - sy * cs) / determinant;
  const b = (sy * cc - cy * cs) / determinant;
  return { amplitude: Math.hypot(a, b), residual: rms(samples.map((y, i) => y - a * cos[i]! - b * sin[i]!)) };
}

function dot(a: Float64Array, b: Float64Array): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += a[i]! * b[i]!;
  return sum;
}
