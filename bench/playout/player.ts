/** A player in the simulator: takes speech from a producer, and renders one quantum at a time. */
export interface Player {
  /**
   * Writes the samples `[from, from + count)` of the speech's loop.
   *
   * @returns Number of samples accepted. The rest is offered again before the next quantum.
   */
  write(from: number, count: number): number;
  /** Called when everything has been written. */
  end(): void;
  /** Renders all of `block`, which starts at output frame `frame`. */
  render(block: Float32Array, frame: number): void;
  /** True if everything has been played. */
  readonly done: boolean;
  /** The player's own statistics; null if it has none. */
  readonly counters: Counters | null;
}

/** Counters of the speaker's player, at the source rate. Compared with the output, never used in place of it. */
export interface Counters {
  readonly emittedSamples: number;
  readonly concealedSamples: number;
  readonly silentConcealedSamples: number;
  readonly insertedSamples: number;
  readonly removedSamples: number;
  /** Underruns, in milliseconds of the stream. */
  readonly underruns: readonly Underrun[];
}

/** Time from running dry to the resumption of playback. */
export interface Underrun {
  readonly fromMs: number;
  readonly toMs: number;
}
