/** Options of the page's part of the recorder. */
export interface PageRecorderOptions {
  /** Forced on every context, in Hz; null for each context's own rate. */
  readonly sampleRate: number | null;
  /** True to record at once instead of after `start()`. */
  readonly fromStart: boolean;
  /** Source text of the tap's processor, and the URL of the same text; null for a blob. */
  readonly processor: string;
  readonly processorUrl: string | null;
}

/** Samples that were played without interruption. */
export interface RecordedPiece {
  /** Context frame of the first sample. */
  readonly frame: number;
  /** Samples of each channel. */
  readonly length: number;
  /** 1 or 2. */
  readonly channels: number;
}

/** A source that the page connected to a destination, and the sound it has played. Between its pieces it was silent. */
export interface RecordedSource {
  /** Id of the source in the page. */
  readonly id: number;
  /** Id of its context. */
  readonly context: number;
  /** Pieces in order, without those that the caller already has. */
  readonly pieces: readonly RecordedPiece[];
  /** Samples of the pieces, one channel after the other: Float32 in base64. */
  readonly samples: string;
}

/** An audio context of the page, or the recorder's own for media elements. */
export interface RecordedContext {
  readonly id: number;
  readonly sampleRate: number;
  /** Recorded frames: `[from, to)`. */
  readonly from: number;
  readonly to: number;
  /** Render time of frame 0, in milliseconds since the epoch; as precise as the page's clock of the context. */
  readonly epoch: number;
}

/** A moment from which a matcher can measure time. */
export interface RecordedMark {
  readonly name: string;
  /** Current frame of each context, by context id. */
  readonly frames: readonly number[];
}

/** A snapshot of the recorder. */
export interface PageRecording {
  readonly contexts: readonly RecordedContext[];
  readonly sources: readonly RecordedSource[];
  readonly marks: readonly RecordedMark[];
}

/** Resources that the page holds. */
export interface PageCounts {
  /** Audio contexts that are not closed. */
  readonly contexts: number;
  /**
   * Workers that were not terminated, and shared workers whose port was not closed. A worker that closed itself is
   * still counted.
   */
  readonly workers: number;
}

/** The recorder in the page: `window.svcSpeakerRecorder`. */
export interface PageRecorder {
  /** Starts to keep the played sound. */
  start(): Promise<void>;
  /**
   * @param speaker - A speaker or media element whose output is requested; null for all audible sound.
   * @param had - Number of pieces that the caller already has, by source id.
   */
  read(speaker: Element | null, had: Readonly<Record<number, number>>): Promise<PageRecording>;
  mark(name: string): void;
  count(): PageCounts;
}

declare global {
  interface Window {
    svcSpeakerRecorder: PageRecorder;
  }
}

/**
 * The recorder's code on the audio thread, a classic script; the content of the file at `recorderUrl`. It has several
 * inputs, and posts the sound of each in pieces that carry their start frame on the context's clock. Silence is left
 * out. On any message, it posts all pending samples, and then the frame up to which they reach.
 */
export const recorderSource: string = `registerProcessor('svc-speaker-tap', class extends AudioWorkletProcessor {
  constructor() {
    super();
    this.taken = [];
    this.nextFrame = 0;
    this.port.onmessage = () => {
      this.taken.forEach((input) => this.post(input));
      this.port.postMessage({ frame: this.nextFrame });
    };
  }
  take(index) {
    const size = 4096;
    return this.taken[index] ??= {
      index, frame: 0, length: 0, channels: 1, size, left: new Float32Array(size), right: new Float32Array(size),
    };
  }
  post(input) {
    const { index, frame, length, channels } = input;
    input.length = 0;
    if (length === 0) return;
    const samples = new Float32Array(length * channels);
    samples.set(input.left.subarray(0, length));
    if (channels > 1) samples.set(input.right.subarray(0, length), length);
    if (samples.some((sample) => sample !== 0)) this.port.postMessage({ index, frame, length, channels, samples });
  }
  process(inputs, [output]) {
    const quantum = output[0].length;
    // Chromium does not update currentFrame in a quantum in which the main thread holds the graph's lock.
    const frame = Math.max(currentFrame, this.nextFrame);
    this.nextFrame = frame + quantum;
    for (let index = 0; index < inputs.length; index++) {
      const channels = inputs[index];
      if (channels.length === 0) {
        if (this.taken[index]) this.post(this.taken[index]);
        continue;
      }
      const input = this.take(index);
      if (input.channels !== channels.length || input.length + quantum > input.size) this.post(input);
      if (input.length === 0) input.channels = channels.length;
      // Not only at its beginning: the frame may have been an old one there.
      input.frame = frame - input.length;
      input.left.set(channels[0], input.length);
      if (channels.length > 1) input.right.set(channels[1], input.length);
      input.length += quantum;
    }
    return true;
  }
});`;

