/** Taps of the high-pass filter. Odd number, linear phase, Blackman window; 50 dB down at 1.7 kHz below its edge. */
const TAPS = 63;
const HALF = TAPS >> 1;

/** Length of a window, in seconds. Windows overlap by half. */
const WINDOW_SECONDS = 0.005;

/** Length of clean speech above which only every fifth window is measured, in seconds. */
const MUCH_SECONDS = 10;

/**
 * Measures how loud a click is: the energy of 5 ms above some frequency, in dB relative to the 99th percentile of such
 * windows in clean speech.
 */
export class ClickBand {
  /** Samples per window, and from one window to the next. */
  readonly window: number;
  readonly hop: number;
  readonly #filter: Float64Array;
  readonly #reference: number;

  /**
   * @param hz - Lower edge of the band, in Hz.
   * @param clean - Speech without clicks.
   * @param sampleRate - Sample rate of `clean` and of all measured samples, in Hz.
   * @param floor - Lower limit for the reference: mean square in the band, relative to full scale.
   */
  constructor(hz: number, clean: Float32Array, sampleRate: number, floor: number = 0) {
    this.window = Math.round(WINDOW_SECONDS * sampleRate);
    this.hop = this.window >> 1;
    this.#filter = designHighPass((2 * hz) / sampleRate);
    const energies: number[] = [];
    const { window } = this;
    // For long speech, every fifth window is enough for a percentile.
    const step = clean.length > MUCH_SECONDS * sampleRate ? 5 * window : window;
    for (let at = 0; at + window < clean.length; at += step) energies.push(this.#energy(clean, clean.length, at));
    energies.sort((a, b) => a - b);
    this.#reference = Math.max(floor * window, energies[Math.floor(0.99 * energies.length)] ?? 0);
  }

  /**
   * Returns the level of the loudest 5 ms of `samples[from, to)`, in dB; of the first 5 ms if the range is shorter.
   * Samples from `length` on are silence.
   */
  loudest(samples: Float32Array, length: number, from: number, to: number): number {
    let most = this.level(samples, length, from);
    for (let at = from + this.hop; at + this.window <= to; at += this.hop) {
      most = Math.max(most, this.level(samples, length, at));
    }
    return most;
  }

  /** Returns the level of the window that begins at sample `at`, in dB. */
  level(samples: Float32Array, length: number, at: number): number {
    return 10 * Math.log10(Math.max(1e-12, this.#energy(samples, length, at) / this.#reference));
  }

  /**
   * Returns the loudest level at an edge of sound, in dB: on the side with sound, and across the edge.
   *
   * @param edge - The first sample of sound, or one past the last.
   * @param begins - True if sound begins at the edge.
   */
  edge(samples: Float32Array, length: number, edge: number, begins: boolean): number {
    const from = begins ? edge - this.hop : edge - this.window;
    return this.loudest(samples, length, from, from + this.window + this.hop);
  }

  #energy(samples: Float32Array, length: number, at: number): number {
    const filter = this.#filter;
    let energy = 0;
    for (let i = at; i < at + this.window; i++) {
      let sum = 0;
      const first = Math.max(0, HALF - i);
      const last = Math.min(TAPS, length - i + HALF);
      for (let tap = first; tap < last; tap++) sum += filter[tap]! * samples[i + tap - HALF]!;
      energy += sum * sum;
    }
    return energy;
  }
}

/** @param cutoff - As a fraction of half the sample rate. */
function designHighPass(cutoff: number): Float64Array {
  const filter = new Float64Array(TAPS);
  for (let tap = 0; tap < TAPS; tap++) {
    const x = tap - HALF;
    const turn = (2 * Math.PI * (tap + 1)) / (TAPS + 1);
    const blackman = 0.42 - 0.5 * Math.cos(turn) + 0.08 * Math.cos(2 * turn);
    const lowPass = x === 0 ? cutoff : Math.sin(Math.PI * cutoff * x) / (Math.PI * x);
    filter[tap] = blackman * ((x === 0 ? 1 : 0) - lowPass);
  }
  return filter;
}
