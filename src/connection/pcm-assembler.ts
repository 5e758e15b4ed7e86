import { IS_LITTLE_ENDIAN } from '../base/little-endian.js';
import { FRAME_HEADER_BYTES } from '../protocol/index.js';

/**
 * Extracts the samples from the frames of one utterance. The result is a view of the frame where possible, so that
 * nothing is copied.
 *
 * A frame may end in the middle of a sample. Its last byte is then kept for the next frame, whose samples are decoded
 * one by one. On a big-endian machine, all samples are decoded that way. Worker thread.
 */
export class PcmAssembler {
  readonly #isLittleEndian: boolean;
  /** First byte of a sample whose second byte has not arrived; -1 if there is none. */
  #carry = -1;

  /** @param isLittleEndian - Byte order of the machine; for tests. */
  constructor(isLittleEndian: boolean = IS_LITTLE_ENDIAN) {
    this.#isLittleEndian = isLittleEndian;
  }

  /**
   * Strips the header and returns the samples that are complete.
   *
   * @param frame - A binary message of any length. Do not modify it afterwards; its header may be overwritten.
   */
  push(frame: ArrayBuffer): Int16Array {
    const carried = this.#carry < 0 ? 0 : 1;
    const bytes = frame.byteLength - FRAME_HEADER_BYTES + carried;
    if (bytes <= carried) return new Int16Array(0);
    const view = new DataView(frame);
    // With a carried byte, the first sample begins one byte earlier, at an odd offset. A view must begin at an even
    // offset.
    const from = FRAME_HEADER_BYTES - carried;
    if (carried === 1) view.setUint8(from, this.#carry);
    this.#carry = bytes % 2 === 0 ? -1 : view.getUint8(frame.byteLength - 1);
    const count = bytes >> 1;
    if (this.#isLittleEndian && carried === 0) return new Int16Array(frame, from, count);
    const samples = new Int16Array(count);
    for (let i = 0; i < count; i++) samples[i] = view.getInt16(from + 2 * i, true);
    return samples;
  }
}
