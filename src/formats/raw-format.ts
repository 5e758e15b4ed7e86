/** Samples of 16 bits without a container. */
export interface RawFormat {
  /** In Hz; 0 if it is unknown. */
  readonly sampleRate: number;
  readonly channels: number;
  /** True if the type states another encoding than 16 bits in little-endian order, see `statedEncoding`. */
  readonly isStated: boolean;
  /** True if only the page says that these are samples, by their rate. Then they may be something else. */
  readonly isGuess: boolean;
}

/**
 * Parts of a type that state an encoding or a byte order. `audio/L16` is big-endian (RFC 2586), but popular services send it
 * little-endian. The letters before a number are those of `s8`, `u8`, `f32` and `int32`.
 */
const STATED = /l16|endian|order|law|pcm[ua]|float|[="_n-][fstu](?!16(?!b))\d|bit(?!.?rate)[^=]*="?(?!16)/i;

/**
 * Returns the format of raw samples as a Content-Type describes it, or null if audio of this type has a container.
 *
 * @param contentType - Value of a Content-Type header, or empty.
 * @param sampleRate - In Hz, of samples whose type does not give a rate.
 */
export function rawFormat(contentType: string, sampleRate = 0): RawFormat | null {
  if (!/^(?:audio\/(?:x-)?(?:l16|l?pcm|raw)|\w+\/(?:x-)?octet-stream)?\s*(?:;|$)/i.test(contentType)) return null;
  // Some services call a rate `sample-rate`, and channels `channel-count`.
  const parameter = (name: string): string | undefined =>
    new RegExp(`;\\s*(?:sample.?)?${name}[^=]*=\\s*"?([^",;]+)`, 'i').exec(contentType)?.[1];
  const isStated = STATED.test(contentType);
  return {
    sampleRate: Number(parameter('rate')) || sampleRate,
    channels: Number(parameter('channel') ?? 1),
    isStated,
    isGuess: !isStated && !/^audio/i.test(contentType),
  };
}

/** Returns true if audio may have this many channels. */
export function isChannelCount(channels: number): boolean {
  return Number.isInteger(channels) && channels > 0 && channels <= 32;
}
