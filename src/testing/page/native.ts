/** Functions of Web Audio that the recorder replaces. */
interface NativeFunctions {
  readonly AudioContext: typeof AudioContext;
  readonly connect: (to: unknown, ...ports: unknown[]) => unknown;
  readonly disconnect: (...from: unknown[]) => void;
  readonly addModule: (...module: unknown[]) => Promise<void>;
}

/** The browser's own functions, kept before the recorder replaces them. */
export const native: NativeFunctions = {
  AudioContext: globalThis.AudioContext,
  connect: Reflect.get(AudioNode.prototype, 'connect') as NativeFunctions['connect'],
  disconnect: Reflect.get(AudioNode.prototype, 'disconnect'),
  addModule: Reflect.get(AudioWorklet.prototype, 'addModule') as NativeFunctions['addModule'],
};
