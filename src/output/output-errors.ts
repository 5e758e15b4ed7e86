/** Errors of the initially loaded part of this folder. Their texts are loaded on demand. */

/** @throws {Error} Always. The page has closed its own context. */
export function throwContextClosed(): never {
  throw new Error('The AudioContext is closed: set audioContext to another, or to null.');
}

/** @throws {Error} Always. A user gesture did not start the context. */
export function throwNoDevice(): never {
  throw new Error('No sound device starts: connect one, or close what keeps it busy, and play again.');
}

/** @throws {DOMException} Always. The backend's context has no `setSinkId`. */
export function throwNoSinkId(): never {
  throw new DOMException('This backend cannot choose a device.', 'NotSupportedError');
}

/** @throws {Error} Always. Neither the engine nor standardized-audio-context has an AudioWorklet here. */
export function throwNoWorklet(): never {
  throw new Error(
    'This page has no AudioWorklet. Browsers offer it on secure pages only: serve the page over https, or from localhost.',
  );
}
