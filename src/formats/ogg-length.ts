/** A page of a stream. */
export interface Page {
  /** Number of samples at 48 kHz since the beginning of the stream, after this page; -1n if no packet ends on it. */
  readonly granule: bigint;
  readonly isLast: boolean;
  /** Samples of the packets that end on it. */
  samples: number;
  /** Samples of the latest of these packets. */
  latest: number;
}

/**
 * Finds the length of a stream. The position of its last page says how many samples the encoder has added. These can only
 * be in that page (RFC 7845, 4.4), and only if the encoder counts samples as it should.
 */
export class OggLength {
  /** Samples of the track so far. */
  total: number;
  /** Samples of this stream so far, and the position that the latest page reports. */
  #samples = 0;
  #granule = 0;
  /** True if pages report positions that agree with their samples, false if they do not; null if that is unknown. */
  #isCounted: boolean | null = null;

  /** @param before - Samples of the track before this stream. */
  constructor(before: number) {
    this.total = before;
  }

  /** Adds a page. Returns the number of samples of the track if this is the last page and has some to leave out. */
  add({ granule, isLast, samples, latest }: Page): number | null {
    this.total += samples;
    this.#samples += samples;
    const position = Number(granule);
    // Without a page before, the position is plausible if it removes samples of one packet only.
    const added = this.#granule + samples - position;
    const most = this.#isCounted ? samples : this.#isCounted === null ? latest : 0;
    if (samples > 0 && position >= 0) {
      const isFirst = this.#samples === samples;
      // The first page of a stream that began earlier has a higher position.
      this.#isCounted = isFirst && position > samples ? null : position - this.#granule === samples;
      this.#granule = position;
    }
    return isLast && added > 0 && added < most ? this.total - added : null;
  }
}
