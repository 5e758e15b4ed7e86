import type { AudioParser, Pcm } from './audio-parser.js';
import { ByteQueue } from './byte-queue.js';
import { findFileName } from './file-name.js';
import { findMessage } from './find-message.js';
import { countZeros } from './raw-parser.js';
import { type Encoding, SampleDecoder } from './sample-decoder.js';
import { isMessage, isWave, textAt } from './signature.js';

const RIFF_HEADER_BYTES = 12;
const CHUNK_HEADER_BYTES = 8;
/** Number of bytes that tell chunks, files and text from samples. */
const HEAD_BYTES = 32;
/** Lengths in bytes of a format chunk, and of one of WAVE_FORMAT_EXTENSIBLE. */
const FORMAT_BYTES = 16;
const EXTENSIBLE_BYTES = 40;
const EXTENSIBLE = 0xfffe;
/** Maximum length of what precedes the format, and of an unknown chunk after the samples. */
const LIMIT_BYTES = 2 ** 20;
/** Chunks whose names leave no doubt. */
const KNOWN_CHUNKS = /^(?:fmt |fact|data|LIST|ID3 |id3 |bext|iXML|axml|JUNK|C2PA)/;
/** Tags that follow the samples: ID3v1 and APE. */
const TAGS = /^(?:TAG|APETAGEX)/;
/** A length of more bytes or seconds than these is a placeholder of a writer that does not know the length. */
const PLACEHOLDER_BYTES = 2 ** 30;
const PLACEHOLDER_SECONDS = 3600;
/** The length of samples whose number has more than 32 bits, or is unknown. */
const UNKNOWN_LENGTH = 2 ** 32 - 1;
/** Fewer missing bytes than these are the headers, which some writers count as samples. */
const HEADER_BYTES = 128;

/** Format of the samples in a WAV file. */
export interface WavFormat {
  /** `wFormatTag`; the one of the sub-format if it is WAVE_FORMAT_EXTENSIBLE. */
  readonly tag: number;
  /** Bits of a sample, with padding. */
  readonly bits: number;
  readonly channels: number;
  /** In Hz. */
  readonly sampleRate: number;
}

/**
 * Returns the encoding of a format, or undefined. Called again once there are samples, which may be others than the format
 * says. Null if more of them are needed. 'file' if they are a file of another format, which becomes `rest` then.
 *
 * @param before - Sample rate of the file before, in Hz; 0 for the first file.
 * @param samples - The first bytes of the samples; null while there are none.
 */
export type EncodingOf = (
  format: WavFormat,
  before: number,
  samples: Uint8Array | null,
  isEnd: boolean,
) => Encoding | 'file' | null | undefined;

/**
 * Parses WAV files as they arrive, one after the other.
 *
 * Specification: Microsoft, "Multimedia Programming Interface and Data Specifications 1.0", and "Multiple channel audio
 * data and WAVE files"; EBU Tech 3306 (RF64); ITU-R BS.2088 (BW64). Lengths are often wrong, so they are checked: another
 * file or a message may begin within the samples, and what follows them is a chunk only if it looks like one. Keeps at most
 * 1 MiB, and an incomplete frame.
 */
export class WavParser implements AudioParser {
  /** In Hz; 0 before the first samples. */
  sampleRate = 0;
  rest: Uint8Array<ArrayBuffer> | null = null;
  readonly #encodingOf: EncodingOf;
  readonly #queue = new ByteQueue();
  /** Position of the next unread byte in the queue. Beyond its end while bytes that have not arrived must be skipped. */
  #at = 0;
  /** True while the queue has the file from its first byte. */
  #isWhole = true;
  #format: WavFormat | null = null;
  /** Length of the samples in bytes by the chunk of RF64, whose other lengths have 32 bits; 0 if it is unknown. */
  #longLength = 0;
  #encoding!: Encoding;
  /** Null before the samples of this file. */
  #decoder: SampleDecoder | null = null;
  #isInSamples = false;
  /** Bytes of the samples that have not arrived; Infinity if the header does not state the length. */
  #left = 0;

