import { createResampler, designResampler, fillSincRow } from '../dsp/index.js';
import { correlate } from './fft.js';
import type { Sound } from './sound.js';

/** Taps of the fractional-delay filter, and the beta of its Kaiser window: 90 dB up to 0.4 of the sample rate. */
const TAPS = 48;
const BETA = 9;

/** Place of a part of a recording in the reference. */
export interface Place {
  /** Index in the reference of the part's first sample; may be fractional. */
  readonly at: number;
  /** Normalised correlation there, in [-1, 1]. */
  readonly score: number;
}

/** Converts a sound to another sample rate as the player does. */
export function resampled({ samples, sampleRate }: Sound, toRate: number): Float32Array {
  const table = designResampler(sampleRate, toRate);
  const resampler = createResampler(table, samples.length + 2 * table.taps);
  resampler.push(samples, 0, samples.length);
  const wanted = Math.round((samples.length * toRate) / sampleRate);
  resampler.pushSilence(Math.max(0, resampler.inputFor(wanted)));
  const output = new Float32Array(wanted);
  resampler.pull(output, 0, wanted);
  return output;
}

/** The sent sound at the sample rate of a recording. Silent outside of its samples. */
export class Reference {
  readonly samples: Float32Array;
  readonly sampleRate: number;
  /** Sum of the squares of all samples before each index. */
  readonly #energies: Float64Array;

  constructor(sound: Sound, sampleRate: number) {
    this.samples = resampled(sound, sampleRate);
    this.sampleRate = sampleRate;
    this.#energies = new Float64Array(this.samples.length + 1);
    let sum = 0;
    for (let i = 0; i < this.samples.length; i++) {
      sum += this.samples[i]! ** 2;
      this.#energies[i + 1] = sum;
    }
  }

  /** Returns the sum of squares of samples `[from, to)`. */
  energy(from: number, to: number): number {
    return this.#energyBefore(to) - this.#energyBefore(from);
  }

