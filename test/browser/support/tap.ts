/**
 * Records what reaches the destination of every audio context of the page, sample for sample, and chooses the rate of
 * the contexts to come. Import it before any is made.
 */

const processor = `registerProcessor('tap', class extends AudioWorkletProcessor {
  constructor() {
    super();
    this.blocks = [];
    this.port.onmessage = () => { this.port.postMessage(this.blocks); this.blocks = []; };
  }
  process([input]) {
    this.blocks.push(input[0] ? input[0].slice() : new Float32Array(128));
    return true;
  }
});`;

type Connect = (this: AudioNode, target: AudioNode | AudioParam, ...rest: number[]) => AudioNode;
type Disconnect = (this: AudioNode, ...from: unknown[]) => void;

const native: { AudioContext: typeof AudioContext; connect: Connect; disconnect: Disconnect } = {
  AudioContext: globalThis.AudioContext,
  connect: AudioNode.prototype.connect as Connect,
  disconnect: AudioNode.prototype.disconnect,
};
const contexts = new Set<AudioContext>();
const heardNodes = new Set<AudioNode>();
let forcedRate: number | undefined;

globalThis.AudioContext = class extends native.AudioContext {
  constructor(options: AudioContextOptions = {}) {
    super(forcedRate === undefined ? options : { ...options, sampleRate: forcedRate });
    contexts.add(this);
    listenTo(this);
  }
};

const taps = new WeakMap<BaseAudioContext, Promise<AudioWorkletNode>>();

/** Has the tap of a context hear `node` from now on; it makes no difference if the context is closed meanwhile. */
function listenTo(context: BaseAudioContext, node?: AudioNode): void {
  tapOf(context).then(
    (tap) => node && heardNodes.has(node) && native.connect.call(node, tap),
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
  await context.audioWorklet.addModule(url);
  const node = new AudioWorkletNode(context, 'tap', { channelCount: 1, channelCountMode: 'explicit' });
  const silent = context.createGain();
  silent.gain.value = 0;
  native.connect.call(node, silent);
  native.connect.call(silent, context.destination);
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

/** Contexts that the page has made and not closed. */
export function openContexts(): AudioContext[] {
  return [...contexts].filter((context) => context.state !== 'closed');
}

/** Resolves when the page has no open audio context. */
export async function contextsClosed(): Promise<void> {
  for (const context of openContexts()) {
    await new Promise<void>((resolve) => {
      context.addEventListener('statechange', () => context.state === 'closed' && resolve());
    });
  }
}

/** Nodes of the page that are connected to a destination. */
export function connectedNodes(): number {
  return heardNodes.size;
}

/** @param rate - Of contexts made from now on, in Hz; undefined for the device's. */
export function forceSampleRate(rate: number | undefined): void {
  forcedRate = rate;
}

/** What `heard` gives, once that ends in 10 ms of silence at least. */
export async function heardToSilence(): Promise<Float32Array> {
  let all = new Float32Array(0);
  do {
    const more = await heard();
    const longer = new Float32Array(all.length + more.length);
    longer.set(all);
    longer.set(more, all.length);
    all = longer;
  } while (!all.some((sample) => sample !== 0) || all.subarray(-480).some((sample) => sample !== 0));
  return all;
}

/** Everything that has reached the destination of the page's open context since the last call, in one piece. */
export async function heard(): Promise<Float32Array> {
  const [context] = openContexts();
  if (!context) throw new Error('The page has no open audio context');
  const tap = await tapOf(context);
  // One block a render quantum, in order. (Chromium's currentFrame may stand still while the graph is being changed.)
  const blocks = await new Promise<Float32Array[]>((resolve) => {
    tap.port.onmessage = ({ data }: MessageEvent<Float32Array[]>) => resolve(data);
    tap.port.postMessage(null);
  });
  const all = new Float32Array(blocks.reduce((length, block) => length + block.length, 0));
  let at = 0;
  for (const block of blocks) {
    all.set(block, at);
    at += block.length;
  }
  return all;
}
