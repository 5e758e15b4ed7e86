/**
 * Records the samples that reach the destination of every audio context of the page, and sets the sample rate of new
 * contexts. Must be imported before a context is created.
 */

const processor = `
const register = registerProcessor;
let running = 0;
globalThis.registerProcessor = (name, Processor) => register(name, class extends Processor {
  constructor(options) {
    super(options);
    running++;
  }
  process(...args) {
    const goesOn = super.process(...args);
    if (!goesOn) running--;
    return goesOn;
  }
});
register('tap', class extends AudioWorkletProcessor {
  constructor() {
    super();
    this.blocks = [];
    this.end = 0;
    this.port.onmessage = () => {
      this.port.postMessage({ blocks: this.blocks.splice(0), end: this.end, running });
    };
  }
  process([input]) {
    this.end = currentFrame + 128;
    this.blocks.push(input[0] ? input[0].slice() : new Float32Array(128));
    return true;
  }
});`;

/** Response of the tap. */
interface Taped {
  /** One block per render quantum, in order. (Chromium's currentFrame may repeat while the graph changes.) */
  readonly blocks: readonly Float32Array[];
  /** Frame of the context after the last block. */
  readonly end: number;
  /** Number of processors that have not ended, without the tap. */
  readonly running: number;
}

type Connect = (this: AudioNode, target: AudioNode | AudioParam, ...rest: number[]) => AudioNode;
type Disconnect = (this: AudioNode, ...from: unknown[]) => void;
type AddModule = (this: AudioWorklet, ...module: Parameters<AudioWorklet['addModule']>) => Promise<void>;

const native: {
  AudioContext: typeof AudioContext;
  connect: Connect;
  disconnect: Disconnect;
  addModule: AddModule;
} = {
  AudioContext: globalThis.AudioContext,
  connect: AudioNode.prototype.connect as Connect,
  disconnect: AudioNode.prototype.disconnect,
  addModule: AudioWorklet.prototype.addModule,
};
const contexts = new Set<AudioContext>();
const heardNodes = new Set<AudioNode>();
let forcedRate: number | undefined;

globalThis.AudioContext = class extends native.AudioContext {
  constructor(options: AudioContextOptions = {}) {
    super(forcedRate === undefined ? options : { ...options, sampleRate: forcedRate });
    // The first listener, so that it can hide the event from all others.
    this.addEventListener('statechange', (event) => {
      if (frozen.has(this)) event.stopImmediatePropagation();
    });
    contexts.add(this);
    listenTo(this);
  }
};

const frozen = new WeakSet<AudioContext>();

/**
 * Stops the clock of a context while its state remains `running`, as WebKit does after an interruption.
 *
 * @returns Everything that it has played since the last reading.
 */
export async function freeze(context: AudioContext): Promise<Float32Array> {
  frozen.add(context);
  await context.suspend();
  Object.defineProperty(context, 'state', { get: () => 'running', configurable: true });
  const close = context.close.bind(context);
  context.close = () => {
    Reflect.deleteProperty(context, 'state');
    frozen.delete(context);
    return close();
  };
  // A block that was being rendered may arrive after the first reading.
  let all = await heard(context);
  for (let more = await heard(context); more.length > 0; more = await heard(context)) all = joined(all, more);
  return all;
}

const taps = new WeakMap<BaseAudioContext, Promise<AudioWorkletNode>>();
/** Taps that exist. A node is connected to its tap at once, before the page connects a source to that node. */
const madeTaps = new WeakMap<BaseAudioContext, AudioWorkletNode>();
/** Modules of the taps. They are loaded first, so that a tap can count the processors of other modules. */
const modules = new WeakMap<AudioWorklet, Promise<void>>();

AudioWorklet.prototype.addModule = async function addModule(this: AudioWorklet, ...module) {
  await modules.get(this)?.catch(() => {});
  await native.addModule.apply(this, module);
};

/** Connects `node` to the tap of its context, unless the context is closed first. */
function listenTo(context: BaseAudioContext, node?: AudioNode): void {
  const tap = madeTaps.get(context);
  if (tap && node) {
    native.connect.call(node, tap);
    return;
  }
  tapOf(context).then(
    (late) => node && heardNodes.has(node) && native.connect.call(node, late),
    () => {},
  );
}

function tapOf(context: BaseAudioContext): Promise<AudioWorkletNode> {
  let tap = taps.get(context);
  if (!tap) {
    tap = makeTap(context);
    taps.set(context, tap);
  }
  return tap;
}

async function makeTap(context: BaseAudioContext): Promise<AudioWorkletNode> {
  const url = URL.createObjectURL(new Blob([processor], { type: 'text/javascript' }));
  const module = context.audioWorklet.addModule(url);
  modules.set(context.audioWorklet, module);
  await module;
  const node = new AudioWorkletNode(context, 'tap', { channelCount: 1, channelCountMode: 'explicit' });
  const silent = context.createGain();
  silent.gain.value = 0;
  native.connect.call(node, silent);
  native.connect.call(silent, context.destination);
  madeTaps.set(context, node);
  return node;
}

