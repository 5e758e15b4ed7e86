import { FRAME_HEADER_BYTES } from '../protocol/index.js';

const HOST_IS_LITTLE_ENDIAN = new Uint8Array(new Uint16Array([1]).buffer)[0] === 1;

/**
 * Takes the samples out of the frames of one utterance.
 *
 * A frame may end in the middle of a sample: its last byte is kept for the next frame. Worker thread.
 */
export class PcmAssembler {
  readonly #swap: boolean;
  /** First byte of a sample whose second one has not come yet; -1 if there is none. */
  #carry = -1;

  /** @param littleEndianHost - Byte order of this machine; the samples on the wire are little-endian. */
  constructor(littleEndianHost: boolean = HOST_IS_LITTLE_ENDIAN) {
    this.#swap = !littleEndianHost;
  }

  /**
   * Strips the header and gives back the samples that are whole by now: a view on the frame where its bytes lie right,
   * else a copy.
   *
   * @param frame - A binary message; may be too short to hold anything. It belongs to the assembler from here on.
   */
  push(frame: ArrayBuffer): Int16Array {
    if (frame.byteLength <= FRAME_HEADER_BYTES) return new Int16Array(0);
    let bytes = new Uint8Array(frame, FRAME_HEADER_BYTES);
    if (this.#carry >= 0) {
      const joined = new Uint8Array(bytes.length + 1);
      joined[0] = this.#carry;
      joined.set(bytes, 1);
      bytes = joined;
    }
    this.#carry = bytes.length % 2 === 0 ? -1 : bytes.at(-1)!;
    const samples = new Int16Array(bytes.buffer, bytes.byteOffset, bytes.length >> 1);
    if (this.#swap) swapBytes(samples);
    return samples;
  }
}

function swapBytes(samples: Int16Array): void {
  for (let index = 0; index < samples.length; index++) {
    const value = samples[index]!;
    samples[index] = (value << 8) | ((value >> 8) & 0xff);
  }
}
