/**
 * Makes samples of bytes that arrive in parts, which may end in the middle of a sample. The result is a view of the bytes
 * where possible, so that nothing is copied. All browsers run on little-endian machines. Worker thread.
 */
export class PcmAssembler {
  /** First byte of a sample whose second byte has not arrived; -1 if there is none. */
  #carry = -1;

  /**
   * Returns the samples that are complete.
   *
   * @param bytes - Little-endian samples of 16 bits, of any length. Do not modify them afterwards.
   */
  push(bytes: Uint8Array<ArrayBuffer>): Int16Array<ArrayBuffer> {
    if (bytes.length === 0) return new Int16Array(0);
    const carried = this.#carry < 0 ? 0 : 1;
    const length = bytes.length + carried;
    const count = length >> 1;
    const isAligned = carried === 0 && bytes.byteOffset % 2 === 0;
    const whole = isAligned ? bytes : new Uint8Array(2 * count);
    if (!isAligned) {
      if (carried === 1 && count > 0) whole[0] = this.#carry;
      whole.set(bytes.subarray(0, 2 * count - carried), carried);
    }
    this.#carry = length % 2 === 0 ? -1 : bytes.at(-1)!;
    return new Int16Array(whole.buffer, whole.byteOffset, count);
  }
}
