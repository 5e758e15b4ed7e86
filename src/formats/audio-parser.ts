/** The codec of a stream, named as in WebCodecs, which has no MP2. */
export interface CodecConfig {
  readonly codec: 'mp3' | 'mp2' | 'mp4a.40.2' | 'opus';
  /** In Hz. */
  readonly sampleRate: number;
  readonly numberOfChannels: number;
}

/** One file of a stream of compressed audio. A stream may have several files, one after the other. */
export interface Track {
  readonly config: CodecConfig;
  /** Number of samples per channel that the encoder has added at the beginning. */
  readonly skip: number;
  /**
   * Number of samples per channel after `skip`. Samples after these were added by the encoder. Infinity if unknown. Final
   * with the packet that has the last of these samples.
   */
  samples: number;
  /** Factor for all samples, which the encoder has stored beside them. */
  readonly gain: number;
}

/** Compressed audio for a decoder. */
export interface Packet {
  readonly track: Track;
  readonly data: Uint8Array<ArrayBuffer>;
}

/** Mono samples of 16 bits. */
export interface Pcm {
  /** In Hz. */
  readonly sampleRate: number;
  readonly samples: Int16Array<ArrayBuffer>;
}

export type Part = Packet | Pcm;

/**
 * Splits a stream into packets or samples. Pure: no clock, no callback; linear in the number of bytes. The lengths of the
 * pieces do not change the result.
 */
export interface AudioParser {
  /**
   * Bytes from which on this parser does not read the stream, because another file begins there; null while there are
   * none. The parser is not used again then.
   */
  readonly rest: Uint8Array<ArrayBuffer> | null;
  /**
   * Iterate the result to its end before the next call.
   *
   * @param bytes - The next bytes; no view of them is kept.
   * @param isEnd - True if no more bytes follow.
   * @throws {UnsupportedFormat} During the iteration, at most once. Do not use the parser after that.
   */
  push(bytes: Uint8Array, isEnd: boolean): Iterable<Part>;
}
