import type { AudioBackend } from './audio-backend.js';
import { throwNoWorklet } from './output-errors.js';

/**
 * Loads standardized-audio-context, which is larger than all of this package.
 *
 * @throws {Error} If the library has no AudioWorklet here either.
 */
export async function standardizedBackend(): Promise<AudioBackend> {
  const library = await import('standardized-audio-context');
  // The library has type declarations of its own. What is used here has the same shape as in the browser's.
  const Context = library.AudioContext as unknown as typeof AudioContext;
  const Node = library.AudioWorkletNode as unknown as typeof AudioWorkletNode | undefined;
  if (!Node) return throwNoWorklet();
  return {
    name: 'standardized',
    createContext: () => new Context({ latencyHint: 'interactive' }),
    createNode: (context, name, options) => new Node(context, name, options),
  };
}
