import type { AudioParser, Pcm } from './audio-parser.js';
import { type Encoding, SampleDecoder } from './sample-decoder.js';

/** Samples of 16 bits without a container. */
export interface RawFormat {
  /** In Hz; 0 if it is unknown. */
  readonly sampleRate: number;
  readonly channels: number;
  /** Byte order; null if the samples decide. */
  readonly isLittleEndian: boolean | null;
}

/**
 * Returns the format of raw samples as a Content-Type describes it, or null if audio of this type has a container.
 *
 * `audio/L16` is big-endian (RFC 2586), but popular services send it little-endian. So without `endianness`, its samples
 * decide.
 *
 * @param contentType - Value of a Content-Type header, or empty.
 * @param sampleRate - In Hz, of samples whose type does not give a rate.
 */
export function rawFormat(contentType: string, sampleRate = 0): RawFormat | null {
  const type = /^\s*(?:audio\/(?:x-)?(l16|pcm|raw)|\w+\/octet-stream)?\s*(?:;|$)/i.exec(contentType);
  if (!type) return null;
  const parameter = (name: string): string | undefined =>
    new RegExp(`;\\s*${name}\\s*=\\s*"?([^";\\s]+)`, 'i').exec(contentType)?.[1];
  const order = parameter('endian(?:ness)?');
  return {
    sampleRate: Number(parameter('rate')) || sampleRate,
    channels: Number(parameter('channels') ?? 1),
    isLittleEndian: order ? /^l/i.test(order) : /l16/i.test(type[1]!) ? null : true,
  };
}

/** Returns true if audio may have this many channels. */
export function isChannelCount(channels: number): boolean {
  return Number.isInteger(channels) && channels > 0 && channels <= 32;
}

/** Decodes raw samples. */
export class RawParser implements AudioParser {
  readonly rest = null;
  readonly missing = 0;
  readonly sampleRate: number;
  readonly #decoder: SampleDecoder;

  constructor({ sampleRate, channels }: RawFormat, encoding: Encoding) {
    this.sampleRate = sampleRate;
    this.#decoder = new SampleDecoder(encoding, channels);
  }

  push(bytes: Uint8Array): Pcm[] {
    return [{ sampleRate: this.sampleRate, samples: this.#decoder.push(bytes) }];
  }

  end(): Pcm[] {
    return [];
  }
}
