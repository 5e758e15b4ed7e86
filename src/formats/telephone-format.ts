import { MORE_ENCODINGS } from './more-encodings.js';
import { type RawFormat, rawFormat } from './raw-format.js';
import { type Encoding, ENCODINGS } from './sample-decoder.js';

/** Rate of telephones in Hz, if the type gives none (RFC 3551). */
const TELEPHONE_RATE = 8000;
/** Number of bytes that decide between encodings. */
const HEAD_BYTES = 4096;
/** Samples of 16 bits up to this magnitude are silence. */
const QUIET = 16;

const [MU_LAW, A_LAW, LINEAR] = [MORE_ENCODINGS['7/8']!, MORE_ENCODINGS['6/8']!, ENCODINGS['1/16']!];

/**
 * Types of raw samples, and their encodings: mu-law and A-law (ITU-T G.711). `audio/PCMU` and `audio/PCMA` are of RFC 3551.
 * `audio/basic` is mu-law (RFC 2046), but a service gives raw samples of any encoding this type.
 */
const TYPES: readonly (readonly [RegExp, readonly Encoding[]])[] = [
  [/^audio\/basic\b/i, [MU_LAW, A_LAW, LINEAR]],
  [/^audio\/(?:x-)?(?:pcmu|m?u-?law)(?:-basic)?\b/i, [MU_LAW]],
  [/^audio\/(?:x-)?(?:pcma|a-?law)(?:-basic)?\b/i, [A_LAW]],
];

/** Raw samples of a type that comes from telephones. */
export interface TelephoneFormat extends RawFormat {
  /** Those that they may have. */
  readonly encodings: readonly Encoding[];
}

/**
 * Returns the format of raw samples of a telephone as a Content-Type describes it, or null if it is no such type.
 *
 * @param sampleRate - In Hz, of samples whose type does not give a rate.
 */
export function telephoneFormat(contentType: string, sampleRate: number | undefined): TelephoneFormat | null {
  const [type, encodings] = TYPES.find(([one]) => one.test(contentType)) ?? [];
  const format = type && rawFormat(contentType.replace(type, 'audio/pcm'), sampleRate);
  return format && encodings ? { ...format, encodings } : null;
}

/**
 * Returns the encoding in which samples are smoothest, with their rate. Null if more bytes are needed.
 *
 * @returns The rate is 0 if it is unknown.
 */
export function decideEncoding(
  { encodings, sampleRate, channels }: TelephoneFormat,
  bytes: Uint8Array,
  isEnd: boolean,
): { encoding: Encoding; sampleRate: number } | null {
  if (encodings.length > 1 && bytes.length < HEAD_BYTES && !isEnd) return null;
  const found = encodings.map((encoding) => ({ encoding, roughness: roughnessOf(bytes, encoding, channels) }));
  const { encoding } = found.reduce((best, one) => (one.roughness < best.roughness ? one : best));
  return { encoding, sampleRate: sampleRate || (encoding === LINEAR ? 0 : TELEPHONE_RATE) };
}

/** Returns how much neighbouring samples differ, and how far their mean is from 0, in proportion to their level. */
function roughnessOf(bytes: Uint8Array, { bytes: width, read }: Encoding, channels: number): number {
  const view = new DataView(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, HEAD_BYTES));
  let [steps, sum, level] = [0, 0, 0];
  for (let at = width * channels; at + width <= view.byteLength; at += width) {
    const value = read(view, at);
    steps += Math.abs(value - read(view, at - width * channels));
    sum += value;
    level += Math.abs(value) + QUIET;
  }
  return (steps + Math.abs(sum)) / (level || 1);
}
