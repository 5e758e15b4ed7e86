/**
 * Has the page report that it may play. The tests' browser lets every page play, but Chromium, unlike Firefox, has no way to
 * say so: a speaker takes a context that is slow to start, as on a busy machine, for one that waits for a gesture.
 */

type Policy = 'allowed' | 'disallowed';

let policy: Policy = 'allowed';
Object.defineProperty(navigator, 'getAutoplayPolicy', { value: () => policy, configurable: true });

/** What the page reports from now on. */
export function setAutoplayPolicy(reported: Policy): void {
  policy = reported;
}
