import type { FrameHeader } from './frame-header.js';
import { textAt } from './signature.js';

/**
 * Lengths in bytes of the Xing header's optional fields, in the order of their flags: frames, bytes, table of contents,
 * quality.
 */
const XING_FIELDS = [4, 4, 100, 4] as const;
/** Offset of the encoder delays in the LAME part of the header. */
const DELAYS_AT = 21;
/** Samples by which every MP3 decoder delays the audio. */
const DECODER_DELAY = 529;

/** Facts about an MP3 file. */
export interface Info {
  /** Number of samples per channel that the encoder has added at the beginning. */
  readonly skip: number;
  /** Number of samples per channel after `skip`, before those that the encoder has added at the end. */
  readonly samples: number;
  /** Number of frames with audio; Infinity if it is unknown. */
  readonly frames: number;
}

/**
 * Reads a frame of MP3 that has metadata instead of audio: the header of Xing, LAME and FFmpeg (G. Bouvigne, "Mp3 Info Tag
 * revision 1"), or the header of Fraunhofer. Returns null if the frame has audio.
 */
export function readInfoFrame(frame: Uint8Array, { config, samples }: FrameHeader): Info | null {
  const unknown = { skip: 0, samples: Infinity, frames: Infinity };
  // Side information precedes the header of Xing. Fraunhofer's is always at the same place.
  const isMono = config.numberOfChannels === 1;
  const xing = 4 + (samples === 1152 ? (isMono ? 17 : 32) : isMono ? 9 : 17);
  if (textAt(frame, 36, 4) === 'VBRI') return unknown;
  if (xing + 12 > frame.length || !/Xing|Info/.test(textAt(frame, xing, 4))) return null;
  const view = new DataView(frame.buffer, frame.byteOffset, frame.length);
  const flags = view.getUint32(xing + 4);
  const lame = xing + 8 + XING_FIELDS.reduce((sum, bytes, bit) => sum + ((flags >> bit) & 1) * bytes, 0);
  const at = lame + DELAYS_AT;
  if (at + 3 > frame.length || !/LAME|Lav[cf]/.test(textAt(frame, lame, 4))) return unknown;
  const delays = view.getUint32(at - 1) & 0xffffff;
  const [before, after] = [delays >> 12, delays & 0xfff];
  const count = flags & 1 ? view.getUint32(xing + 8) : 0;
  const skip = before + DECODER_DELAY;
  if (count === 0) return { ...unknown, skip };
  return { skip, samples: Math.max(0, count * samples - before - after), frames: count };
}
