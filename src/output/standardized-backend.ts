import type { AudioBackend } from './audio-backend.js';

/**
 * Loads standardized-audio-context, which is larger than everything else together.
 *
 * @throws {Error} If not even that has an AudioWorklet here.
 */
export async function standardizedBackend(): Promise<AudioBackend> {
  const library = await import('standardized-audio-context');
  // Its types are its own; what is used here has the same shape as the browser's.
  const Context = library.AudioContext as unknown as typeof AudioContext;
  const Node = library.AudioWorkletNode as unknown as typeof AudioWorkletNode | undefined;
  if (!Node) return noBackend();
  return {
    name: 'standardized',
    createContext: () => new Context({ latencyHint: 'interactive' }),
    createNode: (context, name, options) => new Node(context, name, options),
  };
}

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
