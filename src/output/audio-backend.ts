/** Which implementation of Web Audio is in use. */
export type AudioBackendName = 'native' | 'standardized';

/**
 * A context of the page's own: the browser's, one of standardized-audio-context, or the one that Tone.js wraps around
 * either (`Tone.getContext()`).
 */
export type HostContext = BaseAudioContext | WrappedContext;

/** Tone.js's context. */
export interface WrappedContext {
  readonly rawContext: unknown;
  /** Makes the node by the same copy of standardized-audio-context that the context is of. */
  createAudioWorkletNode(name: string, options: AudioWorkletNodeOptions): AudioWorkletNode;
}

/** The constructors that an output needs, from the browser or from standardized-audio-context. */
export interface AudioBackend {
  readonly name: AudioBackendName;
  createContext(): AudioContext;
  createNode(context: BaseAudioContext, processorName: string, options: AudioWorkletNodeOptions): AudioWorkletNode;
}

/**
 * Gives a backend; the native one at once, so that a context can be made while the user's gesture lasts.
 * standardized-audio-context is fetched only when it is asked for, when the page's context is one of its own, or when the
 * engine has no AudioWorklet.
 *
 * @throws {Error} If the page has no AudioWorklet: the message says what it takes.
 */
export function loadBackend(
  wanted: AudioBackendName | 'auto',
  host: HostContext | null,
): AudioBackend | Promise<AudioBackend> {
  if (host && 'createAudioWorkletNode' in host) {
    const createNode: AudioBackend['createNode'] = (_, name, options) => host.createAudioWorkletNode(name, options);
    return { ...nativeBackend(), name: 'standardized', createNode };
  }
  // By name, since a context may come from another window; those of the library are plain objects.
  if (host) return /Audio/.test(Object.prototype.toString.call(host)) ? nativeBackend() : standardizedBackend();
  // Not the node: Chromium has that on pages that are not secure, too, and nothing to load its processor with.
  const native = 'AudioWorklet' in globalThis;
  return wanted === 'native' || (wanted === 'auto' && native) ? nativeBackend() : standardizedBackend();
}

function nativeBackend(): AudioBackend {
  if (!('AudioWorklet' in globalThis)) throw new Error(missing);
  return {
    name: 'native',
    createContext: () => new AudioContext({ latencyHint: 'interactive' }),
    createNode: (context, name, options) => new AudioWorkletNode(context, name, options),
  };
}

async function standardizedBackend(): Promise<AudioBackend> {
  const { standardizedBackend: load } = await import('./on-demand.js');
  const backend = await load();
  if (!backend) throw new Error(missing);
  return backend;
}

const missing =
  'This page has no AudioWorklet. Browsers offer it on secure pages only: serve the page over https, or from localhost.';
