import type { AudioParser, Part } from './audio-parser.js';
import { isLittleEndian } from './byte-order.js';
import { ByteQueue } from './byte-queue.js';
import { areFloats } from './float-samples.js';
import { findAudio } from './find-audio.js';
import { FrameDemuxer } from './frame-demuxer.js';
import { BIG_ENDIAN, encodingOf } from './more-encodings.js';
import { isChannelCount, type RawFormat, rawFormat } from './raw-format.js';
import { countZeros, RawParser } from './raw-parser.js';
import { describeText } from './refused-text.js';
import { ENCODINGS } from './sample-decoder.js';
import { isMp4, isWave, SIGNATURE_BYTES, textAt } from './signature.js';
import { decideEncoding, type TelephoneFormat, telephoneFormat } from './telephone-format.js';
import { UnsupportedFormat } from './unsupported-format.js';
import { WavParser } from './wav-parser.js';

/** Bytes of silence after which the byte order is decided in any case. */
const SILENCE_BYTES = 2 ** 24;

/** Files that are not played: the place and the text of their signature, and the name by which people know them. */
const REFUSED: readonly (readonly [number, string, string])[] = [
  [0, 'fLaC', 'FLAC'],
  [0, '\x1fC\xb6u', 'WebM without its beginning'],
  [8, 'AIF', 'AIFF'],
  [0, 'RIFX', 'big-endian WAV (RIFX)'],
  [0, '.snd', 'AU'],
  [0, 'caff', 'CAF'],
  [0, '#!AMR', 'AMR'],
  [0, 'MThd', 'MIDI'],
  [0, '0&\xb2u', 'WMA'],
  [0, 'wvpk', 'WavPack'],
  [0, '\x1f\x8b\x08', 'data compressed with gzip, without its Content-Encoding'],
  [0, 'PK\x03\x04', 'a ZIP archive'],
  [0, '\x89PNG', 'a picture'],
  [0, 'GIF8', 'a picture'],
  [0, '\xff\xd8\xff', 'a picture'],
  [0, '%PDF', 'PDF'],
];

/**
 * Parses what `PlainAudio` and `AudioReader` do not: WAV of any encoding and several sample rates, raw samples, and frames
 * that do not come first. Describes what is not audio. Loaded when it is needed.
 */
export class OtherAudio implements AudioParser {
  rest: Uint8Array<ArrayBuffer> | null = null;
  readonly #contentType: string;
  readonly #raw: RawFormat | null;
  readonly #telephone: TelephoneFormat | null;
  readonly #queue = new ByteQueue();
  #parser: AudioParser | null = null;

  /**
   * @param contentType - Value of a Content-Type header, or empty. It decides what the first bytes leave open.
   * @param sampleRate - Sample rate in Hz of raw samples whose type does not specify one.
   */
  constructor(contentType: string, sampleRate: number | undefined) {
    this.#contentType = contentType;
    this.#raw = rawFormat(contentType, sampleRate);
    this.#telephone = telephoneFormat(contentType, sampleRate);
  }

  *push(bytes: Uint8Array, isEnd: boolean): Generator<Part, void> {
    let next: Uint8Array = bytes;
    if (!this.#parser) {
      this.#queue.push(bytes);
      const head = this.#queue.peek(Infinity);
      if (head.length < (isEnd ? 1 : SIGNATURE_BYTES)) return;
      this.#parser = this.#choose(head, isEnd);
      if (!this.#parser) return;
      next = this.#queue.take(head.length);
    }
    yield* this.#parser.push(next, isEnd);
    this.rest = this.#parser.rest;
    if (!(this.#parser instanceof WavParser)) return;
    if (this.rest) throw new UnsupportedFormat('WAV that is damaged');
    if (isEnd && this.#parser.missing > 0)
      throw new Error(`its WAV header announces ${this.#parser.missing} bytes more`);
  }

  /** Returns the parser for a beginning. Null if more bytes are needed, or if there is a `rest`. */
  #choose(head: Uint8Array, isEnd: boolean): AudioParser | null {
    const start = textAt(head, 0, SIGNATURE_BYTES);
    if (isWave(head)) return new WavParser(encodingOf);
    if (isMp4(head)) throw new UnsupportedFormat('MP4 (M4A)');
    const refused = REFUSED.find(([at, text]) => start.startsWith(text, at));
    if (refused) throw new UnsupportedFormat(refused[2]);
    const text = describeText(head, isEnd);
    if (text) throw new UnsupportedFormat(text);
    if (text === undefined) return null;
    if (this.#telephone) return this.#chooseTelephone(this.#telephone, head, isEnd);
    return this.#raw?.sampleRate ? this.#chooseRaw(this.#raw, head, isEnd) : this.#search();
  }

  #chooseTelephone(format: TelephoneFormat, head: Uint8Array, isEnd: boolean): AudioParser | null {
    this.#checkChannels(format);
    const found = decideEncoding(format, head.subarray(countZeros(head)), isEnd);
    if (!found) return null;
    if (!found.sampleRate) {
      throw new UnsupportedFormat(`${this.#contentType} with samples of 16 bits and without a sample rate`);
    }
    return new RawParser({ ...format, sampleRate: found.sampleRate }, found.encoding, true);
  }

  #checkChannels({ channels }: RawFormat): void {
    if (!isChannelCount(channels)) throw new UnsupportedFormat(`${this.#contentType} with ${channels} channels`);
  }

  #chooseRaw(raw: RawFormat, head: Uint8Array, isEnd: boolean): AudioParser | null {
    const { channels, sampleRate } = raw;
    this.#checkChannels(raw);
    const start = raw.isGuess ? findAudio(head, isEnd) : -1;
    if (start === null) return null;
    if (start >= 0) {
      this.#queue.skip(start);
      this.rest = this.#queue.take(this.#queue.length);
      return null;
    }
    const zeros = countZeros(head);
    const sound = head.subarray(zeros);
    const isFloat = !raw.endianness && areFloats(sound, isEnd);
    if (isFloat === null) return null;
    if (isFloat) return new RawParser(raw, ENCODINGS['3/32']!, true);
    const isDecided = isEnd || zeros > SILENCE_BYTES;
    const isLittle = raw.endianness.endsWith('16')
      ? isLittleEndian(sound, sampleRate, channels, isDecided)
      : !/^[bt]/i.test(raw.endianness);
    return isLittle === null ? null : new RawParser(raw, isLittle ? ENCODINGS['1/16']! : BIG_ENDIAN, true);
  }

  /** Returns a parser that searches for the beginning. */
  #search(): AudioParser {
    const type = this.#contentType.trim() || 'audio without a Content-Type';
    return new FrameDemuxer(this.#raw ? `${type} and without a sample rate` : `${type} in which no audio was found`);
  }
}
