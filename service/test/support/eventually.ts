import { setTimeout } from 'node:timers/promises';

/** Interval between two checks, in milliseconds. */
const POLL_MS = 20;

/** Time limit for a state that never occurs, in milliseconds. No test measures time with it. */
const GUARD_MS = 90_000;

/**
 * Checks the state of other processes, or of background work, until it is as expected.
 *
 * @param expectation - Expected state for the error message, such as `the slots are free`.
 * @returns The first result of `look` that is neither `false` nor `null`.
 * @throws {Error} After 90 s.
 */
export async function eventually<Seen>(
  expectation: string,
  look: () => Promise<Seen | false | null> | Seen | false | null,
): Promise<Seen> {
  const limit = performance.now() + GUARD_MS;
  for (;;) {
    const seen = await look();
    if (seen !== false && seen !== null) return seen;
    if (performance.now() > limit) throw new Error(`Not within ${GUARD_MS} ms: ${expectation}.`);
    await setTimeout(POLL_MS);
  }
}
