/** A player in the simulator: a producer's end, and an output of a quantum at a time. */
export interface Player {
  /**
   * Gives it the samples `[from, from + count)` of the speech's loop.
   *
   * @returns How many it took; the rest is offered again before the next quantum.
   */
  write(from: number, count: number): number;
  /** Everything has been written. */
  end(): void;
  /** Renders all of `block`, whose first sample is number `frame` of the output. */
  render(block: Float32Array, frame: number): void;
  /** Everything has been played. */
  readonly done: boolean;
  /** What it says of itself; a player that says nothing has none. */
  readonly counters: Counters | null;
}

/** What the speaker's player counts, at the source rate. Measured against the output, never instead of it. */
export interface Counters {
  readonly emittedSamples: number;
  readonly concealedSamples: number;
  readonly silentConcealedSamples: number;
  readonly insertedSamples: number;
  readonly removedSamples: number;
  /** Times the ring ran dry, in milliseconds of the stream. */
  readonly underruns: readonly Underrun[];
}

/** From running dry to going on. */
export interface Underrun {
  readonly fromMs: number;
  readonly toMs: number;
}
