import type { AudioParser, Part } from './audio-parser.js';
import { ByteOrderParser } from './byte-order.js';
import { ByteQueue } from './byte-queue.js';
import { areFloats } from './float-samples.js';
import { findAudio } from './find-audio.js';
import { FrameDemuxer } from './frame-demuxer.js';
import { encodingOf, MORE_ENCODINGS } from './more-encodings.js';
import { isChannelCount, type RawFormat, rawFormat } from './raw-format.js';
import { countZeros, DOUBTED_BYTES, RawParser, REPLACED, SOUND_BYTES } from './raw-parser.js';
import { describeText } from './refused-text.js';
import { ENCODINGS } from './sample-decoder.js';
import { isMp4, isWave, textAt } from './signature.js';
import { statedEncoding } from './stated-encoding.js';
import { decideEncoding, type TelephoneFormat, telephoneFormat } from './telephone-format.js';
import { UnsupportedFormat } from './unsupported-format.js';
import { WavParser } from './wav-parser.js';

/** Number of bytes that tell files from each other, and have the format of WAV. */
const HEAD_BYTES = 40;
const TEXT = 'audio that was read as text (UTF-8), which destroys it. Get it as an ArrayBuffer or a Blob';

/** How files begin that are not played, and the names by which people know them. */
const REFUSED: readonly (readonly [RegExp, string])[] = [
  [/^RIFF[^]*\xef\xbf\xbd/, TEXT],
  [/^RIFF(?![^]{4}WAVE)/, 'RIFF, but not WAV'],
  [/^fLaC/, 'FLAC'],
  [/^[^ -\xff]C\xb6u/, 'WebM without its beginning'],
  [/^[^]{8}AIF/, 'AIFF'],
  [/^RIFX/, 'big-endian WAV (RIFX)'],
  [/^riff/, 'Wave64 (W64)'],
  [/^ADIF/, 'AAC in ADIF'],
  [/^\.snd/, 'AU'],
  [/^caff/, 'CAF'],
  [/^#!AMR/, 'AMR'],
  [/^[^ -\xff]?#!SILK/, 'SILK'],
  [/^MThd/, 'MIDI'],
  [/^0&\xb2u/, 'WMA'],
  [/^wvpk/, 'WavPack'],
  [/^FLV[^ -\xff]/, 'Flash video (FLV)'],
  // Its first packets are tables of programs.
  [/^G@[^ -\xff]{3}/, 'an MPEG transport stream, as in HLS'],
  // oxlint-disable-next-line no-control-regex -- these are bytes, not characters
  [/^\x1f\x8b\x08/, 'data compressed with gzip, without its Content-Encoding'],
  [/^\(\xb5\/\xfd/, 'data compressed with Zstandard, without its Content-Encoding'],
  [/^PK[^ -\xff]{2}/, 'a ZIP archive'],
  [/^(?:\x89PNG|GIF8|\xff\xd8\xff)/, 'a picture'],
  [/^%PDF/, 'PDF'],
];
/** How a part of a multipart body begins, and the number of bytes that this takes. */
const MULTIPART_BYTES = 256;
const MULTIPART = /^\s*--\S+\r\n[\w-]+:/;
/** Headers of frames of MP3 whose length is not in them. */
const FREE_FORMAT = /^\xff[\xe2\xe3\xf2\xf3\xfa\xfb][^ -\xff]/;

/**
 * Parses what `PlainAudio` and `AudioReader` do not: WAV of any encoding and several sample rates, raw samples, and frames
 * that do not come first. Describes what is not audio. Loaded when it is needed.
 */
export class OtherAudio implements AudioParser {
  rest: Uint8Array<ArrayBuffer> | null = null;
  readonly #contentType: string;
  readonly #isBeginning: boolean;
  readonly #raw: RawFormat | null;
  readonly #telephone: TelephoneFormat | null;
  readonly #queue = new ByteQueue();
  #parser: AudioParser | null = null;

  /**
   * @param contentType - Value of a Content-Type header, or empty. It decides what the first bytes leave open.
   * @param sampleRate - Sample rate in Hz of raw samples whose type does not specify one.
   * @param isBeginning - False behind audio or a tag. Raw samples, which the type describes, do not follow one.
   */
  constructor(contentType: string, sampleRate: number | undefined, isBeginning = true) {
    this.#contentType = contentType;
    this.#isBeginning = isBeginning;
    this.#raw = isBeginning ? rawFormat(contentType, sampleRate) : null;
    this.#telephone = isBeginning ? telephoneFormat(contentType, sampleRate) : null;
  }

  *push(bytes: Uint8Array, isEnd: boolean): Generator<Part, void> {
    let next: Uint8Array = bytes;
    if (!this.#parser) {
      this.#queue.push(bytes);
      const head = this.#queue.peek(Infinity);
      if (head.length < (isEnd ? 1 : HEAD_BYTES)) return;
      this.#parser = this.#choose(head, isEnd);
      if (!this.#parser) return;
      next = this.#queue.take(head.length);
    }
    yield* this.#parser.push(next, isEnd);
    this.rest = this.#parser.rest;
    if (!(this.#parser instanceof WavParser)) return;
    if (this.rest && isWave(this.rest)) throw new UnsupportedFormat('WAV that is damaged');
    if (isEnd && !this.rest && this.#parser.missing > 0)
      throw new Error(`its WAV header announces ${this.#parser.missing} bytes more`);
  }

  /** Returns the parser for a beginning. Null if more bytes are needed, or if there is a `rest`. */
  #choose(head: Uint8Array, isEnd: boolean): AudioParser | null {
    const start = textAt(head, 0, HEAD_BYTES);
    if (isMp4(head)) throw new UnsupportedFormat('MP4 (M4A)');
    const refused = REFUSED.find(([pattern]) => pattern.test(start));
    if (refused) throw new UnsupportedFormat(refused[1]);
    if (isWave(head)) return new WavParser(encodingOf);
    const text = describeText(head, isEnd);
    if (text === undefined) return null;
    if (MULTIPART.test(textAt(head, 0, MULTIPART_BYTES))) {
      throw new UnsupportedFormat('a multipart body. Take it apart, and give the part with the audio to speakAudio()');
    }
    if (text) throw new UnsupportedFormat(text);
    const zeros = countZeros(head);
    if (zeros <= DOUBTED_BYTES) {
      const sound = textAt(head, zeros, SOUND_BYTES);
      if (REPLACED.test(sound)) throw new UnsupportedFormat(TEXT);
      if (sound.length < SOUND_BYTES && !isEnd) return null;
    }
    if (this.#telephone) return this.#chooseTelephone(this.#telephone, head, isEnd);
    if (this.#raw?.sampleRate) return this.#chooseRaw(this.#raw, start, head, isEnd);
    return this.#search(start);
  }

  #chooseTelephone(format: TelephoneFormat, head: Uint8Array, isEnd: boolean): AudioParser | null {
    this.#checkChannels(format);
    const found = decideEncoding(format, head, isEnd);
    if (!found) return null;
    if (!found.sampleRate) {
      throw new UnsupportedFormat(`${this.#contentType} with samples of 16 bits and without a sample rate`);
    }
    return new RawParser({ ...format, sampleRate: found.sampleRate }, found.encoding, true);
  }

  #checkChannels({ channels }: RawFormat): void {
    if (!isChannelCount(channels)) throw new UnsupportedFormat(`${this.#contentType} with ${channels} channels`);
  }

  #chooseRaw(raw: RawFormat, start: string, head: Uint8Array, isEnd: boolean): AudioParser | null {
    this.#checkChannels(raw);
    // A type that states samples is wrong if a WAV file follows a few bytes.
    const at = raw.isGuess ? findAudio(head, isEnd) : start.search(/RIFF[^]{4}WAVE/);
    if (at === null) return null;
    if (at >= 0) {
      this.#queue.skip(at);
      this.rest = this.#queue.take(this.#queue.length);
      return null;
    }
    const stated = statedEncoding(this.#contentType);
    if (!stated && /l16/i.test(this.#contentType)) return new ByteOrderParser(raw);
    const zeros = countZeros(head);
    // 32 bits may be floats or integers.
    const mayBeFloat = zeros <= DOUBTED_BYTES && (!stated || stated === MORE_ENCODINGS['1/32']);
    const isFloat = mayBeFloat && areFloats(head.subarray(zeros), isEnd);
    if (isFloat === null) return null;
    return new RawParser(raw, isFloat ? ENCODINGS['3/32']! : (stated ?? ENCODINGS['1/16']!), true);
  }

  /** Returns a parser that searches for the beginning. */
  #search(start: string): AudioParser {
    const type = this.#contentType.trim() || 'audio without a Content-Type';
    const reason = this.#raw ? 'and without a sample rate' : 'in which no audio was found';
    const problem = this.#isBeginning ? reason : 'with something unknown behind its beginning';
    return new FrameDemuxer(`${type} ${problem}${FREE_FORMAT.test(start) ? ', perhaps MP3 of free format' : ''}`);
  }
}
