/** Time and timers, in milliseconds. Passed as an argument so that tests can control them. */
export interface Clock {
  /** Milliseconds since the epoch, with fractions; never goes back. */
  now(): number;
  /**
   * Calls `action` once, after `ms` milliseconds.
   *
   * @returns A function that cancels the timer. It has no effect after `action` was called.
   */
  after(ms: number, action: () => void): () => void;
}
