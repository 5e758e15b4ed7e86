import { OutputError } from './output-error.js';

/** Which implementation of Web Audio is in use. */
export type AudioBackendName = 'native' | 'standardized';

/** The constructors that an output needs, from the browser or from standardized-audio-context. */
export interface AudioBackend {
  readonly name: AudioBackendName;
  createContext(): AudioContext;
  createNode(context: AudioContext, processorName: string, options: AudioWorkletNodeOptions): AudioWorkletNode;
}

/**
 * Gives a backend; the native one at once, so that a context can be made while the user's gesture lasts.
 * standardized-audio-context is fetched only when it is asked for, or when the engine has no AudioWorklet of its own.
 *
 * @throws {OutputError} If the page has no AudioWorklet: the message says what it takes.
 */
export function loadBackend(wanted: AudioBackendName | 'auto'): AudioBackend | Promise<AudioBackend> {
  const native = 'AudioWorkletNode' in globalThis;
  if (wanted === 'native' || (wanted === 'auto' && native)) return nativeBackend();
  return standardizedBackend();
}

function nativeBackend(): AudioBackend {
  if (!('AudioWorkletNode' in globalThis)) throw new OutputError(missing);
  return {
    name: 'native',
    createContext: () => new AudioContext({ latencyHint: 'interactive' }),
    createNode: (context, name, options) => new AudioWorkletNode(context, name, options),
  };
}

async function standardizedBackend(): Promise<AudioBackend> {
  const library = await import('standardized-audio-context');
  // Its types are its own; what is used here has the same shape as the browser's.
  const Context = library.AudioContext as unknown as typeof AudioContext;
  const Node = library.AudioWorkletNode as unknown as typeof AudioWorkletNode | undefined;
  if (!Node) throw new OutputError(missing);
  return {
    name: 'standardized',
    createContext: () => new Context({ latencyHint: 'interactive' }),
    createNode: (context, name, options) => new Node(context, name, options),
  };
}

const missing =
  'This page has no AudioWorklet. Browsers offer it on secure pages only: serve the page over https, or from localhost.';
