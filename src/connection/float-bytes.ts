import { toInt16 } from '../formats/to-int16.js';

/** Number of bytes of a float. */
const FLOAT_BYTES = 4;
/** The sample of 16 bits that is 1 as a float. */
const FULL_SCALE = 32_768;
/** No float of speech is so far from 0, even if its peaks exceed 1. */
const BEYOND = 32;

/** Makes samples of 16 bits of little-endian floats in [-1, 1], which may arrive in parts. One thread. */
export class FloatBytes {
  /** The first bytes of a float whose other bytes have not arrived. */
  #rest = new Uint8Array(0);

  /** @returns The samples as bytes; null if the bytes are something else. */
  toInt16(bytes: Uint8Array): Uint8Array<ArrayBuffer> | null {
    const all = new Uint8Array(this.#rest.length + bytes.length);
    all.set(this.#rest);
    all.set(bytes, this.#rest.length);
    const count = Math.floor(all.length / FLOAT_BYTES);
    this.#rest = all.slice(count * FLOAT_BYTES);
    const integers = integersOf(new Float32Array(all.buffer, 0, count));
    return integers && new Uint8Array(integers.buffer);
  }
}

/** Returns samples of 16 bits for floats in [-1, 1]; null for numbers of another scale. NaN becomes 0. */
export function integersOf(floats: Float32Array): Int16Array<ArrayBuffer> | null {
  if (floats.some((sample) => Math.abs(sample) > BEYOND)) return null;
  return Int16Array.from(floats, (sample) => toInt16(sample * FULL_SCALE));
}
