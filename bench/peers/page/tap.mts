/**
 * Records everything that reaches the destination of any audio context of the page, or a media stream on its way to an
 * `<audio>` element. It is imported before the players, because some of them store `AudioContext` when they are loaded.
 *
 * With `?untapped` in the page's URL it does nothing.
 */
import { RENDER_QUANTUM } from '../recording.mjs';

/** Recording of one context so far. */
interface Tap {
  readonly context: BaseAudioContext;
  readonly blocks: Float32Array[];
  readonly stamps: Float64Array[];
  /** System clock of the last block that contained sound, and of the last block, in milliseconds. */
  soundAtMs: number;
  latestMs: number;
  /** Resolves with the recording node. */
  readonly ready: Promise<AudioWorkletNode>;
}

/** Render quanta per message. Up to this many may be missing at the end of a context that is closed. */
const QUANTA = 8;
/** Samples below this are silent: -80 dBFS. */
const SILENT = 1e-4;

const processor = `
registerProcessor('bench-tap', class extends AudioWorkletProcessor {
  constructor() {
    super();
    this.quantum = 0;
    this.renew();
  }
  renew() {
    this.block = new Float32Array(${QUANTA * RENDER_QUANTUM});
    this.stamps = new Float64Array(${QUANTA});
  }
  process([input]) {
    if (input[0]) this.block.set(input[0], this.quantum * ${RENDER_QUANTUM});
    this.stamps[this.quantum++] = Date.now();
    if (this.quantum === ${QUANTA}) {
      this.port.postMessage([this.block, this.stamps], [this.block.buffer, this.stamps.buffer]);
      this.quantum = 0;
      this.renew();
    }
    return true;
  }
});`;

type Connect = (this: AudioNode, target: AudioNode | AudioParam, ...rest: number[]) => AudioNode;

const native = {
  AudioContext: globalThis.AudioContext,
  connect: AudioNode.prototype.connect as Connect,
};
const taps = new Map<BaseAudioContext, Tap>();

if (!new URLSearchParams(location.search).has('untapped')) {
  globalThis.AudioContext = class extends native.AudioContext {
    constructor(options?: AudioContextOptions) {
      super(options);
      tapOf(this);
    }
  };
  AudioNode.prototype.connect = function connect(this: AudioNode, target: AudioNode | AudioParam, ...rest: number[]) {
    const result = native.connect.call(this, target, ...rest);
    if (target instanceof AudioDestinationNode || target instanceof MediaStreamAudioDestinationNode) {
      void tapOf(this.context).ready.then((tap) => native.connect.call(this, tap));
    }
    return result;
  };
}

function tapOf(context: BaseAudioContext): Tap {
  let tap = taps.get(context);
  if (!tap) {
    tap = { context, blocks: [], stamps: [], soundAtMs: 0, latestMs: 0, ready: makeNode(context) };
    taps.set(context, tap);
    void listen(tap);
  }
  return tap;
}

async function makeNode(context: BaseAudioContext): Promise<AudioWorkletNode> {
  const url = URL.createObjectURL(new Blob([processor], { type: 'text/javascript' }));
  await context.audioWorklet.addModule(url);
  const node = new AudioWorkletNode(context, 'bench-tap', { channelCount: 1, channelCountMode: 'explicit' });
  const silent = context.createGain();
  silent.gain.value = 0;
  native.connect.call(node, silent);
  native.connect.call(silent, context.destination);
  return node;
}

async function listen(tap: Tap): Promise<void> {
  const node = await tap.ready;
  node.port.onmessage = ({ data: [block, stamps] }: MessageEvent<[Float32Array, Float64Array]>) => {
    tap.blocks.push(block);
    tap.stamps.push(stamps);
    tap.latestMs = stamps[QUANTA - 1]!;
    if (block.some((sample) => Math.abs(sample) >= SILENT)) tap.soundAtMs = tap.latestMs;
  };
}

/** Resolves when there was sound, followed by silence of the given duration on the audio thread's clock. */
export async function silence(durationMs: number): Promise<void> {
  for (;;) {
    const tap = loudest();
    if (tap && tap.latestMs - tap.soundAtMs >= durationMs) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

/** Returns the whole recording of the context that had sound last. Throws if there was no sound. */
export function recorded(): { samples: Float32Array; renderedAtMs: Float64Array; sampleRate: number } {
  const tap = loudest();
  if (!tap) throw new Error('Nothing was heard.');
  const samples = new Float32Array(tap.blocks.length * QUANTA * RENDER_QUANTUM);
  const renderedAtMs = new Float64Array(tap.stamps.length * QUANTA);
  tap.blocks.forEach((block, index) => samples.set(block, index * block.length));
  tap.stamps.forEach((stamps, index) => renderedAtMs.set(stamps, index * QUANTA));
  return { samples, renderedAtMs, sampleRate: tap.context.sampleRate };
}

function loudest(): Tap | undefined {
  return [...taps.values()].filter((tap) => tap.soundAtMs > 0).toSorted((a, b) => b.soundAtMs - a.soundAtMs)[0];
}

/** Returns a context that is not recorded. */
export function untapped(): AudioContext {
  return new native.AudioContext();
}
