import { concatBytes } from './concat-bytes.js';

/** Encodings of a sample: its length in bytes, and a function that reads it at the scale of 16 bits. */
const ENCODINGS = {
  s16le: { bytes: 2, read: (view: DataView, at: number) => view.getInt16(at, true) },
  s16be: { bytes: 2, read: (view: DataView, at: number) => view.getInt16(at) },
  s24le: { bytes: 3, read: (view: DataView, at: number) => view.getInt16(at + 1, true) + view.getUint8(at) / 256 },
  f32le: { bytes: 4, read: (view: DataView, at: number) => view.getFloat32(at, true) * 32768 },
} as const;

/** Signed integers of 16 or 24 bits, little-endian or big-endian, or floats in [-1, 1]. */
export type Encoding = keyof typeof ENCODINGS;

/**
 * Decodes interleaved PCM to mono samples of 16 bits: the mean of the channels, rounded and clamped. NaN becomes 0.
 * Bytes of an incomplete frame are kept for the next call.
 */
export class SampleDecoder {
  readonly #encoding: Encoding;
  readonly #channels: number;
  #rest: Uint8Array = new Uint8Array(0);

  /** @param channels - Samples per frame, 1 or more. */
  constructor(encoding: Encoding, channels: number) {
    this.#encoding = encoding;
    this.#channels = channels;
  }

  /** @param bytes - Any number of bytes; the decoder keeps no view of them. */
  push(bytes: Uint8Array): Int16Array {
    const all = concatBytes(this.#rest, bytes);
    const channels = this.#channels;
    const { bytes: sampleBytes, read } = ENCODINGS[this.#encoding];
    const frames = Math.floor(all.length / (sampleBytes * channels));
    const samples = new Int16Array(frames);
    const view = new DataView(all.buffer, all.byteOffset, all.length);
    let at = 0;
    for (let frame = 0; frame < frames; frame++) {
      let sum = 0;
      for (let channel = 0; channel < channels; channel++, at += sampleBytes) sum += read(view, at);
      samples[frame] = Math.max(-32768, Math.min(32767, Math.round(sum / channels)));
    }
    this.#rest = all.slice(at);
    return samples;
  }
}
