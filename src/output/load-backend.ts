import type { AudioBackend, AudioBackendName, HostContext } from './audio-backend.js';
import { hasAudioWorklet } from './engine-quirks.js';

/** Name of the performance mark that is set before a context is made. Read by context-watch.ts. */
const CONTEXT_MARK = 'svc-speaker context';

const native: AudioBackend = {
  name: 'native',
  createContext: () => {
    (performance as Partial<Performance>).mark?.(CONTEXT_MARK); // jsdom has no marks.
    return new AudioContext();
  },
  createNode: (context, name, options) => new AudioWorkletNode(context, name, options),
};

/**
 * Returns a backend. The native one is returned synchronously, so that a context can be created within the user's
 * gesture. standardized-audio-context is fetched if the page requests it, if the page's context belongs to it, or if
 * the engine has no AudioWorklet.
 *
 * Main thread.
 *
 * @throws {Error} If the page has no AudioWorklet; the message explains the remedy.
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
  // Compares the name, because a native context may come from another window. A context of the library is a plain
  // object.
  const isNative = host
    ? /Audio/.test(Object.prototype.toString.call(host))
    : wanted === 'native' || (wanted === 'auto' && hasWorklet);
  if (isNative && hasWorklet) return native;
  return import('./on-demand.js').then((module) => (isNative ? module.throwNoWorklet() : module.standardizedBackend()));
}
