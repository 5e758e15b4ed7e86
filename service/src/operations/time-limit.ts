import type { Clock } from '../clock.js';

/**
 * Waits for something, but not for ever.
 *
 * @param limitMs - How long, in ms. What is waited for goes on after that; what becomes of it is no longer of interest.
 * @param what - What is waited for, for the error.
 * @returns What `promise` resolves with.
 * @throws {Error} What `promise` rejects with, or that it took too long.
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
