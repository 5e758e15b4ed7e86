import type { Clock } from '../clock.js';

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
