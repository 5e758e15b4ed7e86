import { toInt16 } from '../formats/to-int16.js';

/** Number of bytes of a float. */
const FLOAT_BYTES = 4;
/** The sample of 16 bits that is 1 as a float. */
const FULL_SCALE = 32_768;

/** Makes samples of 16 bits of little-endian floats in [-1, 1], which may arrive in parts. One thread. */
export class FloatBytes {
  /** The first bytes of a float whose other bytes have not arrived. */
  #rest = new Uint8Array(0);

  /** @returns The samples as bytes. */
  toInt16(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
    const all = new Uint8Array(this.#rest.length + bytes.length);
    all.set(this.#rest);
    all.set(bytes, this.#rest.length);
    const count = Math.floor(all.length / FLOAT_BYTES);
    this.#rest = all.slice(count * FLOAT_BYTES);
    return new Uint8Array(integersOf(new Float32Array(all.buffer, 0, count)).buffer);
  }
}

/** Returns samples of 16 bits for floats in [-1, 1]. NaN becomes 0. */
export function integersOf(floats: Float32Array): Int16Array<ArrayBuffer> {
  return Int16Array.from(floats, (sample) => toInt16(sample * FULL_SCALE));
}
