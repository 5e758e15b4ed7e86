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
    return { ...native, name: 'standardized', createNode };
  }
  // Not the node: Chromium has that on pages that are not secure, too, and nothing to load its processor with.
  const able = 'AudioWorklet' in globalThis;
  // By name, since a context may come from another window; those of the library are plain objects.
  const fits = host
    ? /Audio/.test(Object.prototype.toString.call(host))
    : wanted === 'native' || (wanted === 'auto' && able);
  if (fits && able) return native;
  return import('./on-demand.js').then((late) => (fits ? late.noBackend() : late.standardizedBackend()));
}

const native: AudioBackend = {
  name: 'native',
  createContext: () => new AudioContext({ latencyHint: 'interactive' }),
  createNode: (context, name, options) => new AudioWorkletNode(context, name, options),
};
