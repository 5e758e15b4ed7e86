import { FrameDemuxer, type FrameHeader } from './frame-demuxer.js';

/** Sample rates by the index in the header, in Hz. */
const RATES = [96_000, 88_200, 64_000, 48_000, 44_100, 32_000, 24_000, 22_050, 16_000, 12_000, 11_025, 8000, 7350];
const HEADER_BYTES = 7;
/** Numbers of channels by the channel configuration. 0 means that the first frame defines it; mono is assumed. */
const CHANNELS = [1, 1, 2, 3, 4, 5, 6, 8];

/** AAC in ADTS (ISO/IEC 14496-3, 1.A.2.2). It does not state how many samples the encoder has added. */
export class AdtsDemuxer extends FrameDemuxer {
  constructor() {
    super('mp4a.40.2');
  }

  protected override readHeader(bytes: Uint8Array): FrameHeader | null {
    const [sync, flags, format, channelsAndLength, middle, end] = bytes as unknown as number[];
    // The sync word, and layer 0.
    if (sync !== 0xff || (flags! & 0xf6) !== 0xf0) return null;
    const sampleRate = RATES[(format! >> 2) & 15];
    const length = ((channelsAndLength! & 3) << 11) | (middle! << 3) | (end! >> 5);
    if (sampleRate === undefined || length < HEADER_BYTES) return null;
    return { length, sampleRate, numberOfChannels: CHANNELS[((format! & 1) << 2) | (channelsAndLength! >> 6)]! };
  }
}
