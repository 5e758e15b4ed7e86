import type { CodecConfig } from './audio-parser.js';
import { textAt } from './signature.js';

/** Sample rate of decoded Opus, in Hz. */
const OPUS_RATE = 48_000;
const HEAD_BYTES = 19;

/** Identification header of an Opus stream. */
export interface OpusHead {
  readonly config: CodecConfig;
  /** Samples at 48 kHz that the encoder has added at the beginning. */
  readonly preSkip: number;
  /** Factor for all decoded samples. */
  readonly gain: number;
}

/**
 * Reads an identification header (RFC 7845, 5.1). Returns null if it is not one, or if the channels are not those of a single
 * Opus stream, mono or stereo.
 */
export function readOpusHead(bytes: Uint8Array): OpusHead | null {
  const isHead = textAt(bytes, 0, 8) === 'OpusHead';
  const numberOfChannels = bytes[9] ?? 0;
  if (!isHead || bytes.length < HEAD_BYTES || numberOfChannels < 1 || numberOfChannels > 2) return null;
  const [family, streams] = bytes.subarray(HEAD_BYTES - 1);
  if (family! > 0 && streams !== 1) return null;
  const view = new DataView(bytes.buffer, bytes.byteOffset, HEAD_BYTES);
  return {
    config: { codec: 'opus', sampleRate: OPUS_RATE, numberOfChannels },
    preSkip: view.getUint16(10, true),
    // In steps of 1/256 dB.
    gain: 10 ** (view.getInt16(16, true) / 256 / 20),
  };
}
