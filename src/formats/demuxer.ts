/** The codec of a stream, as WebCodecs names it. */
export interface CodecConfig {
  readonly codec: 'mp3' | 'mp4a.40.2' | 'opus';
  /** In Hz. */
  readonly sampleRate: number;
  readonly numberOfChannels: number;
}

/** Takes a stream of compressed audio apart. Pure: no clock, no callback; linear in the bytes that it gets. */
export interface Demuxer {
  /** Null before the first packet. */
  readonly config: CodecConfig | null;
  /** Number of samples per channel that the encoder has added in front. Final with the first packet. */
  readonly skip: number;
  /** Number of samples per channel after those. The encoder has added the rest. Infinity if it is unknown. */
  readonly samples: number;
  /**
   * @param bytes - The next bytes; no view of them is kept.
   * @returns The packets that are complete now. Read it to its end before the next call.
   * @throws {UnsupportedFormat} While it is read, at most once: do not call it after that.
   */
  push(bytes: Uint8Array): Iterable<Uint8Array<ArrayBuffer>>;
}
