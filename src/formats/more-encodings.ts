import { beginsWithFile } from './find-audio.js';
import { areFloats } from './float-samples.js';
import { countZeros, DOUBTED_BYTES } from './raw-parser.js';
import { type Encoding, ENCODINGS } from './sample-decoder.js';
import { UnsupportedFormat } from './unsupported-format.js';
import type { WavFormat } from './wav-parser.js';
import { isChannelCount } from './raw-format.js';

/** Returns the encoding of samples that are those of another one in the reverse order of bytes. */
export function bigEndian({ bytes, read }: Encoding): Encoding {
  const sample = new DataView(new ArrayBuffer(bytes));
  return {
    bytes,
    read: (view, at) => {
      for (let i = 0; i < bytes; i++) sample.setUint8(i, view.getUint8(at + bytes - 1 - i));
      return read(sample, 0);
    },
  };
}

/** Encodings of telephones and sound cards, see `ENCODINGS`: 8 and 32 bits, doubles, A-law and mu-law (ITU-T G.711). */
export const MORE_ENCODINGS: Readonly<Record<string, Encoding>> = {
  '1/8': { bytes: 1, read: (view, at) => (view.getUint8(at) - 128) * 256 },
  '1/32': { bytes: 4, read: (view, at) => view.getInt32(at, true) / 65_536 },
  '3/64': { bytes: 8, read: (view, at) => view.getFloat64(at, true) * 32_768 },
  '6/8': {
    bytes: 1,
    read: (view, at) => {
      const code = view.getUint8(at) ^ 0x55;
      const step = (code & 15) * 16 + 8;
      const segment = (code >> 4) & 7;
      const level = segment > 0 ? (step + 256) << (segment - 1) : step;
      return code > 127 ? level : -level;
    },
  },
  '7/8': {
    bytes: 1,
    read: (view, at) => {
      const code = ~view.getUint8(at) & 255;
      const level = (((code & 15) * 8 + 132) << ((code >> 4) & 7)) - 132;
      return code > 127 ? -level : level;
    },
  },
};

/** Sample rates in Hz that can be converted to another one. */
const RATES = { min: 4000, max: 384_000 } as const;

/** Names of encodings that are not decoded, by `wFormatTag`. */
const NAMES: Readonly<Record<number, string>> = {
  2: 'ADPCM',
  17: 'IMA ADPCM',
  49: 'GSM',
  69: 'G.726',
  80: 'MP2',
  85: 'MP3',
  255: 'AAC',
  0x161: 'WMA',
  0x566f: 'Vorbis',
  0x6751: 'Vorbis',
  0x704f: 'Opus',
  0xf1ac: 'FLAC',
  0xfffe: 'an encoding that its header does not name (WAVE_FORMAT_EXTENSIBLE)',
};

/**
 * Returns the encoding of a WAV file, see `EncodingOf`. Some writers call floats integers, or state the bits of the samples
 * from which mu-law or A-law was made.
 *
 * @throws {UnsupportedFormat} If it is not decoded.
 */
export function encodingOf(
  { tag, bits, channels, sampleRate }: WavFormat,
  _before: number,
  samples: Uint8Array | null,
  isEnd: boolean,
): Encoding | 'file' | null {
  const isLaw = tag === 6 || tag === 7;
  const key = `${tag}/${isLaw ? 8 : bits}`;
  const encoding = ENCODINGS[key] ?? MORE_ENCODINGS[key];
  if (!encoding) throw new UnsupportedFormat(`WAV with ${NAMES[tag] ?? `samples of ${bits} bits in encoding ${tag}`}`);
  if (!isChannelCount(channels)) throw new UnsupportedFormat(`WAV of ${channels} channels`);
  if (sampleRate < RATES.min || sampleRate > RATES.max) throw new UnsupportedFormat(`WAV of ${sampleRate} Hz`);
  if (!samples) return encoding;
  const isFile = beginsWithFile(samples, isEnd);
  if (isFile === null) return null;
  if (isFile) return 'file';
  if (tag !== 1 || bits % 16 > 0) return encoding;
  const zeros = countZeros(samples);
  const isFloat = zeros <= DOUBTED_BYTES && areFloats(samples.subarray(zeros), isEnd);
  return isFloat === null ? null : isFloat ? ENCODINGS['3/32']! : encoding;
}
