import { decodeFrameHeader, type ByteOrder } from './frame.js';

/**
 * Infers the byte order of frame headers, which the spec does not show, from how the sequence numbers of successive
 * frames go on.
 *
 * A sequence that grows by one does so in one reading only: read the wrong way round, the same step is one of millions.
 * (The single exception, 2^32 - 1 to 0, steps by one in both and says nothing.) So it does not matter where a sequence
 * begins or how often it repeats, a jump or a restart is no evidence either way, and one step is enough to tell; should
 * later steps speak against it, the order with more of them wins.
 *
 * Never throws; one thread; no allocation but for the header read.
 */
export class ByteOrderDetector {
  /** Steps by one seen in big-endian reading, less those in little-endian reading. */
  #lead = 0;
  #lastBig = -1;
  #lastLittle = -1;

  /** What was inferred so far. */
  get byteOrder(): ByteOrder | 'unknown' {
    return this.#lead === 0 ? 'unknown' : this.#lead > 0 ? 'big' : 'little';
  }

  /** Takes in the next frame of the socket. One that is too short for a header is skipped. */
  observe(frame: ArrayBuffer | ArrayBufferView): void {
    const big = decodeFrameHeader(frame, 'big')?.sequence;
    const little = decodeFrameHeader(frame, 'little')?.sequence;
    if (big === undefined || little === undefined) return;
    // Without a frame before, "last" is -1, and a first sequence of 0 must not pass for a step: both readings have it.
    this.#lead += Number(big === this.#lastBig + 1) - Number(little === this.#lastLittle + 1);
    this.#lastBig = big;
    this.#lastLittle = little;
  }
}
