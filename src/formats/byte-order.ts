import type { AudioParser, Pcm } from './audio-parser.js';
import { ByteQueue } from './byte-queue.js';
import type { RawFormat } from './raw-format.js';
import { RawParser } from './raw-parser.js';

/** Number of seconds that decide, and the highest sample rate that is played, in Hz. */
const SECONDS = 0.05;
const HIGHEST_RATE = 96_000;

/**
 * Parses raw samples of 16 bits whose byte order is unknown. In the right order, neighbouring samples differ less. The 50 ms
 * that begin with the first sample whose two bytes differ decide. Samples before it are the same in both orders, so
 * they are returned at once: 0 and -1, which are silence.
 */
export class ByteOrderParser implements AudioParser {
  readonly #format: RawFormat;
  readonly #parser: RawParser;
  /** Bytes that the parser has not got, because the order is unknown. */
  readonly #queue = new ByteQueue();
  /** Null until it is known. */
  #isLittle: boolean | null = null;

  constructor(format: RawFormat) {
    this.#format = format;
    const read = (view: DataView, at: number): number => view.getInt16(at, this.#isLittle ?? true);
    this.#parser = new RawParser(format, { bytes: 2, read }, true);
  }

  get rest(): Uint8Array<ArrayBuffer> | null {
    return this.#parser.rest;
  }

  push(bytes: Uint8Array, isEnd: boolean): Pcm[] {
    if (this.#isLittle !== null) return this.#parser.push(bytes, isEnd);
    this.#queue.push(bytes);
    const same = this.#parser.push(this.#queue.take(countSame(this.#queue.peek(Infinity))), false);
    const frameBytes = 2 * this.#format.channels;
    const needed = frameBytes * Math.ceil(SECONDS * Math.min(this.#format.sampleRate, HIGHEST_RATE));
    if (this.#queue.length < needed && !isEnd) return same;
    this.#isLittle = isLittleEndian(this.#queue.peek(needed), frameBytes);
    return [...same, ...this.#parser.push(this.#queue.take(this.#queue.length), isEnd)];
  }
}

/** Returns the length of the samples at the beginning whose two bytes are equal. */
function countSame(bytes: Uint8Array): number {
  let at = 0;
  while (at + 1 < bytes.length && bytes[at] === bytes[at + 1]) at += 2;
  return at;
}

/** Returns true if samples differ less from the frame before, or else are quieter, as little-endian ones. */
function isLittleEndian(bytes: Uint8Array, frameBytes: number): boolean {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  /** Sums for little-endian samples, without those for big-endian ones. */
  let [steps, magnitudes] = [0, 0];
  for (let at = 0; at + 1 < bytes.length; at += 2) {
    for (const isLittle of [true, false]) {
      const sign = isLittle ? 1 : -1;
      const sample = view.getInt16(at, isLittle);
      magnitudes += sign * Math.abs(sample);
      if (at >= frameBytes) steps += sign * Math.abs(sample - view.getInt16(at - frameBytes, isLittle));
    }
  }
  return (steps || magnitudes) <= 0;
}
