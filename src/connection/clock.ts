/** Time as the session sees it: passed in, so that a test can own it. */
export interface Clock {
  /** Milliseconds since the epoch, with fractions; never goes back. */
  now(): number;
  /**
   * Calls `action` once, `ms` milliseconds from now.
   *
   * @returns Calls it off; does nothing once it has been called.
   */
  after(ms: number, action: () => void): () => void;
}

/** The clock of the thread it is called on. */
export const threadClock: Clock = {
  now: () => performance.timeOrigin + performance.now(),
  after(ms, action) {
    const timer = setTimeout(action, ms);
    return () => clearTimeout(timer);
  },
};
