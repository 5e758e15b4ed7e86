const FIRST_DELAY_MS = 250;
const LONGEST_DELAY_MS = 4000;
const JITTER = 0.2;

/**
 * How long to wait before a failed socket is tried again: 250 ms, then twice as long each time up to 4 s, give or take
 * 20 % so that many pages do not come back at the same moment.
 *
 * @param attempt - Which retry this will be, from 1.
 * @param random - In [0, 1).
 * @returns Milliseconds.
 */
export function retryDelayMs(attempt: number, random: number): number {
  const delay = Math.min(FIRST_DELAY_MS * 2 ** (attempt - 1), LONGEST_DELAY_MS);
  return delay * (1 + JITTER * (2 * random - 1));
}
