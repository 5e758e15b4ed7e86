import { type ByteOrder, readSequence } from './frame.js';

/**
 * Infers the byte order of frame headers, which the spec does not show, from the sequence numbers of successive frames.
 *
 * A sequence that grows by one does so in only one reading. In the other reading, the same step is one of millions.
 * (The only exception is the step from 2^32 - 1 to 0, which is a step by one in both readings and shows nothing.) So
 * the start of a sequence and its repetitions do not matter, and a jump or a restart is no evidence. One step is enough
 * to decide. If later steps contradict it, the order with more steps wins.
 *
 * Never throws; one thread.
 */
export class ByteOrderDetector {
  /** Steps by one in big-endian reading, minus those in little-endian reading. */
  #lead = 0;
  #lastBig = -1;
  #lastLittle = -1;

  /** The byte order inferred so far. */
  get byteOrder(): ByteOrder | 'unknown' {
    return this.#lead === 0 ? 'unknown' : this.#lead > 0 ? 'big' : 'little';
  }

  /** Evaluates the next frame of the socket. A frame that is too short for a header is skipped. */
  observe(frame: ArrayBuffer | ArrayBufferView): void {
    const big = readSequence(frame, false);
    const little = readSequence(frame, true);
    if (big < 0) return;
    // Without an earlier frame, "last" is -1. A first sequence of 0 must not count as a step, and both readings have
    // it.
    this.#lead += Number(big === this.#lastBig + 1) - Number(little === this.#lastLittle + 1);
    this.#lastBig = big;
    this.#lastLittle = little;
  }
}