AudioNode.prototype.connect = function connect(this: AudioNode, target: AudioNode | AudioParam, ...rest: number[]) {
  const result = native.connect.call(this, target, ...rest);
  if (target instanceof AudioDestinationNode) {
    heardNodes.add(this);
    listenTo(this.context, this);
  }
  return result;
};

AudioNode.prototype.disconnect = function disconnect(this: AudioNode, ...from: unknown[]) {
  if (from.length === 0) heardNodes.delete(this);
  native.disconnect.apply(this, from);
};

/** Contexts of the page that are not closed. */
export function openContexts(): AudioContext[] {
  return [...contexts].filter((context) => context.state !== 'closed');
}

/** Number of contexts that the page has created, including closed ones. */
export function madeContexts(): number {
  return contexts.size;
}

/** Resolves when the page has no open audio context. */
export async function contextsClosed(): Promise<void> {
  for (let open = openContexts(); open.length > 0; open = openContexts()) await becomes(open[0]!, 'closed');
}

/**
 * Disconnects all nodes from the destinations. Resolves when every running context has rendered silence: WebKitGTK may
 * crash if a context is closed while a processor renders sound (see docs/browsers.md).
 */
export async function silence(): Promise<void> {
  for (const node of heardNodes) native.disconnect.call(node);
  for (const context of openContexts()) {
    const tap = madeTaps.get(context);
    if (tap) native.disconnect.call(tap);
    const end = context.currentTime + (2 * 128) / context.sampleRate;
    while (context.state === 'running' && !frozen.has(context) && context.currentTime < end) await nextFrame();
  }
}

/** Resolves when a context is in a state. */
export async function becomes(context: AudioContext, state: AudioContextState): Promise<void> {
  while (context.state !== state) {
    await new Promise((resolve) => context.addEventListener('statechange', resolve, { once: true }));
  }
}

/** Number of nodes of the page that are connected to a destination. */
export function connectedNodes(): number {
  return heardNodes.size;
}

/** @param rate - Sample rate of new contexts, in Hz; undefined for the rate of the device. */
export function forceSampleRate(rate: number | undefined): void {
  forcedRate = rate;
}

/**
 * Collects the output until there has been sound, followed by 480 samples of silence (20 ms at 24 kHz).
 *
 * @param before - Output that was read before, and belongs to the result.
 */
export async function heardToSilence(before: Float32Array = new Float32Array()): Promise<Float32Array> {
  let all = joined(before, await heard());
  while (!all.some((sample) => sample !== 0) || all.subarray(-480).some((sample) => sample !== 0)) {
    await nextFrame();
    all = joined(all, await heard());
  }
  return all;
}

/** Collects the output until the context has rendered at least `seconds` more, after messages that were sent before. */
export async function heardFor(seconds: number): Promise<Float32Array> {
  const { sampleRate } = openContexts()[0]!;
  let all = await heard();
  const end = all.length + seconds * sampleRate;
  while (all.length < end) {
    await nextFrame();
    all = joined(all, await heard());
  }
  return all;
}

/** Resolves in the next animation frame of the page. */
export function nextFrame(): Promise<number> {
  return new Promise((resolve) => requestAnimationFrame(resolve));
}

/** Concatenates recordings. */
export function joined(...recordings: readonly Float32Array[]): Float32Array {
  const all = new Float32Array(recordings.reduce((length, one) => length + one.length, 0));
  let at = 0;
  for (const one of recordings) {
    all.set(one, at);
    at += one.length;
  }
  return all;
}

/**
 * Returns the samples that have reached the destination of a context since the last call; by default, of the page's
 * open context.
 */
export async function heard(context?: AudioContext): Promise<Float32Array> {
  return (await heardAt(context)).samples;
}

/** Like `heard`, with the context frame of the first sample. */
export async function heardAt(context?: AudioContext): Promise<{ samples: Float32Array; frame: number }> {
  const { blocks, end } = await readTap(context);
  const samples = joined(...blocks);
  return { samples, frame: end - samples.length };
}

/** Number of processors of the page's open context that have not ended. Drops the recording so far. */
export async function runningProcessors(): Promise<number> {
  return (await readTap()).running;
}

async function readTap(context: AudioContext | undefined = openContexts()[0]): Promise<Taped> {
  if (!context) throw new Error('The page has no open audio context');
  const tap = await tapOf(context);
  return new Promise((resolve) => {
    tap.port.onmessage = ({ data }: MessageEvent<Taped>) => resolve(data);
    tap.port.postMessage(null);
  });
}
