import { concatBytes } from './concat-bytes.js';
import { type Encoding, SampleDecoder } from './sample-decoder.js';
import { UnsupportedFormat } from './unsupported-format.js';
import { WavParser } from './wav-parser.js';

/** Parses one audio stream. Pure: no clock, no callback; linear in the number of bytes. */
export interface PcmParser {
  /** Sample rate in Hz; 0 until it is known. */
  readonly sampleRate: number;
  /** Bytes of audio that the header announces and that have not arrived; 0 if the header announces none. */
  readonly missing: number;
  /**
   * @param bytes - The next bytes; no view of them is kept.
   * @returns Mono samples of 16 bits in a new array.
   * @throws {UnsupportedFormat} At most once. Do not call `push` after that.
   */
  push(bytes: Uint8Array): Int16Array;
}

/** First bytes of a WAV file; raw samples have no such signature. */
const RIFF = [0x52, 0x49, 0x46, 0x46];

/**
 * Returns a parser for audio of a MIME type. Audio without a type, or of `application/octet-stream`, is WAV if it
 * begins with `RIFF`, otherwise little-endian samples of 16 bits.
 *
 * @param contentType - Value of a Content-Type header, or empty. Its `rate` and `channels` describe raw samples (RFC
 *   2586).
 * @param sampleRate - Sample rate in Hz of raw samples whose type does not specify one.
 * @throws {UnsupportedFormat} If the type is not supported, or the rate is missing.
 */
export function parserFor(contentType: string, sampleRate: number | undefined): PcmParser {
  const [type, ...parameters] = contentType.split(';').map((part) => part.trim().toLowerCase());
  const parameter = (name: string): number =>
    Number(parameters.find((one) => one.startsWith(`${name}=`))?.replace(/^\w+="?([^"]*)"?$/, '$1'));
  const rate = parameter('rate') || sampleRate || 0;
  switch (type) {
    case 'audio/wav':
    case 'audio/wave':
    case 'audio/x-wav':
    case 'audio/vnd.wave':
      return new WavParser();
    case 'audio/pcm':
    case 'audio/l16':
      return rawParser(type === 'audio/pcm' ? 's16le' : 's16be', parameter('channels') || 1, rate, contentType);
    case '':
    case 'application/octet-stream':
      return new SniffingParser(() => rawParser('s16le', 1, rate, contentType || 'audio without a type'));
  }
  throw new UnsupportedFormat(contentType);
}

/** @param name - Name of the format, for the error. */
function rawParser(encoding: Encoding, channels: number, sampleRate: number, name: string): PcmParser {
  if (!sampleRate) throw new UnsupportedFormat(`${name} without a sample rate`);
  if (!(Number.isInteger(channels) && channels > 0 && channels <= 32)) {
    throw new UnsupportedFormat(`${name} with ${channels} channels`);
  }
  const decoder = new SampleDecoder(encoding, channels);
  return { sampleRate, missing: 0, push: (bytes) => decoder.push(bytes) };
}

/** Chooses the parser by the first four bytes. */
class SniffingParser implements PcmParser {
  readonly #makeRaw: () => PcmParser;
  #parser: PcmParser | null = null;
  #head: Uint8Array = new Uint8Array(0);

  constructor(makeRaw: () => PcmParser) {
    this.#makeRaw = makeRaw;
  }

  get sampleRate(): number {
    return this.#parser?.sampleRate ?? 0;
  }

  get missing(): number {
    return this.#parser?.missing ?? 0;
  }

  push(bytes: Uint8Array): Int16Array {
    if (this.#parser) return this.#parser.push(bytes);
    const head = concatBytes(this.#head, bytes);
    if (head.length < RIFF.length) {
      this.#head = head.slice();
      return new Int16Array(0);
    }
    this.#parser = RIFF.every((byte, at) => head[at] === byte) ? new WavParser() : this.#makeRaw();
    return this.#parser.push(head);
  }
}
