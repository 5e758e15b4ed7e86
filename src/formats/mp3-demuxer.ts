import { FrameDemuxer, type FrameHeader } from './frame-demuxer.js';

/** Bit rates in kbit/s, by the index in the header: MPEG 1, then MPEG 2 and 2.5. 0 (free format) is not supported. */
const BIT_RATES = [
  [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320],
  [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160],
] as const;
/** Sample rates of MPEG 1 in Hz, by the index in the header. */
const RATES = [44_100, 48_000, 32_000] as const;
/** Layer III, in the two bits of the header. */
const LAYER_3 = 1;
const MPEG_1 = 3;
const MPEG_2 = 2;
const RESERVED = 1;
const MONO = 3;

const FRAME_HEADER_BYTES = 4;
/**
 * Lengths in bytes of the Xing header's optional fields, in the order of their flags: frames, bytes, table of contents,
 * quality.
 */
const XING_FIELDS = [4, 4, 100, 4] as const;
/** Offset of the encoder delays in the LAME part of the header. */
const DELAYS_AT = 21;
/** Samples by which every MP3 decoder delays the audio. */
const DECODER_DELAY = 529;

/**
 * MP3: MPEG 1, 2 and 2.5, Layer III (ISO/IEC 11172-3, 13818-3).
 *
 * LAME and FFmpeg write the number of samples that the encoder has added into a first frame without audio (G. Bouvigne,
 * "Mp3 Info Tag revision 1").
 */
export class Mp3Demuxer extends FrameDemuxer {
  constructor() {
    super('mp3');
  }

  protected override readHeader(bytes: Uint8Array): FrameHeader | null {
    const [sync, flags, rates, mode] = bytes as unknown as number[];
    const version = (flags! >> 3) & 3;
    if (sync !== 0xff || flags! < 0xe0 || ((flags! >> 1) & 3) !== LAYER_3 || version === RESERVED) return null;
    const bitRate = BIT_RATES[version === MPEG_1 ? 0 : 1][rates! >> 4];
    const rate = RATES[(rates! >> 2) & 3];
    if (!bitRate || !rate) return null;
    const sampleRate = version === MPEG_1 ? rate : version === MPEG_2 ? rate / 2 : rate / 4;
    const padding = (rates! >> 1) & 1;
    return {
      length: Math.floor((samplesOf(version) * bitRate * 1000) / 8 / sampleRate) + padding,
      sampleRate,
      numberOfChannels: mode! >> 6 === MONO ? 1 : 2,
    };
  }

  protected override readFirst(frame: Uint8Array): boolean {
    const view = new DataView(frame.buffer, frame.byteOffset, frame.length);
    const name = (at: number, length: number): string => String.fromCharCode(...frame.subarray(at, at + length));
    const isMono = frame[3]! >> 6 === MONO;
    const version = (frame[1]! >> 3) & 3;
    const sideInfo = version === MPEG_1 ? (isMono ? 17 : 32) : isMono ? 9 : 17;
    const xing = FRAME_HEADER_BYTES + sideInfo;
    if (xing + 12 > frame.length || !/Xing|Info/.test(name(xing, 4))) return true;
    const flags = view.getUint32(xing + 4);
    const lame = xing + 8 + XING_FIELDS.reduce((sum, bytes, bit) => sum + ((flags >> bit) & 1) * bytes, 0);
    const at = lame + DELAYS_AT;
    if (at + 3 > frame.length || !/^(LAME|Lav[cf])/.test(name(lame, 4))) return false;
    const delays = (frame[at]! << 16) | (frame[at + 1]! << 8) | frame[at + 2]!;
    const [before, after] = [delays >> 12, delays & 0xfff];
    const count = flags & 1 ? view.getUint32(xing + 8) : 0;
    this.skip = before + DECODER_DELAY;
    if (count > 0) {
      this.counted = count;
      this.samples = Math.max(0, count * samplesOf(version) - before - after);
    }
    return false;
  }
}

/** Returns the samples per channel in a frame. */
function samplesOf(version: number): number {
  return version === MPEG_1 ? 1152 : 576;
}
