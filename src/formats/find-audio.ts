import { beginsWithFrames } from './frame-demuxer.js';
import { readFrameHeader } from './frame-header.js';
import { countZeros, DOUBTED_BYTES } from './raw-parser.js';
import { isFile, SIGNATURE_BYTES, SIGNATURES, tagLength, textAt } from './signature.js';

/** Number of frames that must follow each other. */
const FRAMES = 4;
/** A place where a file may begin. */
const STARTS = new RegExp(`${SIGNATURES.source}|\xff`, 'g');

/**
 * Finds a file behind bytes that may be raw samples. Zeros at the beginning do not count.
 *
 * @returns Its position; -1 if there is none, or null if more bytes are needed.
 */
export function findAudio(bytes: Uint8Array, isEnd: boolean): number | null {
  const zeros = countZeros(bytes);
  if (bytes.length < zeros + DOUBTED_BYTES && !isEnd) return null;
  for (const { 0: start, index } of textAt(bytes, zeros, DOUBTED_BYTES).matchAll(STARTS)) {
    const at = zeros + index;
    const head = bytes.subarray(at);
    const isFound = start.length > 1 ? isFile(head) || tagLength(head) > SIGNATURE_BYTES : beginsWithSound(head, isEnd);
    if (isFound === null) return null;
    if (isFound) return at;
  }
  return -1;
}

/** Returns true if bytes of a WAV file that should be samples begin with another file; null if more bytes are needed. */
export function beginsWithFile(bytes: Uint8Array, isEnd: boolean): boolean | null {
  return SIGNATURES.exec(textAt(bytes, 0, SIGNATURE_BYTES))?.index === 0 || beginsWithSound(bytes, isEnd);
}

/**
 * Returns true if bytes begin with frames of MP3 or AAC, null if more are needed. A tone may repeat the header of a frame,
 * but then it repeats the whole frame.
 */
function beginsWithSound(bytes: Uint8Array, isEnd: boolean): boolean | null {
  const isFrames = beginsWithFrames(bytes, FRAMES, false);
  if (!isFrames) return isFrames ?? (isEnd ? false : null);
  const { length } = readFrameHeader(bytes)!;
  return bytes.subarray(0, length).some((byte, i) => byte !== bytes[length + i]);
}
