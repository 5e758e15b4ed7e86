/** Time as the client sees it; passed in so that tests need not wait. */
export interface Clock {
  /** Milliseconds since 1970. */
  now(): number;
  /** Waits, in milliseconds; rejects with the signal's reason as soon as that aborts. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

/** The runtime's own time. */
export const systemClock: Clock = {
  now: () => Date.now(),
  sleep: (ms, signal) =>
    new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason as Error);
      const stop = () => {
        clearTimeout(timer);
        reject(signal?.reason as Error);
      };
      const timer = setTimeout(() => {
        signal?.removeEventListener('abort', stop);
        resolve();
      }, ms);
      signal?.addEventListener('abort', stop, { once: true });
    }),
};

/** First delay before another try, in milliseconds; it doubles with each. */
const FIRST_DELAY_MS = 250;

/**
 * How long to wait before another try, in milliseconds: 250, 500, 1000 and so on, each up to 20 % shorter or longer so
 * that clients that failed together do not come back together; never less than the service asks for.
 *
 * @param tries - Tries that failed so far, from 1.
 * @param random - In [0, 1).
 */
export function retryDelayMs(tries: number, retryAfterMs: number | undefined, random: number): number {
  return Math.max(FIRST_DELAY_MS * 2 ** (tries - 1) * (0.8 + 0.4 * random), retryAfterMs ?? 0);
}

/** Longest delay that is believed, in milliseconds: a day. */
const RETRY_AFTER_MAX_MS = 86_400_000;

/**
 * Reads a `Retry-After` header: seconds, or a date (RFC 9110, 10.2.3).
 *
 * @param nowMs - Milliseconds since 1970.
 * @returns Milliseconds from now, 0 to a day; `undefined` if there is none that can be read.
 */
export function parseRetryAfter(header: string | null, nowMs: number): number | undefined {
  const value = header?.trim() ?? '';
  if (/^\d+(\.\d+)?$/.test(value)) return Math.min(Number(value) * 1000, RETRY_AFTER_MAX_MS);
  const at = /^[a-z]+,? .*\d\d:\d\d:\d\d/i.test(value) ? Date.parse(value) : Number.NaN;
  return Number.isNaN(at) ? undefined : Math.min(Math.max(0, at - nowMs), RETRY_AFTER_MAX_MS);
}
