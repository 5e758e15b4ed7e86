import type { AudioParser, Pcm } from './audio-parser.js';
import { ByteQueue } from './byte-queue.js';
import type { RawFormat } from './raw-format.js';
import { type Encoding, SampleDecoder } from './sample-decoder.js';
import { SIGNATURES, textAt } from './signature.js';

/** Number of bytes that decide whether samples may be something else. */
export const DOUBTED_BYTES = 4096;
/** Two headers of MP3 or AAC. Samples seldom contain them by chance. */
// oxlint-disable-next-line no-control-regex -- these are bytes, not characters
const FRAMES = /\xff([\xe2\xe3\xf0-\xf3\xf8-\xfb])[\x10-\xef][^]+\xff\1[\x10-\xef]/;

/** Parses raw samples. If they may be something else, the stream is `rest` from there on. */
export class RawParser implements AudioParser {
  /** In Hz; 0 until it is certain that these are samples. */
  sampleRate = 0;
  rest: Uint8Array<ArrayBuffer> | null = null;
  readonly missing = 0;
  readonly #format: RawFormat;
  readonly #decoder: SampleDecoder;
  readonly #queue = new ByteQueue();
  #isCertain: boolean;

  constructor(format: RawFormat, encoding: Encoding, isCertain: boolean) {
    this.#format = format;
    this.#decoder = new SampleDecoder(encoding, format.channels);
    this.#isCertain = isCertain;
  }

  push(bytes: Uint8Array, isEnd: boolean): Pcm[] {
    if (this.#isCertain) return this.#decode(bytes);
    this.#queue.push(bytes);
    const head = this.#queue.peek(Infinity);
    const zeros = countZeros(head);
    // Zeros are silence in any case. A few of them are held, because a file behind them begins at its own first sample.
    const isSilence = this.sampleRate > 0 || zeros > DOUBTED_BYTES;
    const silence = isSilence ? this.#decode(this.#queue.take(zeros)) : [];
    const doubted = head.subarray(zeros);
    if (doubted.length < DOUBTED_BYTES && !isEnd) return silence;
    const { length } = this.#queue;
    const text = textAt(doubted, 0, DOUBTED_BYTES);
    if (SIGNATURES.test(text) || FRAMES.test(text)) {
      this.rest = this.#queue.take(length);
      return silence;
    }
    this.#isCertain = true;
    return [...silence, ...this.#decode(this.#queue.take(length))];
  }

  #decode(bytes: Uint8Array): Pcm[] {
    this.sampleRate = this.#format.sampleRate;
    return [{ sampleRate: this.sampleRate, samples: this.#decoder.push(bytes) }];
  }
}

/** Returns the number of zeros at the beginning. */
export function countZeros(bytes: Uint8Array): number {
  const first = bytes.findIndex((byte) => byte !== 0);
  return first < 0 ? bytes.length : first;
}
