import type { Alignment } from './alignment.js';
import type { Run } from './silence.js';
import { OUTPUT_PER_MS, OUTPUT_RATE } from './simulate.js';

/** Clicks are looked for above this frequency, in Hz. */
const CLICK_HZ = 6000;

/** Taps of the high-pass filter: odd, linear phase, Blackman window; 60 dB down at 4.3 kHz. */
const TAPS = 63;
const HALF = TAPS >> 1;

/** Samples of a window, 5 ms, and from one window to the next. */
const WINDOW = 5 * OUTPUT_PER_MS;
const HOP = WINDOW / 2;

const highPass = designHighPass();

/** Energy above 6 kHz in the loudest 5 ms of each place, in dB against clean speech's `cleanHighBand`. */
export interface Clicks {
  /** Where sound begins and where it ends. */
  readonly edgesDb: readonly number[];
  /** Where the player did something to the speech without silence; and what the speech itself has there. */
  readonly splicesDb: readonly number[];
  readonly cleanSplicesDb: readonly number[];
}

/**
 * @param range - Where the output sounds.
 * @param silent - Its runs of silence.
 * @param clean - The loop of speech as the resampler makes it.
 * @param origin - Index into `clean` of the stream's first sample.
 * @param cleanEnergy - From `cleanHighBand`.
 */
export function clicksOf(
  output: Float32Array,
  length: number,
  range: Run,
  silent: readonly Run[],
  { breaks, first }: Alignment,
  clean: Float32Array,
  origin: number,
  cleanEnergy: number,
): Clicks {
  const edge = (at: number, begins: boolean): number => decibels(edgeHighBand(output, length, at, begins), cleanEnergy);
  const edgesDb = [edge(range.from, true), edge(range.to, false)];
  for (const { from, to } of silent) edgesDb.push(edge(from, false), edge(to, true));
  const splicesDb: number[] = [];
  const cleanSplicesDb: number[] = [];
  let shift = origin + first - range.from;
  for (const { from, to, speech, silence } of breaks) {
    if (silence === 0 && from > range.from + WINDOW && to < range.to) {
      splicesDb.push(decibels(loudestHighBand(output, length, from, to), cleanEnergy));
      const index = (from + shift) % clean.length;
      cleanSplicesDb.push(decibels(loudestHighBand(clean, clean.length, index, index + to - from), cleanEnergy));
    }
    shift += speech - (to - from);
  }
  return { edgesDb, splicesDb, cleanSplicesDb };
}

/** An energy in dB against another, at least -120. */
export function decibels(energy: number, reference: number): number {
  return 10 * Math.log10(Math.max(1e-12, energy / reference));
}

/** The loudest 5 ms above 6 kHz of `samples[from, to)`, as an energy; of the first 5 ms if that is less. */
export function loudestHighBand(samples: Float32Array, length: number, from: number, to: number): number {
  let loudest = highBand(samples, length, from);
  for (let at = from + HOP; at + WINDOW <= to; at += HOP) loudest = Math.max(loudest, highBand(samples, length, at));
  return loudest;
}

/**
 * The same at an edge of sound: within 5 ms on the side where there is sound, and across the edge.
 *
 * @param edge - The first sample of sound, or one past the last.
 * @param begins - It is the first one.
 */
export function edgeHighBand(samples: Float32Array, length: number, edge: number, begins: boolean): number {
  const from = begins ? edge - HOP : edge - WINDOW;
  return loudestHighBand(samples, length, from, from + WINDOW + HOP);
}

/** What clean speech has above 6 kHz in 5 ms: the energy that 99 of 100 windows do not exceed. */
export function cleanHighBand(clean: Float32Array): number {
  const energies: number[] = [];
  // Windows 25 ms apart are enough for a percentile.
  for (let at = 0; at + WINDOW < clean.length; at += 5 * WINDOW) energies.push(highBand(clean, clean.length, at));
  energies.sort((a, b) => a - b);
  return energies[Math.floor(0.99 * energies.length)]!;
}

/** The energy above 6 kHz of the 5 ms from `at` on; outside of `samples[0, length)` is silence. */
function highBand(samples: Float32Array, length: number, at: number): number {
  let energy = 0;
  for (let i = at; i < at + WINDOW; i++) {
    let sum = 0;
    const first = Math.max(0, HALF - i);
    const last = Math.min(TAPS, length - i + HALF);
    for (let tap = first; tap < last; tap++) sum += highPass[tap]! * samples[i + tap - HALF]!;
    energy += sum * sum;
  }
  return energy;
}

function designHighPass(): Float64Array {
  const filter = new Float64Array(TAPS);
  const cutoff = (2 * CLICK_HZ) / OUTPUT_RATE;
  for (let tap = 0; tap < TAPS; tap++) {
    const x = tap - HALF;
    const turn = (2 * Math.PI * (tap + 1)) / (TAPS + 1);
    const blackman = 0.42 - 0.5 * Math.cos(turn) + 0.08 * Math.cos(2 * turn);
    const lowPass = x === 0 ? cutoff : Math.sin(Math.PI * cutoff * x) / (Math.PI * x);
    filter[tap] = blackman * ((x === 0 ? 1 : 0) - lowPass);
  }
  return filter;
}