  /** @param encodingOf - Returns the encoding of a format. If it returns none, the file becomes `rest`. */
  constructor(encodingOf: EncodingOf) {
    this.#encodingOf = encodingOf;
  }

  /** Bytes of audio that the header announces and that have not arrived; 0 if it does not state the length. */
  get missing(): number {
    return this.#left > HEADER_BYTES && this.#left < Infinity ? this.#left : 0;
  }

  *push(bytes: Uint8Array, isEnd: boolean): Generator<Pcm, void> {
    this.#queue.push(bytes);
    for (;;) {
      // Until its samples begin, the whole file may become `rest`.
      if (this.#decoder || (this.#format && this.#at > LIMIT_BYTES)) {
        this.#at -= this.#queue.skip(this.#at);
        this.#isWhole = false;
      }
      const unread = this.#queue.peek(Infinity).subarray(this.#at);
      if (this.#isInSamples) {
        const end = Math.min(findFile(unread, isEnd), this.#left);
        const isEarly = end < this.#left;
        const isOver = isEnd || isWave(unread.subarray(end));
        const { at, isFound } = findMessage(unread.subarray(0, end), isEarly && isOver);
        const count = isEarly || isFound ? at : end;
        const samples = this.#decoder!.push(unread.subarray(0, count));
        this.#left -= count;
        this.#at = count;
        if (samples.length > 0) yield { sampleRate: this.sampleRate, samples };
        if (isFound) {
          this.#queue.skip(count);
          this.#stop();
          return;
        }
        if (this.#left > 0 && !isWave(unread.subarray(count))) return;
        this.#isInSamples = false;
        this.#left = 0;
      } else if (!this.#readChunk(unread, isEnd)) return;
    }
  }

  /** Reads the beginning of a chunk or a file. Returns false if more bytes are needed, or if there is a `rest`. */
  #readChunk(bytes: Uint8Array, isEnd: boolean): boolean {
    if (bytes.length < (isEnd ? 2 : HEAD_BYTES)) return false;
    const isAfterSamples = !!this.#decoder;
    if (isWave(bytes)) {
      this.#format = this.#decoder = null;
      this.#longLength = 0;
      this.#isWhole = true;
      this.#at += RIFF_HEADER_BYTES;
      return true;
    }
    if (isAfterSamples) {
      const file = findFileName(bytes, isEnd);
      if (file === undefined) return false;
      if (file || isMessage(bytes) || TAGS.test(textAt(bytes, 0, 8))) return this.#stop();
      // Some programs add a text, which is no sound. Samples of 8 bits often look like one.
      if (this.#encoding.bytes > 1 && /^[\n\r -~]+$/.test(textAt(bytes, 0, HEAD_BYTES))) {
        this.#at++;
        return true;
      }
    }
    const name = chunkName(bytes, isAfterSamples);
    if (!name) {
      // Bytes after the samples are samples as well: the header's length is too small. Any other bytes are skipped: they
      // are padding, or the file is damaged.
      if (isAfterSamples && !chunkName(bytes.subarray(1), true)) this.#readSamples(Infinity);
      else this.#at += countZeros(bytes) || 1;
      return this.#canHaveFormat();
    }
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
    const length = view.getUint32(4, true);
    if (name === 'fmt ') {
      const needed = length < EXTENSIBLE_BYTES ? FORMAT_BYTES : EXTENSIBLE_BYTES;
      if (bytes.length < CHUNK_HEADER_BYTES + needed) return false;
      const format = readFormat(view, CHUNK_HEADER_BYTES, needed);
      const encoding = this.#encodingOf(format, this.sampleRate, null, isEnd);
      if (!encoding || encoding === 'file') return this.#stop();
      this.#format = format;
      this.#encoding = encoding;
    }
    if (name === 'ds64') {
      if (bytes.length < CHUNK_HEADER_BYTES + 16) return false;
      this.#longLength = Number(view.getBigUint64(16, true));
    }
    const samples = bytes.subarray(CHUNK_HEADER_BYTES);
    if (name === 'data' && this.#format && this.#isWhole && !isWave(samples)) {
      const encoding = this.#encodingOf(this.#format, this.sampleRate, samples, isEnd);
      if (encoding === null) return false;
      if (encoding === 'file') this.#queue.skip(this.#at + CHUNK_HEADER_BYTES);
      if (!encoding || encoding === 'file') return this.#stop();
      this.#encoding = encoding;
    }
    this.#at += CHUNK_HEADER_BYTES;
    if (name !== 'data') {
      this.#at += length;
      return this.#canHaveFormat();
    }
    if (!this.#format) return this.#stop();
    const { channels, sampleRate } = this.#format;
    const bytesPerSecond = this.#encoding.bytes * channels * sampleRate;
    // Some writers store ones in place of a length that they do not know.
    const isLong = length === UNKNOWN_LENGTH && this.#longLength > 0 && this.#longLength < 2 ** 53;
    const isKnown = length < Math.min(PLACEHOLDER_BYTES, PLACEHOLDER_SECONDS * bytesPerSecond);
    this.sampleRate = sampleRate;
    this.#decoder = new SampleDecoder(this.#encoding, channels);
    this.#readSamples(isLong ? this.#longLength : isKnown ? length : Infinity);
    return true;
  }

  /** Returns false, with a `rest`, if what precedes the format is too long. */
  #canHaveFormat(): boolean {
    return this.#format !== null || this.#at < LIMIT_BYTES || this.#stop();
  }

  #readSamples(length: number): void {
    this.#isInSamples = true;
    this.#left = length;
  }

  #stop(): boolean {
    this.rest = this.#queue.take(this.#queue.length);
    return false;
  }
}

