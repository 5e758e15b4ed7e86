import type { AudioParser, Pcm } from './audio-parser.js';
import { ByteQueue } from './byte-queue.js';
import { findMessage } from './find-message.js';
import type { RawFormat } from './raw-format.js';
import { type Encoding, SampleDecoder } from './sample-decoder.js';
import { SIGNATURES, textAt } from './signature.js';

/** Number of bytes within which a file may begin. */
export const DOUBTED_BYTES = 4096;
/** Number of bytes that decide whether they are samples if the type says so. */
export const SOUND_BYTES = 512;
/** Two bytes in place of which something that reads UTF-8 has written replacement characters. */
export const REPLACED = /(?:\xef\xbf\xbd){2}/;
/** Two headers of MP3 or AAC. Samples seldom contain them by chance. */
// oxlint-disable-next-line no-control-regex -- these are bytes, not characters
const FRAMES = /\xff([\xe2\xe3\xf0-\xf3\xf8-\xfb])[\x10-\xef][^]+\xff\1[\x10-\xef]/;

/**
 * Parses raw samples. If they may be floats or something else, or if a message follows, the stream is `rest` from there on.
 */
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
    this.#queue.push(bytes);
    if (this.#isCertain) return this.#read(isEnd);
    const { isGuess } = this.#format;
    const head = this.#queue.peek(Infinity);
    const zeros = countZeros(head);
    // Zeros are silence in any case. Before a file, a few of them are not part of it.
    const isSilence = !isGuess || this.sampleRate > 0 || zeros > DOUBTED_BYTES;
    const silence = isSilence && zeros > 0 ? this.#decode(this.#queue.take(zeros)) : [];
    const needed = isGuess ? DOUBTED_BYTES : SOUND_BYTES;
    const sound = head.subarray(zeros, zeros + needed);
    if (sound.length < needed && !isEnd) return silence;
    if (mayBeFloats(sound) || mayBeFile(sound)) {
      this.rest = this.#queue.take(this.#queue.length);
      return silence;
    }
    this.#isCertain = true;
    return [...silence, ...this.#read(isEnd)];
  }

  #read(isEnd: boolean): Pcm[] {
    const { at, isFound } = findMessage(this.#queue.peek(Infinity), isEnd);
    const samples = this.#decode(this.#queue.take(at));
    if (isFound) this.rest = this.#queue.take(this.#queue.length);
    return samples;
  }

  #decode(bytes: Uint8Array): Pcm[] {
    this.sampleRate = this.#format.sampleRate;
    return [{ sampleRate: this.sampleRate, samples: this.#decoder.push(bytes) }];
  }
}

function mayBeFile(bytes: Uint8Array): boolean {
  const text = textAt(bytes, 0, bytes.length);
  return SIGNATURES.test(text) || FRAMES.test(text) || REPLACED.test(text);
}

function mayBeFloats(bytes: Uint8Array): boolean {
  return [3, 7, 11, 15].every((at) => hasLevel(bytes[at]));
}

/** Returns true if a float with this highest byte is between 2^-33 and 8, like a sample that can be heard. */
export function hasLevel(highest = 0): boolean {
  return (highest & 0x7f) > 0x2e && (highest & 0x7f) < 0x41;
}

/** Returns the number of zeros at the beginning, a multiple of 4. */
export function countZeros(bytes: Uint8Array): number {
  const first = bytes.findIndex((byte) => byte !== 0);
  return (first < 0 ? bytes.length : first) & ~3;
}