  #energyBefore(at: number): number {
    return this.#energies[Math.max(0, Math.min(this.samples.length, Math.round(at)))]!;
  }

  /** Returns the root mean square of samples `[from, to)`. */
  level(from: number, to: number): number {
    return Math.sqrt(Math.max(0, this.energy(from, to)) / Math.max(1, to - from));
  }

  /**
   * Reads `count` samples, starting at a fractional position.
   *
   * @param from - Position of the first sample, in samples.
   */
  read(from: number, count: number, target: Float32Array = new Float32Array(count)): Float32Array {
    const { samples } = this;
    const whole = Math.floor(from);
    const fraction = from - whole;
    if (fraction < 1e-4 || fraction > 1 - 1e-4) {
      const first = Math.round(from);
      for (let i = 0; i < count; i++) target[i] = samples[first + i] ?? 0;
      return target;
    }
    const filter = new Float64Array(TAPS);
    fillSincRow(filter, fraction, 1, BETA);
    const first = whole - TAPS / 2 + 1;
    for (let i = 0; i < count; i++) {
      const at = first + i;
      if (at >= 0 && at + TAPS <= samples.length) {
        let even = 0;
        let odd = 0;
        for (let tap = 0; tap < TAPS; tap += 2) {
          even += filter[tap]! * samples[at + tap]!;
          odd += filter[tap + 1]! * samples[at + tap + 1]!;
        }
        target[i] = even + odd;
      } else {
        let sum = 0;
        for (let tap = 0; tap < TAPS; tap++) sum += filter[tap]! * (samples[at + tap] ?? 0);
        target[i] = sum;
      }
    }
    return target;
  }

  /**
   * Returns the best-matching place of `part`, to a fraction of a sample. Of equally good places, the nearest to
   * `centre` wins.
   *
   * @param radius - Search radius around `centre`, in samples.
   */
  find(part: Float32Array, centre: number, radius: number): Place {
    const low = Math.round(centre - radius);
    const high = Math.round(centre + radius);
    const { samples } = this;
    const energy = energyOf(part);
    const scores = new Float64Array(high - low + 1);
    let most = 0;
    for (let at = low; at <= high; at++) {
      const from = Math.max(0, -at);
      const to = Math.min(part.length, samples.length - at);
      const sum = product(part, from, samples, at + from, to - from);
      scores[at - low] = sum / Math.sqrt(energy * this.energy(at, at + part.length) || Infinity);
    }
    for (let at = 0; at <= high - low; at++) most = Math.max(most, peakOf(scores, at));
    // A tone matches at each of its periods.
    const enough = most - 5e-4 - 0.02 * (1 - most);
    let best = 0;
    for (let distance = 0; distance <= high - low; distance++) {
      const middle = Math.round(centre) - low;
      if (peakOf(scores, middle - distance) >= enough) best = middle - distance;
      else if (peakOf(scores, middle + distance) >= enough) best = middle + distance;
      else continue;
      break;
    }
    return this.refine(part, { at: low + best, score: scores[best]! });
  }

  /** Returns the best-matching place of `part` in the whole reference. */
  findAnywhere(part: Float32Array): Place {
    const { samples } = this;
    if (samples.length <= part.length) return this.find(part, 0, part.length);
    const energy = energyOf(part);
    const sums = correlate(samples, part);
    const least = this.energy(0, samples.length) * 1e-6;
    let best: Place = { at: 0, score: -1 };
    for (let at = 0; at < sums.length; at++) {
      const score = sums[at]! / Math.sqrt(energy * (this.energy(at, at + part.length) + least) || Infinity);
      if (score > best.score) best = { at, score };
    }
    return this.refine(part, best);
  }

  /** Refines a place by up to one sample to maximise the correlation. */
  refine(part: Float32Array, place: Place): Place {
    let { at } = place;
    let read = this.read(at - 1, part.length + 2);
    for (let round = 0; round < 4; round++) {
      let sum = 0;
      let energy = 0;
      for (let i = 0; i < part.length; i++) {
        sum += part[i]! * read[i + 1]!;
        energy += read[i + 1]! ** 2;
      }
      const gain = sum / (energy || 1);
      let error = 0;
      let slopes = 0;
      for (let i = 0; i < part.length; i++) {
        const slope = (gain * (read[i + 2]! - read[i]!)) / 2;
        error += (part[i]! - gain * read[i + 1]!) * slope;
        slopes += slope * slope;
      }
      const move = Math.max(-0.5, Math.min(0.5, error / (slopes || Infinity)));
      at += move;
      if (Math.abs(at - place.at) > 1) return place;
      read = this.read(at - 1, part.length + 2);
      if (Math.abs(move) < 1e-4) break;
    }
    const score = correlation(part, read.subarray(1, part.length + 1));
    return score >= place.score ? { at, score } : place;
  }
}

/** Returns the normalised correlation of two signals of equal length; 0 if one is silent. */
export function correlation(a: Float32Array, b: Float32Array): number {
  let sum = 0;
  let energyA = 0;
  let energyB = 0;
  for (let i = 0; i < a.length; i++) {
    sum += a[i]! * b[i]!;
    energyA += a[i]! ** 2;
    energyB += b[i]! ** 2;
  }
  return sum / Math.sqrt(energyA * energyB || Infinity);
}

/** Returns the scalar product of `count` samples. Four sums, because each addition waits for the one before it. */
function product(a: Float32Array, fromA: number, b: Float32Array, fromB: number, count: number): number {
  let first = 0;
  let second = 0;
  let third = 0;
  let fourth = 0;
  let i = 0;
  for (; i + 3 < count; i += 4) {
    first += a[fromA + i]! * b[fromB + i]!;
    second += a[fromA + i + 1]! * b[fromB + i + 1]!;
    third += a[fromA + i + 2]! * b[fromB + i + 2]!;
    fourth += a[fromA + i + 3]! * b[fromB + i + 3]!;
  }
  for (; i < count; i++) first += a[fromA + i]! * b[fromB + i]!;
  return first + second + third + fourth;
}

function energyOf(part: Float32Array): number {
  let energy = 0;
  for (const sample of part) energy += sample * sample;
  return energy;
}

/** Returns the height of a peak between samples, by the parabola through three samples; -1 if there is no peak. */
function peakOf(scores: Float64Array, at: number): number {
  const score = scores[at];
  const [before = -1, after = -1] = [scores[at - 1], scores[at + 1]];
  if (score === undefined || score < before || score < after) return -1;
  const bend = 2 * score - before - after;
  return bend === 0 || before === -1 || after === -1 ? score : score + (after - before) ** 2 / (8 * bend);
}
