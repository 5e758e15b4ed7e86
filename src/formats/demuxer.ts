/** The codec of a stream, named as in WebCodecs. */
export interface CodecConfig {
  readonly codec: 'mp3' | 'mp4a.40.2' | 'opus';
  /** In Hz. */
  readonly sampleRate: number;
  readonly numberOfChannels: number;
}

/** Splits a stream of compressed audio into packets. Pure: no clock, no callback; linear in the number of bytes. */
export interface Demuxer {
  /** Null before the first packet. */
  readonly config: CodecConfig | null;
  /** Number of samples per channel that the encoder has added at the beginning. Final with the first packet. */
  readonly skip: number;
  /** Number of samples per channel after `skip`. Samples after these were added by the encoder. Infinity if unknown. */
  readonly samples: number;
  /** Factor for all samples, which the encoder has stored beside them. Final with the first packet. */
  readonly gain: number;
  /**
   * @param bytes - The next bytes; no view of them is kept.
   * @returns The packets that are now complete. Iterate to the end before the next call.
   * @throws {UnsupportedFormat} During the iteration, at most once. Do not call `push` after that.
   */
  push(bytes: Uint8Array): Iterable<Uint8Array<ArrayBuffer>>;
}
