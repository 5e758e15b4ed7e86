/** An implementation of Web Audio. */
export type AudioBackendName = 'native' | 'standardized';

/** Constructors from the browser or from standardized-audio-context. */
export interface AudioBackend {
  readonly name: AudioBackendName;
  createContext(): AudioContext;
  createNode(context: BaseAudioContext, processorName: string, options: AudioWorkletNodeOptions): AudioWorkletNode;
}

/** A context, and the backend that creates nodes for it. */
export interface AudioGraph {
  readonly context: AudioContext;
  readonly backend: AudioBackend;
}

/** A context of the page: native, of standardized-audio-context, or a wrapper of Tone.js (`Tone.getContext()`). */
export type HostContext = BaseAudioContext | WrappedContext;

/** Tone.js's context. */
export interface WrappedContext {
  readonly rawContext: unknown;
  /** Creates the node with the copy of standardized-audio-context that created the context. */
  createAudioWorkletNode(name: string, options: AudioWorkletNodeOptions): AudioWorkletNode;
}
