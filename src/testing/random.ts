/**
 * Random numbers that are the same on every machine: mulberry32 (Tommy Ettinger, public domain), and the distributions
 * that the network traces use. Each method draws the next number of the sequence.
 */
export class Random {
  #state: number;

  /** @param seed - An integer; the same seed gives the same sequence. */
  constructor(seed: number) {
    this.#state = seed | 0;
  }

  /** Uniform in [0, 1). */
  unit(): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let t = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  }

  /** Uniform in [from, to). */
  uniform(from: number, to: number): number {
    return from + (to - from) * this.unit();
  }

  /** An integer, uniform in [0, count). */
  below(count: number): number {
    return Math.floor(this.unit() * count);
  }

  /** Exponential with mean `mean`. */
  exponential(mean: number): number {
    return -mean * Math.log(1 - this.unit());
  }

  /** Normal with mean 0 and deviation 1 (G. E. P. Box, M. E. Muller, 1958). */
  normal(): number {
    return Math.sqrt(-2 * Math.log(1 - this.unit())) * Math.cos(2 * Math.PI * this.unit());
  }

  /** Log-normal: `median` times the exponential of a normal with deviation `sigma`. */
  logNormal(median: number, sigma: number): number {
    return median * Math.exp(sigma * this.normal());
  }
}
