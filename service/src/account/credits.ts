import { AccountError } from './account-error.js';

/** Most credits that an account may have, and that may be given at once: about 31 years. */
export const CREDITS_MAX = 1_000_000_000;

/**
 * Credits as they are counted inside, in milliseconds of an open socket.
 *
 * @param credits - Seconds of an open socket: 0 to {@link CREDITS_MAX}, with up to 3 decimals.
 * @throws {AccountError} If they are something else.
 */
export function creditsToMs(credits: number): number {
  const ms = Math.round(credits * 1000);
  // Dividing gives the number that is nearest to the decimals, as reading them did: the same one if there were no more.
  if (credits >= 0 && credits <= CREDITS_MAX && ms / 1000 === credits) return ms;
  throw new AccountError(
    `Credits are seconds: a number from 0 to ${CREDITS_MAX} with up to 3 decimals, not ${String(credits).slice(0, 30)}.`,
  );
}

/** Credits as they are shown, in seconds; below 0 for what was used. */
export function msToCredits(ms: number): number {
  return ms / 1000;
}
