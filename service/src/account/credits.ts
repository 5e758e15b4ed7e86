import { AccountError } from './account-error.js';

/** Maximum credits of an account and of one grant: about 31 years. */
export const CREDITS_MAX = 1_000_000_000;

/**
 * Converts credits to milliseconds of an open socket, the internal unit.
 *
 * @param credits - Seconds of an open socket: 0 to {@link CREDITS_MAX}, with up to 3 decimals.
 * @throws {AccountError} If `credits` is any other value.
 */
export function creditsToMs(credits: number): number {
  const ms = Math.round(credits * 1000);
  // The division rounds as the parser does. The two are equal exactly if `credits` has at most 3 decimals.
  if (credits >= 0 && credits <= CREDITS_MAX && ms / 1000 === credits) return ms;
  throw new AccountError(
    `Credits are seconds: a number from 0 to ${CREDITS_MAX} with up to 3 decimals, not ${String(credits).slice(0, 30)}.`,
  );
}

/** Converts milliseconds of an open socket to credits, in seconds; below 0 for usage. */
export function msToCredits(ms: number): number {
  return ms / 1000;
}