/**
 * Runs in the page before any of its scripts; it cannot access the rest of this file. Each context gets one tap. Every
 * node that the page connects to the destination is also connected to the tap, which receives the same samples on the
 * same clock.
 */
export function installPageRecorder({ sampleRate, fromStart, processor, processorUrl }: PageRecorderOptions): void {
  /** Number of inputs of a tap. The first is for sources that play once, and for all others when no input is free. */
  const INPUTS = 32;
  /** A shorter media element only unlocks sound or keeps the device awake, so it is ignored. In seconds. */
  const SHORT = 0.2;

  interface Piece extends RecordedPiece {
    /** Input of the tap. */
    readonly index: number;
    readonly samples: Float32Array<ArrayBuffer>;
  }
  /** A node that the page connects to a destination, or all nodes that share the first input. */
  interface Source {
    readonly id: number;
    readonly tap: Tap;
    readonly input: number;
    readonly pieces: Piece[];
    owner: Element | null;
    /** True if connected to the destination of the context, and not only to a node that is a speaker's destination. */
    isHeard: boolean;
  }
  interface Tap {
    readonly context: BaseAudioContext;
    /** Null until its module is loaded. */
    node: AudioWorkletNode | null;
    readonly inputs: (WeakRef<AudioNode> | null)[];
    readonly common: Source;
    /** Nodes that were connected before the module was loaded, with their inputs. */
    readonly waiting: Map<AudioNode, number>;
    /** Epoch time of the context's frame 0 in milliseconds, updated with each piece. */
    epoch: number;
    /** Recorded frames: first, and up to. */
    from: number;
    to: number;
    /** Called in order when the tap answers: several flushes may be pending. */
    readonly flushed: (() => void)[];
  }

  const connect = Reflect.get(AudioNode.prototype, 'connect') as (to: unknown, ...ports: unknown[]) => unknown;
  const disconnect: (...from: unknown[]) => void = Reflect.get(AudioNode.prototype, 'disconnect');
  const addModule = Reflect.get(AudioWorklet.prototype, 'addModule') as (...module: unknown[]) => Promise<void>;
  const NativeContext = AudioContext;
  const contexts: AudioContext[] = [];
  const pageContexts = new Set<AudioContext>();
  const taps = new Map<BaseAudioContext, Tap>();
  const sources: Source[] = [];
  /** A weak map, so that the recorder does not keep the page's nodes alive. */
  const sourceOf = new WeakMap<AudioNode, Source>();
  const marks: RecordedMark[] = [];
  const workers = new Set<object>();
  const modules = new WeakMap<AudioWorklet, Promise<void>>();
  const speakers = new Set<Element>();
  /** Nodes that are the destination of a speaker. */
  const destinations = new WeakSet<object>();
  let keeps = fromStart;
  let failure: string | null = null;

  const now = (): number => performance.timeOrigin + performance.now();
  const frameOf = (context: BaseAudioContext): number => Math.round(context.currentTime * context.sampleRate);
  const fail = (error: unknown): void => {
    failure ??= `The page cannot be recorded: ${String(error)}`;
  };

  const load = (worklet: AudioWorklet): Promise<void> => {
    if (processorUrl !== null) return addModule.call(worklet, processorUrl);
    const blob = URL.createObjectURL(new Blob([processor], { type: 'text/javascript' }));
    return addModule.call(worklet, blob).finally(() => URL.revokeObjectURL(blob));
  };

  const ownerOf = (node: AudioNode): Element | null =>
    [...speakers].find((speaker) => Reflect.get(speaker, 'outputNode') === node) ?? null;

  /**
   * Returns true if the speaker hides its native node, as with standardized-audio-context. Nodes without an owner then
   * count as the speaker's.
   */
  const hides = (speaker: Element): boolean => {
    const node: unknown = Reflect.get(speaker, 'outputNode') ?? null;
    return node !== null && !(node instanceof AudioNode);
  };

  const addSource = (tap: Tap, input: number): Source => {
    const source = { id: sources.length, tap, input, pieces: [], owner: null, isHeard: false };
    sources.push(source);
    return source;
  };

  /** Sets the owners of a tap's sources. A speaker may expose its node only after it was connected. */
  const findOwners = (tap: Tap): void => {
    for (const node of tap.inputs) {
      const found = node?.deref();
      const source = found && sourceOf.get(found);
      if (source) source.owner ??= ownerOf(found);
    }
  };

  const receive = (tap: Tap, piece: Piece): void => {
    findOwners(tap);
    // An input is reused only after its previous node was garbage-collected, which has long been silent.
    const source = sources.findLast((other) => other.tap === tap && other.input === piece.index);
    if (keeps) source?.pieces.push(piece);
  };

  const openTap = async (tap: Tap): Promise<void> => {
    const { context } = tap;
    await modules.get(context.audioWorklet);
    const node = new AudioWorkletNode(context, 'svc-speaker-tap', {
      numberOfInputs: INPUTS,
      channelCount: 2,
      channelCountMode: 'clamped-max',
    });
    node.port.onmessage = ({ data }: MessageEvent<Piece | { frame: number }>) => {
      tap.epoch = now() - context.currentTime * 1000;
      if ('samples' in data) {
        receive(tap, data);
      } else {
        tap.to = Math.max(tap.to, data.frame);
        tap.flushed.shift()?.();
      }
    };
    // A node without a path to the destination is not rendered. This path is silent.
    const silent = context.createGain();
    silent.gain.value = 0;
    connect.call(node, silent);
    connect.call(silent, context.destination);
    tap.node = node;
    for (const [waiting, input] of tap.waiting) connect.call(waiting, node, 0, input);
    tap.waiting.clear();
  };

  const tapOf = (context: AudioContext): Tap => {
    let tap = taps.get(context);
    if (tap) return tap;
    const inputs = Array.from({ length: INPUTS }, () => null);
    const made = { context, node: null, inputs, waiting: new Map(), epoch: 0, from: 0, to: 0, flushed: [] };
    tap = made as unknown as Tap;
    Reflect.set(made, 'common', addSource(tap, 0));
    tap.common.isHeard = true;
    taps.set(context, tap);
    openTap(tap).catch(fail);
    return tap;
  };

  /** Connects a node of the page to the tap of its context. */
  const listen = (node: AudioNode, isHeard: boolean, owner: Element | null = null): void => {
    const tap = tapOf(node.context as AudioContext);
    let source = sourceOf.get(node);
    if (!source) {
      // A buffer or oscillator plays once and belongs to no speaker. An input is free once its node was
      // garbage-collected.
      const free = tap.inputs.findIndex((other, index) => index > 0 && !other?.deref());
      if (node instanceof AudioScheduledSourceNode || free < 0) {
        source = tap.common;
      } else {
        source = addSource(tap, free);
        tap.inputs[free] = new WeakRef(node);
      }
      sourceOf.set(node, source);
    }
    source.owner ??= owner;
    source.isHeard ||= isHeard;
    if (tap.node) connect.call(node, tap.node, 0, source.input);
    else tap.waiting.set(node, source.input);
  };

  // The page's own modules load after the tap's, so that nothing can play before the tap listens.
  AudioWorklet.prototype.addModule = async function (this: AudioWorklet, ...module: unknown[]) {
    await modules.get(this)?.catch(() => undefined);
    return addModule.apply(this, module);
  };
  AudioNode.prototype.connect = function (this: AudioNode, to: unknown, ...ports: unknown[]) {
    const result = connect.call(this, to, ...ports);
    const isHeard = to instanceof AudioDestinationNode;
    const isOurs = pageContexts.has(this.context as AudioContext);
    if (isOurs && (isHeard || destinations.has(to as object))) listen(this, isHeard);
    return result;
  } as typeof AudioNode.prototype.connect;
  AudioNode.prototype.disconnect = function (this: AudioNode, ...from: unknown[]) {
    disconnect.apply(this, from);
    const source = sourceOf.get(this);
    const isAway = from.length === 0 || from[0] === this.context.destination || destinations.has(from[0] as object);
    if (!source || !isAway) return;
    const { node, waiting } = source.tap;
    waiting.delete(this);
    if (!node || from.length === 0) return;
    try {
      disconnect.call(this, node, 0, source.input);
    } catch {
      // It was already disconnected from everything.
    }
  };
  window.AudioContext = class extends NativeContext {
    constructor(options?: AudioContextOptions) {
      super(sampleRate === null ? options : { ...options, sampleRate });
      contexts.push(this);
      pageContexts.add(this);
      const module = load(this.audioWorklet);
      module.catch(() => undefined);
      modules.set(this.audioWorklet, module);
      tapOf(this);
    }
  };
  window.Worker = class extends Worker {
    constructor(url: string | URL, options?: WorkerOptions) {
      super(url, options);
      workers.add(this);
    }
    override terminate(): void {
      workers.delete(this);
      super.terminate();
    }
  };
  if ('SharedWorker' in window) {
    window.SharedWorker = class extends SharedWorker {
      constructor(url: string | URL, options?: string | WorkerOptions) {
        super(url, options);
        workers.add(this);
        const { port } = this;
        const close = port.close.bind(port);
        port.close = () => {
          workers.delete(this);
          close();
        };
      }
    };
  }

  // --- media elements

  /** Elements that are already recorded: through their stream, or through a context of the page. */
  const capturedElements = new WeakSet<HTMLMediaElement>();
  /** Keeps the nodes of each element alive. */
  const mediaNodes = new WeakMap<HTMLMediaElement, AudioNode[]>();
  let mediaContext: AudioContext | null = null;

  const captureOf = (element: HTMLMediaElement): MediaStream | null => {
    if (element.srcObject instanceof MediaStream) return element.srcObject;
    const capture = ['captureStream', 'mozCaptureStream'].find((name) => name in element);
    return capture === undefined ? null : (Reflect.get(element, capture) as () => MediaStream).call(element);
  };

  const hearStream = (element: HTMLMediaElement, stream: MediaStream): void => {
    if (!mediaContext) {
      mediaContext = new NativeContext(sampleRate === null ? {} : { sampleRate });
      contexts.push(mediaContext);
      modules.set(mediaContext.audioWorklet, load(mediaContext.audioWorklet));
      void mediaContext.resume();
    }
    const gain = mediaContext.createGain();
    const setGain = (): void => {
      gain.gain.value = element.muted ? 0 : element.volume;
    };
    setGain();
    element.addEventListener('volumechange', setGain);
    const source = mediaContext.createMediaStreamSource(stream);
    connect.call(source, gain);
    mediaNodes.set(element, [source, gain]);
    listen(gain, true, element);
  };

  const hearElement = (element: HTMLMediaElement): void => {
    if (capturedElements.has(element)) return;
    const name = `<${element.localName}>`;
    try {
      const stream = captureOf(element);
      if (!stream) {
        if (element.muted || element.volume === 0 || element.duration < SHORT) return;
        failure ??=
          `The page plays with ${name}, which this browser does not let the recorder hear: it has no captureStream(). ` +
          'Test this page in Chromium or Firefox.';
        return;
      }
      capturedElements.add(element);
      const hear = (): void => {
        if (stream.getAudioTracks().length === 0) return;
        stream.removeEventListener('addtrack', hear);
        hearStream(element, stream);
      };
      stream.addEventListener('addtrack', hear);
      hear();
    } catch (error) {
      failure ??=
        `The page plays with ${name}, which cannot be recorded: ${String(error)}. ` +
        'Serve its media from the same origin, or with CORS and the attribute crossorigin.';
    }
  };

  const { play } = HTMLMediaElement.prototype;
  HTMLMediaElement.prototype.play = function (this: HTMLMediaElement) {
    if (this.readyState > 0) hearElement(this);
    return play.call(this);
  };
  for (const type of ['loadedmetadata', 'playing']) {
    const hear = ({ target }: Event): void => {
      if (target instanceof HTMLMediaElement && (type === 'playing' || !target.paused)) hearElement(target);
    };
    addEventListener(type, hear, { capture: true });
  }
  const { createMediaElementSource } = NativeContext.prototype;
  NativeContext.prototype.createMediaElementSource = function (this: AudioContext, element: HTMLMediaElement) {
    capturedElements.add(element);
    return createMediaElementSource.call(this, element);
  };

  window.MediaElementAudioSourceNode = class extends MediaElementAudioSourceNode {
    constructor(context: AudioContext, options: MediaElementAudioSourceOptions) {
      super(context, options);
      capturedElements.add(options.mediaElement);
    }
  };

  // --- marks

  const framesNow = (): number[] => contexts.map(frameOf);
  const mark = (name: string, frames: readonly number[] = framesNow()): void => {
    if (keeps) marks.push({ name, frames });
  };
  for (const type of ['click', 'keydown']) addEventListener(type, () => mark(type), { capture: true });

  /** Marks the calls of a speaker's methods and its removal from the page; records its destination. */
  const watchSpeakers = (prototype: HTMLElement): void => {
    const lifecycle = prototype as unknown as Record<
      'connectedCallback' | 'disconnectedCallback',
      (() => void) | undefined
    >;
    const { connectedCallback, disconnectedCallback } = lifecycle;
    for (const name of ['play', 'pause', 'speak', 'cancel', 'close', 'duck', 'unduck']) {
      const method = Reflect.get(prototype, name) as (...args: unknown[]) => unknown;
      Reflect.set(prototype, name, function (this: Element, ...args: unknown[]) {
        mark(name);
        return method.apply(this, args);
      });
    }
    lifecycle.connectedCallback = function (this: HTMLElement) {
      speakers.add(this);
      connectedCallback?.call(this);
    };
    lifecycle.disconnectedCallback = function (this: HTMLElement) {
      const frames = framesNow();
      disconnectedCallback?.call(this);
      // An element that is being moved is connected again by then.
      queueMicrotask(() => {
        if (!this.isConnected) mark('remove', frames);
      });
    };
    const destination = Object.getOwnPropertyDescriptor(prototype, 'destination');
    if (!destination?.set) return;
    Object.defineProperty(prototype, 'destination', {
      ...destination,
      set(this: Element, node: AudioNode | null) {
        speakers.add(this);
        if (node instanceof AudioNode) destinations.add(node);
        destination.set!.call(this, node);
      },
    });
  };

  const watched = new WeakSet<object>();
  const { define } = CustomElementRegistry.prototype;
  CustomElementRegistry.prototype.define = function (this: CustomElementRegistry, name, constructor, options) {
    const prototype = constructor.prototype as HTMLElement;
    let base: object | null = prototype;
    while (base && !watched.has(base)) base = Object.getPrototypeOf(base) as object | null;
    if (!base && 'outputNode' in prototype && 'speak' in prototype) {
      watched.add(prototype);
      watchSpeakers(prototype);
    }
    define.call(this, name, constructor, options);
  };

  // --- reading

  /** Resolves when all samples that a tap has received have arrived here. */
  const flush = async (tap: Tap): Promise<void> => {
    const { context, node } = tap;
    // A suspended context would not answer, and has no new samples.
    if (!node || context.state !== 'running') return;
    const answered = new Promise<void>((resolve) => tap.flushed.push(resolve));
    node.port.postMessage('flush');
    const stopped = new Promise((resolve) => context.addEventListener('statechange', resolve, { once: true }));
    await Promise.race([answered, stopped]);
  };

  const toBase64 = async (parts: Float32Array<ArrayBuffer>[]): Promise<string> => {
    const reader = new FileReader();
    const read = new Promise((resolve) => (reader.onload = resolve));
    reader.readAsDataURL(new Blob(parts));
    await read;
    return (reader.result as string).split(',')[1] ?? '';
  };

  /**
   * Returns true if a source belongs to a reading. Without a speaker, sources that only pass through the page's own
   * nodes are left out, because the destination already includes them.
   */
  const isWanted = ({ owner, isHeard }: Source, speaker: Element | null): boolean =>
    speaker === null ? isHeard : owner === speaker || (owner === null && hides(speaker));

  window.svcSpeakerRecorder = {
    async start() {
      await Promise.all([...taps.values()].map(flush));
      if (!keeps) for (const tap of taps.values()) tap.from = Math.max(tap.to, frameOf(tap.context));
      keeps = true;
    },
    async read(speaker, had) {
      await Promise.all([...taps.values()].map(flush));
      for (const tap of taps.values()) findOwners(tap);
      if (failure !== null) throw new Error(failure);
      const wanted = sources.filter((source) => source.pieces.length > 0 && isWanted(source, speaker));
      const read = wanted.map(async ({ id, tap, pieces }): Promise<RecordedSource> => {
        const news = pieces.slice(had[id] ?? 0);
        return {
          id,
          context: contexts.indexOf(tap.context as AudioContext),
          pieces: news.map(({ frame, length, channels }) => ({ frame, length, channels })),
          samples: await toBase64(news.map(({ samples }) => samples)),
        };
      });
      const recorded = [...taps.values()].map(({ context, from, to, epoch }) => ({
        id: contexts.indexOf(context as AudioContext),
        sampleRate: context.sampleRate,
        from,
        to: Math.max(from, to),
        epoch,
      }));
      return { contexts: recorded, sources: await Promise.all(read), marks };
    },
    mark,
    count: () => ({
      contexts: [...pageContexts].filter(({ state }) => state !== 'closed').length,
      workers: workers.size,
    }),
  };
}
