import type { AudioBackend } from './audio-backend.js';
import { noBackend } from './refusals.js';

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
