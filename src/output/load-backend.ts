import type { AudioBackend, AudioBackendName, HostContext } from './audio-backend.js';
import { hasAudioWorklet } from './engine-quirks.js';

const native: AudioBackend = {
  name: 'native',
  createContext: () => new AudioContext({ latencyHint: 'interactive' }),
  createNode: (context, name, options) => new AudioWorkletNode(context, name, options),
};

/**
 * Returns a backend. The native one is returned at once, so that a context can be made within the user's gesture.
 * standardized-audio-context is fetched if the page asks for it, if the page's context is one of its own, or if the engine
 * has no AudioWorklet.
 *
 * Main thread.
 *
 * @throws {Error} If the page has no AudioWorklet; the message says what to do.
 */
export function loadBackend(
  wanted: AudioBackendName | 'auto',
  host: HostContext | null,
): AudioBackend | Promise<AudioBackend> {
  if (host && 'createAudioWorkletNode' in host) {
    const createNode: AudioBackend['createNode'] = (_, name, options) => host.createAudioWorkletNode(name, options);
    return { ...native, name: 'standardized', createNode };
  }
  const hasWorklet = hasAudioWorklet();
  // By name, because a native context may come from another window. A context of the library is a plain object.
  const isNative = host
    ? /Audio/.test(Object.prototype.toString.call(host))
    : wanted === 'native' || (wanted === 'auto' && hasWorklet);
  if (isNative && hasWorklet) return native;
  return import('./on-demand.js').then((late) => (isNative ? late.throwNoWorklet() : late.standardizedBackend()));
}
