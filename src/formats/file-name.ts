import { countZeros, DOUBTED_BYTES, hasLevel } from './raw-parser.js';
import { SIGNATURES, textAt } from './signature.js';

/** Bytes that the longest signature needs. */
const HEAD_BYTES = 12;
/** Names of formats by the first character of their signatures. */
const NAMES: Readonly<Record<string, string>> = {
  R: 'a WAV file',
  B: 'a WAV file',
  I: 'MP3',
  O: 'Ogg',
  f: 'FLAC',
  '\x1a': 'WebM',
};
/** Longest frame of MP3, in bytes. */
const MP3_FRAME_BYTES = 1441;
/** Number of bytes with which a name is certain: the longest frame of AAC, and the beginning of a header. */
const NAMED_BYTES = 8192 + 2;
/** Number of bytes that decide whether samples are floats. */
const FLOAT_BYTES = 256;
/** Difference between two samples, in their high bytes. */
const FAR = 16;

/**
 * Returns the name of the file format that bytes begin like. Null for raw samples, undefined if more bytes are needed.
 */
export function findFileName(bytes: Uint8Array, isEnd: boolean): string | null | undefined {
  const mayBeFrame = bytes[0] === 0xff && bytes[1] !== 0xff && bytes.length < NAMED_BYTES && !isEnd;
  return mayBeFrame ? undefined : fileNameOf(bytes);
}

/** Returns the name of the file format that bytes begin like; null for raw samples. */
export function fileNameOf(bytes: Uint8Array): string | null {
  const found = SIGNATURES.exec(textAt(bytes, 0, HEAD_BYTES));
  if (found?.index === 0) return NAMES[found[0][0]!] ?? 'a file';
  return beginsLikeMp3(bytes) ? 'MP3' : beginsLikeAac(bytes) ? 'AAC' : null;
}

/**
 * Returns true for floats of 32 bits. As samples of 16 bits, each second one would be loud, and far from the one before.
 * Null if more bytes are needed.
 */
export function beginsLikeFloats(bytes: Uint8Array, isEnd = true): boolean | null {
  const zeros = countZeros(bytes);
  const sound = bytes.subarray(zeros, zeros + FLOAT_BYTES);
  if (sound.length < FLOAT_BYTES) return isEnd || zeros > DOUBTED_BYTES ? false : null;
  let jumps = 0;
  for (let at = 3; at < FLOAT_BYTES; at += 4) {
    if (!hasLevel(sound[at])) return false;
    const step = ((sound[at]! - sound[at - 2]!) << 24) >> 24;
    if (Math.abs(step) > FAR) jumps++;
  }
  return jumps > FLOAT_BYTES / 8;
}

/**
 * Returns true for two headers of layer III with the same version, bit rate and sample rate, or for the header of an encoder.
 * Their tables, with which `readFrameHeader` finds the second one, are not in the worker.
 */
function beginsLikeMp3(bytes: Uint8Array): boolean {
  const [first, second, third = 0] = bytes;
  const isHeader = first === 0xff && (second! & 0xe6) === 0xe2 && (third & 0xf0) !== 0xf0 && (third & 0x0c) !== 0x0c;
  if (!isHeader) return false;
  if (/Xing|Info/.test(textAt(bytes, 13, 27))) return true;
  for (let at = 24; at <= MP3_FRAME_BYTES; at++) {
    if (bytes[at] === 0xff && bytes[at + 1] === second && (bytes[at + 2]! ^ third) < 4) return true;
  }
  return false;
}

/** Returns true for two headers of ADTS, the first of which has the position of the second. */
function beginsLikeAac(bytes: Uint8Array): boolean {
  const [first, second, , high = 0, middle = 0, low = 0] = bytes;
  const length = ((high & 3) << 11) | (middle << 3) | (low >> 5);
  return (
    first === 0xff && (second! & 0xf6) === 0xf0 && bytes[length] === 0xff && bytes[length + 1] === second && length > 6
  );
}
