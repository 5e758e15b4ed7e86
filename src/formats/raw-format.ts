/** Samples of 16 bits without a container. */
export interface RawFormat {
  /** In Hz; 0 if it is unknown. */
  readonly sampleRate: number;
  readonly channels: number;
  /**
   * Byte order, if the type gives one: `big-endian`, `little-endian`, or `true` and `false` for `is-big-endian`. `l16` for
   * `audio/L16` without one: it is big-endian (RFC 2586), but popular services send it little-endian. Empty for other
   * types, which are little-endian.
   */
  readonly endianness: string;
  /** True if only the page says that these are samples, by their rate. Then they may be something else. */
  readonly isGuess: boolean;
}

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
    new RegExp(`;\\s*(?:sample.?)?${name}[^=]*="?([^",;\\s]+)`, 'i').exec(contentType)?.[1];
  return {
    sampleRate: Number(parameter('rate')) || sampleRate,
    channels: Number(parameter('channel') ?? 1),
    isGuess: !/^audio/i.test(contentType),
    endianness: parameter('(?:is-big-)?endian') ?? /l16/i.exec(contentType)?.[0] ?? '',
  };
}

/** Returns true if audio may have this many channels. */
export function isChannelCount(channels: number): boolean {
  return Number.isInteger(channels) && channels > 0 && channels <= 32;
}
