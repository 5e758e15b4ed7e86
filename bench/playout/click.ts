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

/** The loudest 5 ms above 6 kHz of `samples[from, to)`, as an energy; windows reach up to 2.5 ms beyond both ends. */
export function loudestHighBand(samples: Float32Array, length: number, from: number, to: number): number {
  let loudest = 0;
  for (let at = from - HOP; at < to; at += HOP) loudest = Math.max(loudest, highBand(samples, length, at));
  return loudest;
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
