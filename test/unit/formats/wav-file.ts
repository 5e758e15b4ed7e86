/** Makes a chunk of a RIFF file, padded to an even length. */
export function chunk(name: string, data: Uint8Array, length: number = data.length): Uint8Array {
  const bytes = new Uint8Array(8 + data.length + (data.length % 2));
  bytes.set(new TextEncoder().encode(name));
  new DataView(bytes.buffer).setUint32(4, length, true);
  bytes.set(data, 8);
  return bytes;
}

/** Makes a RIFF file of these chunks. */
export function riff(...chunks: readonly Uint8Array[]): Uint8Array {
  const head = chunk('RIFF', new TextEncoder().encode('WAVE'), 4 + chunks.reduce((sum, { length }) => sum + length, 0));
  return Uint8Array.from([head, ...chunks].flatMap((part) => [...part]));
}

/** Fields that differ from 16-bit mono samples at 24 kHz. */
export interface Format {
  readonly tag?: number;
  readonly bits?: number;
  readonly channels?: number;
  readonly sampleRate?: number;
  /** Encoding of a WAVE_FORMAT_EXTENSIBLE. */
  readonly subformat?: number;
}

/** Makes a format chunk. */
export function format({ tag = 1, bits = 16, channels = 1, sampleRate = 24000, subformat }: Format = {}): Uint8Array {
  const bytes = new Uint8Array(subformat === undefined ? 16 : 40);
  const view = new DataView(bytes.buffer);
  const frame = (channels * bits) / 8;
  view.setUint16(0, subformat === undefined ? tag : 0xfffe, true);
  view.setUint16(2, channels, true);
  view.setUint32(4, sampleRate, true);
  view.setUint32(8, frame * sampleRate, true);
  view.setUint16(12, frame, true);
  view.setUint16(14, bits, true);
  if (subformat !== undefined) {
    view.setUint16(16, 22, true);
    view.setUint16(24, subformat, true);
  }
  return chunk('fmt ', bytes);
}

/** Encodes 16-bit samples in little-endian order. */
export function s16(...samples: readonly number[]): Uint8Array {
  return new Uint8Array(Int16Array.from(samples).buffer);
}

/** Encodes 24-bit samples in little-endian order. */
export function s24(...samples: readonly number[]): Uint8Array {
  return Uint8Array.from(samples.flatMap((sample) => [sample & 255, (sample >> 8) & 255, (sample >> 16) & 255]));
}

/** Encodes float32 samples in little-endian order. */
export function f32(...samples: readonly number[]): Uint8Array {
  return new Uint8Array(Float32Array.from(samples).buffer);
}
