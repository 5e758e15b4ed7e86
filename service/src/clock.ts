/** Source of time and timers, which tests replace. Main thread. */
export interface Clock {
  /** Milliseconds since 1970. */
  now(): number;
  /** Milliseconds since an arbitrary instant, with fractions. Monotonic: independent of changes of the system time. */
  elapsed(): number;
  /**
   * Calls `run` once, after `delayMs`.
   *
   * @returns Cancels the call; has no effect afterwards.
   */
  after(delayMs: number, run: () => void): () => void;
}

/** The clock of the system. Its timers do not keep the process alive. */
export const systemClock: Clock = {
  now: () => Date.now(),
  elapsed: () => performance.now(),
  after(delayMs, run) {
    const timer = setTimeout(run, delayMs).unref();
    return () => clearTimeout(timer);
  },
};
