/**
 * Records what reaches the destination of every audio context of the page, sample for sample, and chooses the rate of
 * the contexts to come. Import it before anything that makes a context.
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

const native = { AudioContext: globalThis.AudioContext, connect: AudioNode.prototype.connect as Connect };
const contexts = new Set<AudioContext>();
let forcedRate: number | undefined;

globalThis.AudioContext = class extends native.AudioContext {
  constructor(options: AudioContextOptions = {}) {
    super(forcedRate === undefined ? options : { ...options, sampleRate: forcedRate });
    contexts.add(this);
    void tapOf(this);
  }
};

const taps = new WeakMap<BaseAudioContext, Promise<AudioWorkletNode>>();

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

AudioNode.prototype.connect = function connect(target, ...rest) {
  const result = native.connect.call(this, target, ...rest);
  if (target instanceof AudioDestinationNode) {
    void tapOf(this.context).then((tap) => native.connect.call(this, tap));
  }
  return result;
} as Connect as typeof AudioNode.prototype.connect;

/** Contexts that the page has made and not closed. */
export function openContexts(): AudioContext[] {
  return [...contexts].filter((context) => context.state !== 'closed');
}

/** @param rate - Of contexts made from now on, in Hz; undefined for the device's. */
export function forceSampleRate(rate: number | undefined): void {
  forcedRate = rate;
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
