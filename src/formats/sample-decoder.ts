import { ByteQueue } from './byte-queue.js';
import { toInt16 } from './to-int16.js';

/** An encoding of samples: the length of a sample in bytes, and a function that reads one at the scale of 16 bits. */
export interface Encoding {
  readonly bytes: number;
  readonly read: (view: DataView, at: number) => number;
}

/** Encodings by WAV's `wFormatTag` and the bits of a sample: signed integers and floats in [-1, 1], little-endian. */
export const ENCODINGS: Readonly<Record<string, Encoding>> = {
  '1/16': { bytes: 2, read: (view, at) => view.getInt16(at, true) },
  '1/24': { bytes: 3, read: (view, at) => view.getInt16(at + 1, true) + view.getUint8(at) / 256 },
  '3/32': { bytes: 4, read: (view, at) => view.getFloat32(at, true) * 32768 },
};

/**
 * Decodes interleaved PCM to mono samples of 16 bits: the mean of the channels, rounded and clamped. NaN becomes 0.
 * Bytes of an incomplete frame are kept for the next call.
 */
export class SampleDecoder {
  readonly #encoding: Encoding;
  readonly #channels: number;
  readonly #queue = new ByteQueue();

  /** @param channels - Samples per frame, 1 or more. */
  constructor(encoding: Encoding, channels: number) {
    this.#encoding = encoding;
    this.#channels = channels;
  }

  /** @param bytes - Any number of bytes; the decoder keeps no view of them. */
  push(bytes: Uint8Array): Int16Array<ArrayBuffer> {
    this.#queue.push(bytes);
    const { bytes: sampleBytes, read } = this.#encoding;
    const channels = this.#channels;
    const frames = Math.floor(this.#queue.length / (sampleBytes * channels));
    const samples = new Int16Array(frames);
    const all = this.#queue.peek(frames * sampleBytes * channels);
    const view = new DataView(all.buffer, all.byteOffset, all.length);
    let at = 0;
    for (let frame = 0; frame < frames; frame++) {
      let sum = 0;
      for (let channel = 0; channel < channels; channel++, at += sampleBytes) sum += read(view, at);
      samples[frame] = toInt16(sum / channels);
    }
    this.#queue.skip(at);
    return samples;
  }
}