/** Returns the name of the chunk that begins with these bytes; empty if they do not look like one. */
function chunkName(bytes: Uint8Array, isAfterSamples: boolean): string {
  const name = textAt(bytes, 0, 4);
  if (bytes.length < CHUNK_HEADER_BYTES) return '';
  if (KNOWN_CHUNKS.test(name)) return name;
  const isLong = isAfterSamples && bytes[7]! * 256 + bytes[6]! > 15;
  // Before a known chunk, the first byte is padding.
  return !isLong && /^[ -~]{4}/.test(name) && !KNOWN_CHUNKS.test(textAt(bytes, 1, 4)) ? name : '';
}

/**
 * Returns the position of a file that begins within samples, or of bytes at the end that may become one; the length if
 * there is none.
 */
function findFile(bytes: Uint8Array, isEnd: boolean): number {
  for (let at = 0; at < bytes.length; at++) {
    if (bytes[at] !== 0x52 && bytes[at] !== 0x42) continue;
    const head = textAt(bytes, at, RIFF_HEADER_BYTES);
    // As far as the bytes have arrived.
    const mayBeFile = 'RIFF RF64 BW64'.includes(head.slice(0, 4)) && 'WAVE'.startsWith(head.slice(8));
    if (mayBeFile && (!isEnd || head.length === RIFF_HEADER_BYTES)) return at;
  }
  return bytes.length;
}

function readFormat(view: DataView, at: number, length: number): WavFormat {
  const channels = view.getUint16(at + 2, true);
  let bits = view.getUint16(at + 14, true);
  let tag = view.getUint16(at, true);
  // The GUID of the actual format begins with its tag.
  if (tag === EXTENSIBLE && length === EXTENSIBLE_BYTES) tag = view.getUint16(at + 24, true);
  const stored = (8 * view.getUint16(at + 12, true)) / channels;
  // 24 bits may be stored in 32, and 20 bits in 24. A format of 14 bytes does not state the bits.
  if (bits % 8 > 0 || (bits === 24 && stored === 32)) bits = stored;
  return { tag, bits, channels, sampleRate: view.getUint32(at + 4, true) };
}
