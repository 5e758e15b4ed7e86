import { ByteQueue } from './byte-queue.js';
import { beginsLikeFloats, findFileName } from './file-name.js';
import { isChannelCount, type RawFormat, rawFormat } from './raw-format.js';
import { RawParser } from './raw-parser.js';
import { ENCODINGS } from './sample-decoder.js';
import { isMp4, isWave } from './signature.js';
import { WavParser } from './wav-parser.js';

type PlainParser = Pick<WavParser | RawParser, 'sampleRate' | 'missing' | 'rest' | 'push'>;

/** Number of bytes that decide. */
const HEAD_BYTES = 12;

/**
 * Parses audio that leaves no doubt: WAV files of one sample rate and a usual encoding, and little-endian raw samples that
 * begin like speech. From the first byte of anything else, the stream is `rest`. `AudioReader` reads that, and is loaded
 * when it is needed.
 *
 * Pure: no clock, no callback; linear in the number of bytes.
 */
export class PlainAudio {
  readonly #raw: RawFormat | null;
  readonly #isDecoded: boolean;
  readonly #queue = new ByteQueue();
  #parser: PlainParser | null = null;

  /**
   * @param contentType - Value of a Content-Type header, or empty.
   * @param sampleRate - Sample rate in Hz of raw samples whose type does not specify one.
   * @param isDecoded - True for a WAV file of this package's own, whose samples are certain.
   */
  constructor(contentType: string, sampleRate: number | undefined, isDecoded = false) {
    this.#raw = rawFormat(contentType, sampleRate);
    this.#isDecoded = isDecoded;
  }

  /** In Hz; 0 until it is known. */
  get sampleRate(): number {
    return this.#parser?.sampleRate ?? 0;
  }

  /** Bytes of audio that the header announces and that have not arrived; 0 if it does not state the length. */
  get missing(): number {
    return this.#parser?.missing ?? 0;
  }

  /** See `AudioParser`. */
  get rest(): Uint8Array<ArrayBuffer> | null {
    return this.#parser?.rest ?? null;
  }

  /**
   * @param bytes - The next bytes; no view of them is kept.
   * @param isEnd - True if no more bytes follow.
   * @returns Mono samples of 16 bits in new arrays.
   */
  push(bytes: Uint8Array, isEnd: boolean): Int16Array<ArrayBuffer>[] {
    let next = bytes;
    if (!this.#parser) {
      this.#queue.push(bytes);
      const { length } = this.#queue;
      if (length < (isEnd ? 1 : HEAD_BYTES)) return [];
      const head = this.#queue.take(length);
      this.#parser = this.#choose(head);
      next = head;
    }
    return Array.from(this.#parser.push(next, isEnd), ({ samples }) => samples);
  }

  #choose(head: Uint8Array<ArrayBuffer>): PlainParser {
    if (isWave(head)) return plainWav(0, this.#isDecoded);
    const raw = this.#raw;
    const isPlain = raw && !raw.isStated && raw.sampleRate > 0 && isChannelCount(raw.channels) && isQuiet(head);
    if (isPlain) return new RawParser(raw, ENCODINGS['1/16']!, false);
    return { sampleRate: 0, missing: 0, rest: head, push: () => [] };
  }
}

/**
 * Returns a parser of WAV files that have a usual encoding and the same sample rate. From any other file on, the stream is
 * `rest`.
 *
 * @param sampleRate - In Hz; 0 for that of the first file.
 * @param isCertain - True if no file has floats that its header calls integers, or another file in place of samples.
 */
export function plainWav(sampleRate: number, isCertain = false): WavParser {
  return new WavParser((format, before, samples, isEnd) => {
    const isPlain = format.sampleRate > 0 && format.sampleRate === (sampleRate || before || format.sampleRate);
    if (!isPlain || !isChannelCount(format.channels)) return undefined;
    if (samples && !isCertain) {
      const file = findFileName(samples, isEnd);
      const isFloat = format.bits === 16 && beginsLikeFloats(samples, isEnd);
      if (file || isFloat) return undefined;
      if (file === undefined || isFloat === null) return null;
    }
    return ENCODINGS[`${format.tag}/${format.bits}`];
  });
}

/**
 * Returns true if the first sample is below a sixteenth of full scale. Then it is not the beginning of a text, of a frame
 * of MP3 or AAC, or of a container other than MP4.
 */
function isQuiet(head: Uint8Array): boolean {
  const [low, high = 0] = head;
  return (high < 8 || high === 0xff || (high > 0xf7 && low !== 0xff)) && !isMp4(head);
}
