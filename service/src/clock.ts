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

/**
 * The clock of the system. Its timers do not keep the process alive. They run after what has arrived: a time limit does not
 * expire because this process was blocked and has not read the answer yet.
 */
export const systemClock: Clock = {
  now: () => Date.now(),
  elapsed: () => performance.now(),
  after(delayMs, run) {
    let due: NodeJS.Immediate | undefined;
    const timer = setTimeout(() => (due = setImmediate(run)), delayMs).unref();
    return () => {
      clearTimeout(timer);
      clearImmediate(due);
    };
  },
};

/**
 * Waits for a promise, up to a time limit.
 *
 * @param limitMs - Time limit, in ms. The work behind `promise` continues after it, and its outcome is ignored.
 * @param what - Description of the work, for the message.
 * @returns The value of `promise`.
 * @throws {Error} The reason with which `promise` rejects, or an error that it took too long.
 */
export function withTimeLimit<Result>(
  promise: Promise<Result>,
  limitMs: number,
  clock: Clock,
  what: string,
): Promise<Result> {
  return new Promise((resolve, reject) => {
    const callOff = clock.after(limitMs, () => reject(new Error(`${what} took more than ${limitMs} ms.`)));
    promise.then(resolve, reject).finally(callOff);
  });
}
