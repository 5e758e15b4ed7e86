/** The client's clock; passed in so that tests need not wait. */
export interface Clock {
  /** Milliseconds since 1970. */
  now(): number;
  /** Waits `ms` milliseconds. Rejects with the signal's reason as soon as the signal aborts. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

/** The runtime's own clock. */
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

/** Upper limit of `Retry-After`, in milliseconds: one day. Longer values are clamped. */
const RETRY_AFTER_MAX_MS = 86_400_000;

/**
 * Reads a `Retry-After` header: seconds, or a date (RFC 9110, 10.2.3).
 *
 * @param nowMs - Milliseconds since 1970.
 * @returns Milliseconds from now, 0 to one day; `undefined` if the header is missing or cannot be read.
 */
export function parseRetryAfter(header: string | null, nowMs: number): number | undefined {
  const value = String(header);
  if (/^\d+(\.\d+)?$/.test(value)) return Math.min(Number(value) * 1000, RETRY_AFTER_MAX_MS);
  // The date of asctime() has no time zone, and is in GMT, too.
  const at = /^[a-z].*\d\d:\d\d:\d\d/i.test(value) ? Date.parse(value.replace(/\d$/, '$& GMT')) : Number.NaN;
  return Number.isNaN(at) ? undefined : Math.min(Math.max(0, at - nowMs), RETRY_AFTER_MAX_MS);
}
