/** @throws {Error} Which says what to do about a device that does not start. */
export function noDevice(): never {
  throw new Error('No sound device starts: connect one, or close what keeps it busy, and play again.');
}

/** @throws {Error} Which says what it takes to have an AudioWorklet. */
export function noBackend(): never {
  throw new Error(
    'This page has no AudioWorklet. Browsers offer it on secure pages only: serve the page over https, or from localhost.',
  );
}
