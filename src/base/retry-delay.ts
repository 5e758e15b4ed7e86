const FIRST_DELAY_MS = 250;
/** Relative spread, so that many clients that failed together do not come back together. */
const JITTER = 0.2;

/**
 * Delay before another attempt: 250 ms, doubled each time, with a spread of 20 %.
 *
 * @param retry - Number of the retry, from 1.
 * @param random - In [0, 1).
 * @param longestMs - Limit, before the spread.
 * @returns Milliseconds.
 */
export function retryDelayMs(retry: number, random: number, longestMs = Number.POSITIVE_INFINITY): number {
  return Math.min(FIRST_DELAY_MS * 2 ** (retry - 1), longestMs) * (1 + JITTER * (2 * random - 1));
}
