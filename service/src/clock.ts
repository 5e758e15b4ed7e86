/** Time as the service sees it, so that tests can turn it. Main thread. */
export interface Clock {
  /** Milliseconds since 1970. */
  now(): number;
  /** Milliseconds since any instant, with fractions; never jumps, whatever is done to the machine's date. */
  elapsed(): number;
  /**
   * Calls `run` once, `delayMs` from now.
   *
   * @returns Calls it off; harmless afterwards.
   */
  after(delayMs: number, run: () => void): () => void;
}

/** The machine's own time. Its timers do not keep the process alive. */
export const systemClock: Clock = {
  now: () => Date.now(),
  elapsed: () => performance.now(),
  after(delayMs, run) {
    const timer = setTimeout(run, delayMs).unref();
    return () => clearTimeout(timer);
  },
};
