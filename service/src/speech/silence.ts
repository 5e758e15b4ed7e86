import { joinSamples } from './join-samples.js';

/** Threshold of sound, on a scale of 32768. Lower peaks are a voice's own noise (measured: up to 166, flite's kal). */
const FLOOR = 200;

/** Silence to keep before the first sound, in seconds: soft onsets, such as an "h", are below the floor. */
const KEPT_BEFORE = 0.04;

/**
 * Removes the silence that a voice adds around every piece, so that speech starts at once and pieces follow each other
 * fluently. Processes one piece, in parts, as it is made. Any thread.
 */
export class SilenceTrimmer {
  readonly #keptBefore: number;
  readonly #keptAfter: number;
  #hasBegun = false;
  #cut = 0;
  /** Samples since the last sound, in case another one follows; before the first sound, at most `#keptBefore`. */
  #quiet = new Int16Array();

  /**
   * @param sampleRate - Rate of the piece, in Hz.
   * @param keptAfter - Silence to keep after the last sound, in seconds.
   */
  constructor(sampleRate: number, keptAfter: number) {
    this.#keptBefore = Math.round(KEPT_BEFORE * sampleRate);
    this.#keptAfter = Math.round(keptAfter * sampleRate);
  }

  /** Number of samples that were removed before the first sound so far. */
  get cut(): number {
    return this.#cut;
  }

  /** Takes the next samples, and returns those that are certain to be kept, up to the last sound. */
  push(samples: Int16Array): Int16Array {
    const last = samples.findLastIndex(isSound);
    const all = joinSamples([this.#quiet, samples]);
    const end = last < 0 ? 0 : this.#quiet.length + last + 1;
    const from = this.#hasBegun || last < 0 ? 0 : Math.max(0, all.findIndex(isSound) - this.#keptBefore);
    this.#hasBegun ||= last >= 0;
    const rest = this.#hasBegun ? end : Math.max(0, all.length - this.#keptBefore);
    this.#cut += this.#hasBegun ? from : rest;
    this.#quiet = all.slice(rest);
    return all.subarray(from, Math.max(from, end));
  }

  /** Returns the silence to keep at the end; empty if there was no sound. */
  end(): Int16Array {
    return this.#hasBegun ? this.#quiet.subarray(0, this.#keptAfter) : new Int16Array();
  }
}

function isSound(sample: number): boolean {
  return Math.abs(sample) > FLOOR;
}
