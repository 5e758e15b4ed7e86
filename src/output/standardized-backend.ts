import type { AudioBackend } from './audio-backend.js';
import { throwNoWorklet } from './output-errors.js';

/**
 * Loads standardized-audio-context, which is larger than this whole package.
 *
 * @throws {Error} If the library has no AudioWorklet here either.
 */
export async function standardizedBackend(): Promise<AudioBackend> {
  const library = await import('standardized-audio-context');
  // The library has its own type declarations. The parts used here have the same shape as the browser's.
  const Context = library.AudioContext as unknown as typeof AudioContext;
  const Node = library.AudioWorkletNode as unknown as typeof AudioWorkletNode | undefined;
  if (!Node) return throwNoWorklet();
  return {
    name: 'standardized',
    createContext: () => new Context({ latencyHint: 'interactive' }),
    createNode: (context, name, options) => new Node(context, name, options),
  };
}
