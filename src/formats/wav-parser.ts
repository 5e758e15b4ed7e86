import { concatBytes } from './concat-bytes.js';
import { type Encoding, SampleDecoder } from './sample-decoder.js';
import { UnsupportedFormat } from './unsupported-format.js';

const RIFF_HEADER_BYTES = 12;
const CHUNK_HEADER_BYTES = 8;
/** Length of a format chunk in bytes: from PCM to WAVE_FORMAT_EXTENSIBLE. */
const FORMAT_BYTES = { min: 16, max: 40 } as const;
const EXTENSIBLE = 0xfffe;
/** A writer that does not know the length writes 0 or the highest number. 2 GB of speech lasts 12 hours. */
const UNKNOWN_LENGTH = 0x7fff0000;
const CHANNELS_MAX = 32;

/** Encodings by `wFormatTag` and `wBitsPerSample`. */
const ENCODINGS: Readonly<Record<string, Encoding>> = { '1/16': 's16le', '1/24': 's24le', '3/32': 'f32le' };

/**
 * Parses a WAV file as it arrives: RIFF chunks in any order before the data. Bytes after the data are ignored.
 *
 * Specification: Microsoft, "Multimedia Programming Interface and Data Specifications 1.0", and "Multiple channel audio
 * data and WAVE files". Keeps at most 48 bytes between two calls, and an incomplete frame.
 */
export class WavParser {
  /** In Hz; 0 until the header has been read. */
  sampleRate = 0;
  #header: Uint8Array = new Uint8Array(0);
  /** Remaining bytes of a chunk that is skipped. */
  #skip = 0;
  #isRiff = false;
  #format: { encoding: Encoding; channels: number; sampleRate: number } | null = null;
  #decoder: SampleDecoder | null = null;
  /** Bytes of the data that have not arrived; Infinity if the header does not state the length. */
  #left = Infinity;

  /** Bytes of audio that the header announces and that have not arrived; 0 if it does not state the length. */
  get missing(): number {
    return Number.isFinite(this.#left) ? this.#left : 0;
  }

  /** @throws {UnsupportedFormat} If it is not a WAV file, or has an unsupported encoding. */
  push(bytes: Uint8Array): Int16Array {
    let data = bytes;
    if (!this.#decoder) {
      data = this.#readHeader(concatBytes(this.#header, bytes));
      if (!this.#decoder) {
        this.#header = data.slice();
        return new Int16Array(0);
      }
    }
    if (data.length > this.#left) data = data.subarray(0, this.#left);
    this.#left -= data.length;
    return this.#decoder.push(data);
  }

  /** Returns the unread bytes. Once the header is complete, these are the first bytes of the data. */
  #readHeader(bytes: Uint8Array): Uint8Array {
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
    let at = 0;
    for (;;) {
      const skipped = Math.min(this.#skip, bytes.length - at);
      at += skipped;
      this.#skip -= skipped;
      const left = bytes.length - at;
      if (this.#decoder || left < (this.#isRiff ? CHUNK_HEADER_BYTES : RIFF_HEADER_BYTES)) return bytes.subarray(at);
      const name = nameAt(view, at);
      if (!this.#isRiff) {
        if (name !== 'RIFF' || nameAt(view, at + 8) !== 'WAVE') throw new UnsupportedFormat('audio that is not WAV');
        this.#isRiff = true;
        at += RIFF_HEADER_BYTES;
        continue;
      }
      const length = view.getUint32(at + 4, true);
      if (name === 'data') {
        this.#startData(length);
      } else {
        if (name === 'fmt ') {
          const needed = Math.min(Math.max(length, FORMAT_BYTES.min), FORMAT_BYTES.max);
          if (left < CHUNK_HEADER_BYTES + needed) return bytes.subarray(at);
          this.#format = readFormat(view, at + CHUNK_HEADER_BYTES, needed);
        }
        // Chunks begin at even positions.
        this.#skip = length + (length % 2);
      }
      at += CHUNK_HEADER_BYTES;
    }
  }

  #startData(length: number): void {
    if (!this.#format) throw new UnsupportedFormat('WAV whose data comes before its format');
    const { encoding, channels, sampleRate } = this.#format;
    this.#decoder = new SampleDecoder(encoding, channels);
    this.sampleRate = sampleRate;
    if (length > 0 && length < UNKNOWN_LENGTH) this.#left = length;
  }
}

function nameAt(view: DataView, at: number): string {
  return String.fromCharCode(...[0, 1, 2, 3].map((index) => view.getUint8(at + index)));
}

function readFormat(view: DataView, at: number, length: number) {
  const channels = view.getUint16(at + 2, true);
  const sampleRate = view.getUint32(at + 4, true);
  const bits = view.getUint16(at + 14, true);
  let tag = view.getUint16(at, true);
  // The GUID of the actual format begins with its tag.
  if (tag === EXTENSIBLE && length === FORMAT_BYTES.max) tag = view.getUint16(at + 24, true);
  const encoding = ENCODINGS[`${tag}/${bits}`];
  if (!encoding) throw new UnsupportedFormat(`WAV of ${bits} bits in encoding ${tag}`);
  if (channels === 0 || channels > CHANNELS_MAX) throw new UnsupportedFormat(`WAV of ${channels} channels`);
  return { encoding, channels, sampleRate };
}
