import { FRAME_HEADER_BYTES } from '../protocol/index.js';

/**
 * Takes the samples out of the frames of one utterance: 16-bit little-endian, whatever this machine has.
 *
 * A frame may end in the middle of a sample: its last byte is kept for the next frame. Worker thread.
 */
export class PcmAssembler {
  /** First byte of a sample whose second one has not come yet; -1 if there is none. */
  #carry = -1;

  /**
   * Strips the header and gives back the samples that are whole by now.
   *
   * @param frame - A binary message; may be too short to hold anything. Its header may be overwritten.
   */
  push(frame: ArrayBuffer): Int16Array {
    const carried = this.#carry < 0 ? 0 : 1;
    const view = new DataView(frame);
    const bytes = view.byteLength - FRAME_HEADER_BYTES + carried;
    if (bytes <= carried) return new Int16Array(0);
    const samples = new Int16Array(bytes >> 1);
    // Where the next sample begins in the frame: with a byte carried, one before its first byte.
    let at = FRAME_HEADER_BYTES - carried;
    if (carried === 1) view.setUint8(at, this.#carry);
    for (let index = 0; index < samples.length; index++, at += 2) samples[index] = view.getInt16(at, true);
    this.#carry = bytes % 2 === 0 ? -1 : view.getUint8(at);
    return samples;
  }
}
