import { SOURCE_RATE } from '../speech-signal.mjs';
import { bandPass, convolve } from './fir.mjs';

/**
 * Band in which a click has energy and speech has little, in Hz. Images left by a poor resampler lie above it: they are
 * distortion, which has its own column.
 */
const BAND = { from: 6000, to: 11000 } as const;
const WINDOW = (SOURCE_RATE * 5) / 1000;
const HOP = WINDOW / 4;
/** A click exceeds the 99th percentile of the clean signal by this much. */
const MARGIN_DB = 6;
/** Clicks closer than this are one: 10 ms. */
const MERGE_HOPS = 8;

/** Clicks of a recording. */
export interface Clicks {
  readonly count: number;
  /** The loudest 5 ms above 6 kHz, in dB above the 99th percentile of the clean signal. */
  readonly worstDb: number;
}

/** Returns the sorted energies of all 5 ms windows between 6 and 11 kHz, which {@link countClicks} compares with. */
export function cleanEnergies(source: Int16Array): Float64Array {
  return energies(Float32Array.from(source, (sample) => sample / 32768)).sort();
}

/**
 * Counts the places where a recording has more energy above 6 kHz than the sent signal: 6 dB above its 99th percentile.
 *
 * @param samples - The recording, at {@link SOURCE_RATE}.
 * @param clean - Result of {@link cleanEnergies} for the sent signal.
 */
export function countClicks(samples: Float32Array, clean: Float64Array): Clicks {
  const usual = clean[Math.floor(0.99 * clean.length)]!;
  const limit = usual * 10 ** (MARGIN_DB / 10);
  let count = 0;
  let last = -Infinity;
  let worst = 0;
  energies(samples).forEach((energy, hop) => {
    worst = Math.max(worst, energy);
    if (energy < limit) return;
    if (hop - last > MERGE_HOPS) count++;
    last = hop;
  });
  return { count, worstDb: 10 * Math.log10(worst / usual) };
}

function energies(samples: Float32Array): Float64Array {
  const high = convolve(samples, bandPass(BAND.from, BAND.to, SOURCE_RATE, 255));
  const hops = Math.max(0, Math.floor((samples.length - WINDOW) / HOP) + 1);
  const out = new Float64Array(hops);
  for (let hop = 0; hop < hops; hop++) {
    for (let index = hop * HOP; index < hop * HOP + WINDOW; index++) out[hop]! += high[index]! ** 2;
  }
  return out;
}
