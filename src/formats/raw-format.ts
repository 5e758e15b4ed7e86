import type { AudioParser, Pcm } from './audio-parser.js';
import { type Encoding, SampleDecoder } from './sample-decoder.js';

/** Samples of 16 bits without a container. */
export interface RawFormat {
  /** In Hz; 0 if it is unknown. */
  readonly sampleRate: number;
  readonly channels: number;
  /** Parameter of the type; undefined without it. */
  readonly endianness: string | undefined;
  /** True for `audio/L16`, which is big-endian (RFC 2586), but popular services send it little-endian. */
  readonly isL16: boolean;
}

/**
 * Returns the format of raw samples as a Content-Type describes it, or null if audio of this type has a container.
 *
 * @param contentType - Value of a Content-Type header, or empty.
 * @param sampleRate - In Hz, of samples whose type does not give a rate.
 */
export function rawFormat(contentType: string, sampleRate = 0): RawFormat | null {
  const type = /^\s*(?:audio\/(?:x-)?(l16|pcm|raw)|\w+\/octet-stream)?\s*(?:;|$)/i.exec(contentType);
  if (!type) return null;
  const parameter = (name: string): string | undefined =>
    new RegExp(`;\\s*${name}\\s*=\\s*"?([^";\\s]+)`, 'i').exec(contentType)?.[1];
  return {
    sampleRate: Number(parameter('rate')) || sampleRate,
    channels: Number(parameter('channels') ?? 1),
    endianness: parameter('endian(?:ness)?'),
    isL16: /l16/i.test(type[1]!),
  };
}

/** Returns true if audio may have this many channels. */
export function isChannelCount(channels: number): boolean {
  return Number.isInteger(channels) && channels > 0 && channels <= 32;
}

/** Parser of raw samples. */
export interface RawParser extends AudioParser {
  readonly sampleRate: number;
  readonly missing: number;
  push(bytes: Uint8Array): Pcm[];
  end(): Pcm[];
}

/** Creates a parser of raw samples. */
export function rawParser({ sampleRate, channels }: RawFormat, encoding: Encoding): RawParser {
  const decoder = new SampleDecoder(encoding, channels);
  return {
    sampleRate,
    rest: null,
    missing: 0,
    push: (bytes) => [{ sampleRate, samples: decoder.push(bytes) }],
    end: () => [],
  };
}
