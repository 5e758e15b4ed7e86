import { TAP_NAME, type TapMessage, type TapPiece } from '../tap/tap-message.js';
import { native } from './native.js';

/** Number of inputs of a tap. The first is for sources that play once, and for all others when no input is free. */
const INPUTS = 32;

/** A node that the page connects to a destination, or all nodes that share the first input of a tap. */
export interface TapSource {
  /** Number of the source in the page. */
  readonly id: number;
  readonly input: number;
  readonly pieces: TapPiece[];
  owner: Element | null;
  /** True if connected to the destination of the context, and not only to a node that is a speaker's destination. */
  isHeard: boolean;
}

let lastSource = 0;

/**
 * The tap of one context: every node that the page connects to the destination is also connected to the tap, which
 * receives the same samples on the same clock.
 */
export class ContextTap {
  readonly context: AudioContext;
  /** True to keep the sound that arrives. */
  keeps: boolean;
  /** First recorded frame, and the frame after the last. */
  from = 0;
  to = 0;
  /** Epoch time of the context's frame 0 in milliseconds, updated with each piece. */
  epoch = 0;
  readonly sources: TapSource[] = [];
  readonly #ownerOf: (node: AudioNode) => Element | null;
  /** Null until the tap's module is loaded. */
  #node: AudioWorkletNode | null = null;
  readonly #inputs: (WeakRef<AudioNode> | null)[] = Array.from({ length: INPUTS }, () => null);
  /** A weak map, so that the recorder does not keep the page's nodes alive. */
  readonly #sourceOf = new WeakMap<AudioNode, TapSource>();
  /** Nodes that were connected before the module was loaded, with their inputs. */
  readonly #waiting = new Map<AudioNode, number>();
  /** Called in order when the tap answers: several flushes may be pending. */
  readonly #flushed: (() => void)[] = [];

  /** @param ownerOf - Returns the speaker whose output a node is; null if there is none. */
  constructor(context: AudioContext, keeps: boolean, ownerOf: (node: AudioNode) => Element | null) {
    this.context = context;
    this.keeps = keeps;
    this.#ownerOf = ownerOf;
    this.#addSource(0).isHeard = true;
  }

  /** Current frame of the context. */
  get frame(): number {
    return Math.round(this.context.currentTime * this.context.sampleRate);
  }

  /** Starts to listen. Call when the tap's module is loaded. */
  open(): void {
    const { context } = this;
    const node = new AudioWorkletNode(context, TAP_NAME, {
      numberOfInputs: INPUTS,
      channelCount: 2,
      channelCountMode: 'clamped-max',
    });
    node.port.onmessage = ({ data }: MessageEvent<TapMessage>) => this.#receive(data);
    // A node without a path to the destination is not rendered. This path is silent.
    const silent = context.createGain();
    silent.gain.value = 0;
    native.connect.call(node, silent);
    native.connect.call(silent, context.destination);
    this.#node = node;
    for (const [waiting, input] of this.#waiting) native.connect.call(waiting, node, 0, input);
    this.#waiting.clear();
  }

  /** Connects a node of the page to the tap. */
  listen(node: AudioNode, isHeard: boolean, owner: Element | null = null): void {
    let source = this.#sourceOf.get(node);
    if (!source) {
      // A buffer or oscillator plays once and belongs to no speaker. An input is free once its node was
      // garbage-collected.
      const free = this.#inputs.findIndex((other, index) => index > 0 && !other?.deref());
      if (node instanceof AudioScheduledSourceNode || free < 0) {
        source = this.sources[0]!;
      } else {
        source = this.#addSource(free);
        this.#inputs[free] = new WeakRef(node);
      }
      this.#sourceOf.set(node, source);
    }
    source.owner ??= owner;
    source.isHeard ||= isHeard;
    if (this.#node) native.connect.call(node, this.#node, 0, source.input);
    else this.#waiting.set(node, source.input);
  }

  /** Disconnects a node of the page from the tap, unless it was disconnected from everything already. */
  leave(node: AudioNode, isFromAll: boolean): void {
    const source = this.#sourceOf.get(node);
    if (!source) return;
    this.#waiting.delete(node);
    if (!this.#node || isFromAll) return;
    try {
      native.disconnect.call(node, this.#node, 0, source.input);
    } catch {
      // It was already disconnected from everything.
    }
  }

  /** Resolves when all samples that the tap has received have arrived here. */
  async flush(): Promise<void> {
    // A suspended context would not answer, and has no new samples.
    if (!this.#node || this.context.state !== 'running') return;
    const answered = new Promise<void>((resolve) => this.#flushed.push(resolve));
    this.#node.port.postMessage('flush');
    const stopped = new Promise((resolve) => this.context.addEventListener('statechange', resolve, { once: true }));
    await Promise.race([answered, stopped]);
  }

  /** Sets the owners of the sources. A speaker may expose its node only after it was connected. */
  findOwners(): void {
    for (const node of this.#inputs) {
      const found = node?.deref();
      const source = found && this.#sourceOf.get(found);
      if (source) source.owner ??= this.#ownerOf(found);
    }
  }

  #addSource(input: number): TapSource {
    const source: TapSource = { id: lastSource++, input, pieces: [], owner: null, isHeard: false };
    this.sources.push(source);
    return source;
  }

  #receive(data: TapMessage): void {
    this.epoch = performance.timeOrigin + performance.now() - this.context.currentTime * 1000;
    if ('samples' in data) {
      this.findOwners();
      // An input is reused only after its previous node was garbage-collected, which has long been silent.
      if (this.keeps) this.sources.findLast(({ input }) => input === data.index)?.pieces.push(data);
    } else {
      this.to = Math.max(this.to, data.frame);
      this.#flushed.shift()?.();
    }
  }
}
