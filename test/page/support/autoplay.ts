/**
 * Makes the page report that it may play. The browser of the tests lets every page play, but Chromium, unlike Firefox,
 * has no API that reports it. A speaker would then treat a context that starts slowly, as on a busy machine, as one
 * that waits for a gesture.
 */

type Policy = 'allowed' | 'disallowed';

let policy: Policy = 'allowed';
Object.defineProperty(navigator, 'getAutoplayPolicy', { value: () => policy, configurable: true });

/** Sets the policy that the page reports from now on. */
export function setAutoplayPolicy(reported: Policy): void {
  policy = reported;
}
