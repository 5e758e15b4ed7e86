const FIRST_DELAY_MS = 250;
/** Relative spread, so that many clients that failed at the same time do not retry at the same time. */
const JITTER = 0.2;

/**
 * Returns the delay before another attempt: 250 ms, doubled each time, with a random spread of 20 %.
 *
 * @param retry - Number of the retry, from 1.
 * @param random - Random number in [0, 1).
 * @param longestMs - Limit in ms, before the spread.
 * @returns Milliseconds.
 */
export function retryDelayMs(retry: number, random: number, longestMs = Number.POSITIVE_INFINITY): number {
  return Math.min(FIRST_DELAY_MS * 2 ** (retry - 1), longestMs) * (1 + JITTER * (2 * random - 1));
}
