import { OUTPUT_PER_MS, OUTPUT_RATE } from './simulate.js';

/** Taps of the high-pass filter: odd, linear phase, Blackman window; 50 dB down 1.7 kHz below its edge. */
const TAPS = 63;
const HALF = TAPS >> 1;

/** Samples of a window, 5 ms, and from one window to the next. */
const WINDOW = 5 * OUTPUT_PER_MS;
const HOP = WINDOW / 2;

/**
 * Measures how loud a click is: the energy of 5 ms above some frequency, in dB against what 99 of 100 such windows of
 * clean speech do not exceed.
 */
export class ClickBand {
  readonly #filter: Float64Array;
  readonly #reference: number;

  /**
   * @param hz - Where the band begins.
   * @param clean - Speech without clicks.
   */
  constructor(hz: number, clean: Float32Array) {
    this.#filter = designHighPass(hz);
    const energies: number[] = [];
    // Windows 25 ms apart are enough for a percentile.
    for (let at = 0; at + WINDOW < clean.length; at += 5 * WINDOW) energies.push(this.#energy(clean, clean.length, at));
    energies.sort((a, b) => a - b);
    this.#reference = energies[Math.floor(0.99 * energies.length)]!;
  }

  /** The loudest 5 ms of `samples[from, to)`; of the first 5 ms if that is less. Beyond `length` is silence. */
  loudest(samples: Float32Array, length: number, from: number, to: number): number {
    let most = this.#energy(samples, length, from);
    for (let at = from + HOP; at + WINDOW <= to; at += HOP) most = Math.max(most, this.#energy(samples, length, at));
    return 10 * Math.log10(Math.max(1e-12, most / this.#reference));
  }

  /**
   * The same at an edge of sound: on the side where there is sound, and across the edge.
   *
   * @param edge - The first sample of sound, or one past the last.
   * @param begins - It is the first one.
   */
  edge(samples: Float32Array, length: number, edge: number, begins: boolean): number {
    const from = begins ? edge - HOP : edge - WINDOW;
    return this.loudest(samples, length, from, from + WINDOW + HOP);
  }

  #energy(samples: Float32Array, length: number, at: number): number {
    const filter = this.#filter;
    let energy = 0;
    for (let i = at; i < at + WINDOW; i++) {
      let sum = 0;
      const first = Math.max(0, HALF - i);
      const last = Math.min(TAPS, length - i + HALF);
      for (let tap = first; tap < last; tap++) sum += filter[tap]! * samples[i + tap - HALF]!;
      energy += sum * sum;
    }
    return energy;
  }
}

function designHighPass(hz: number): Float64Array {
  const filter = new Float64Array(TAPS);
  const cutoff = (2 * hz) / OUTPUT_RATE;
  for (let tap = 0; tap < TAPS; tap++) {
    const x = tap - HALF;
    const turn = (2 * Math.PI * (tap + 1)) / (TAPS + 1);
    const blackman = 0.42 - 0.5 * Math.cos(turn) + 0.08 * Math.cos(2 * turn);
    const lowPass = x === 0 ? cutoff : Math.sin(Math.PI * cutoff * x) / (Math.PI * x);
    filter[tap] = blackman * ((x === 0 ? 1 : 0) - lowPass);
  }
  return filter;
}
