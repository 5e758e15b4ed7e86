import { designResampler, type ResamplerTable } from '../dsp/index.js';
import { toInt16 } from '../formats/to-int16.js';

/**
 * Converts mono samples to another sample rate, in pieces of any size, with the filter of the audio thread. Its resampler
 * interpolates and works in place; this one is smaller. Any thread but the audio thread.
 */
export class RateConverter {
  readonly fromRate: number;
  readonly #table: ResamplerTable;
  /** Samples from the first that the next output needs. */
  #samples: Int16Array;
  /** Position of the next output, in units of `1 / up` of a sample. */
  #phase = 0;

  /** @throws {RangeError} If a rate is not an integer from 4000 to 384000 Hz. */
  constructor(fromRate: number, toRate: number) {
    this.fromRate = fromRate;
    this.#table = designResampler(fromRate, toRate);
    this.#samples = new Int16Array((this.#table.taps - 1) >> 1);
  }

  push(samples: Int16Array): Int16Array<ArrayBuffer> {
    const { up, down, taps, phases, coefficients } = this.#table;
    const all = new Int16Array(this.#samples.length + samples.length);
    all.set(this.#samples);
    all.set(samples, this.#samples.length);
    const count = Math.max(0, Math.ceil(((all.length - taps + 1) * up - this.#phase) / down));
    const made = new Int16Array(count);
    for (let i = 0; i < count; i++) {
      const position = this.#phase + i * down;
      const from = Math.floor(position / up);
      const row = Math.floor(((position % up) * phases) / up) * taps;
      let sum = 0;
      for (let tap = 0; tap < taps; tap++) sum += all[from + tap]! * coefficients[row + tap]!;
      made[i] = toInt16(sum);
    }
    const read = Math.floor((this.#phase + count * down) / up);
    this.#phase = (this.#phase + count * down) % up;
    this.#samples = all.slice(Math.min(read, all.length));
    return made;
  }

  /** Returns the last samples. */
  end(): Int16Array<ArrayBuffer> {
    return this.push(new Int16Array(this.#table.taps >> 1));
  }
}
