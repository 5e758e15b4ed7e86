import type { CodecConfig } from './audio-parser.js';

/** Number of bytes that `readFrameHeader` needs. No frame is shorter. */
export const FRAME_HEADER_BYTES = 7;

/** Header of a frame of MP3, MP2 or AAC. */
export interface FrameHeader {
  /** Length of the whole frame, in bytes. */
  readonly length: number;
  /** Samples per channel. */
  readonly samples: number;
  readonly config: CodecConfig;
}

/**
 * Bit rates in kbit/s, by the index in the header: Layer III of MPEG 1, Layer II of MPEG 1, and both of MPEG 2 and 2.5. 0 (free
 * format) is not supported.
 */
const BIT_RATES = [
  [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320],
  [0, 32, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 384],
  [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160],
] as const;
/** Sample rates of MPEG 1 in Hz, by the index in the header. */
const MP3_RATES = [44_100, 48_000, 32_000] as const;
/** Layers III and II, in the two bits of the header. */
const LAYER_3 = 1;
const LAYER_2 = 2;
const MPEG_1 = 3;
const MPEG_2 = 2;
const RESERVED = 1;
const MONO = 3;

/** Sample rates of AAC by the index in the header, in Hz. */
const AAC_RATES = [96_000, 88_200, 64_000, 48_000, 44_100, 32_000, 24_000, 22_050, 16_000, 12_000, 11_025, 8000, 7350];
/** Numbers of channels by the channel configuration. 0 means that the first frame defines it; mono is assumed. */
const AAC_CHANNELS = [1, 1, 2, 3, 4, 5, 6, 8];

/**
 * Reads the header of a frame of MP3 or MP2 (MPEG 1, 2 and 2.5, Layers III and II: ISO/IEC 11172-3, 13818-3) or of AAC in
 * ADTS (ISO/IEC 14496-3, 1.A.2.2). Returns null if the bytes are none.
 *
 * @param bytes - At least `FRAME_HEADER_BYTES`.
 */
export function readFrameHeader(bytes: Uint8Array): FrameHeader | null {
  const [sync, flags] = bytes as unknown as number[];
  if (sync !== 0xff || flags! < 0xe0) return null;
  return (flags! & 0xf6) === 0xf0 ? readAdts(bytes) : readMp3(bytes);
}

function readMp3(bytes: Uint8Array): FrameHeader | null {
  const [, flags, rates, mode] = bytes as unknown as number[];
  const version = (flags! >> 3) & 3;
  const layer = (flags! >> 1) & 3;
  const isLayer2 = layer === LAYER_2;
  if ((!isLayer2 && layer !== LAYER_3) || version === RESERVED) return null;
  const bitRate = BIT_RATES[version !== MPEG_1 ? 2 : isLayer2 ? 1 : 0][rates! >> 4];
  const rate = MP3_RATES[(rates! >> 2) & 3];
  if (!bitRate || !rate) return null;
  const sampleRate = version === MPEG_1 ? rate : version === MPEG_2 ? rate / 2 : rate / 4;
  const samples = version === MPEG_1 || isLayer2 ? 1152 : 576;
  const padding = (rates! >> 1) & 1;
  return {
    length: Math.floor((samples * bitRate * 1000) / 8 / sampleRate) + padding,
    samples,
    config: { codec: isLayer2 ? 'mp2' : 'mp3', sampleRate, numberOfChannels: mode! >> 6 === MONO ? 1 : 2 },
  };
}

function readAdts(bytes: Uint8Array): FrameHeader | null {
  const [, , format, channelsAndLength, middle, end] = bytes as unknown as number[];
  const sampleRate = AAC_RATES[(format! >> 2) & 15];
  const length = ((channelsAndLength! & 3) << 11) | (middle! << 3) | (end! >> 5);
  if (sampleRate === undefined || length < FRAME_HEADER_BYTES) return null;
  const numberOfChannels = AAC_CHANNELS[((format! & 1) << 2) | (channelsAndLength! >> 6)]!;
  return { length, samples: 1024, config: { codec: 'mp4a.40.2', sampleRate, numberOfChannels } };
}
