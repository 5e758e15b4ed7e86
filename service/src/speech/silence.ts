import { joinSamples } from './join-samples.js';

/** Peaks up to this, of 32768, are a voice's own noise (measured: at most 166, with flite's kal). */
const FLOOR = 200;

/** Silence that is kept before the first sound, in seconds: soft onsets, such as an "h", lie below the floor. */
const KEPT_BEFORE = 0.04;

/**
 * Cuts the silence that a voice leaves around every piece, so that speech begins at once and pieces follow each other
 * without halting. Takes one piece, in parts, as it is made. Any thread.
 */
export class SilenceTrimmer {
  readonly #keptBefore: number;
  readonly #keptAfter: number;
  #hasBegun = false;
  /** Samples since the last sound, which are kept if another one follows; before the first, as many as are kept. */
  #quiet = new Int16Array();

  /**
   * @param sampleRate - Of the piece, in Hz.
   * @param keptAfter - Silence that is kept after the last sound, in seconds.
   */
  constructor(sampleRate: number, keptAfter: number) {
    this.#keptBefore = Math.round(KEPT_BEFORE * sampleRate);
    this.#keptAfter = Math.round(keptAfter * sampleRate);
  }

  /** Takes the next samples, and returns those that are kept for certain, up to the last sound. */
  push(samples: Int16Array): Int16Array {
    const last = samples.findLastIndex(isSound);
    const all = joinSamples([this.#quiet, samples]);
    const end = last < 0 ? 0 : this.#quiet.length + last + 1;
    const from = this.#hasBegun || last < 0 ? 0 : Math.max(0, all.findIndex(isSound) - this.#keptBefore);
    this.#hasBegun ||= last >= 0;
    this.#quiet = all.slice(this.#hasBegun ? end : Math.max(0, all.length - this.#keptBefore));
    return all.subarray(from, Math.max(from, end));
  }

  /** The silence that is kept at the end; none if there was no sound. */
  end(): Int16Array {
    return this.#hasBegun ? this.#quiet.subarray(0, this.#keptAfter) : new Int16Array();
  }
}

function isSound(sample: number): boolean {
  return Math.abs(sample) > FLOOR;
}
