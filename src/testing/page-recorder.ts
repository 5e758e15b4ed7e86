/** What the page's part of the recorder is told. */
export interface PageRecorderOptions {
  /** Forced on every context, in Hz; null for what each would have. */
  readonly sampleRate: number | null;
  /** Begins at once, and not when it is asked to. */
  readonly fromStart: boolean;
  /** Text of the tap's processor, and the address at which the page finds the same; null for a blob. */
  readonly processor: string;
  readonly processorUrl: string | null;
}

/** One node of the page that was connected to a destination, and what it has played. */
export interface RecordedSource {
  /** Its number in the page. */
  readonly id: number;
  readonly sampleRate: number;
  /** Of the context, and of the source in it. */
  readonly context: number;
  /** Context frame of the first sample. */
  readonly firstFrame: number;
  /** When that was played, in milliseconds since the epoch; as exact as the page's clock of the context. */
  readonly at: number;
  /** Float32 samples in base64, without those that the asker has. */
  readonly samples: string;
}

/** An instant that something can be timed from. */
export interface RecordedMark {
  readonly name: string;
  /** Where each context's clock was, in frames; by context. */
  readonly frames: readonly number[];
}

/** What the page answers. */
export interface PageRecording {
  readonly sources: readonly RecordedSource[];
  readonly marks: readonly RecordedMark[];
}

/** What there is of what costs something. */
export interface PageCounts {
  /** Audio contexts that are not closed. */
  readonly contexts: number;
  /** Workers that were not terminated. A worker that has closed itself counts as well. */
  readonly workers: number;
}

/** The recorder in the page: `window.svcSpeakerRecorder`. */
export interface PageRecorder {
  /** Begins to keep what is played from now on. */
  start(): Promise<void>;
  /**
   * @param speaker - Whose output is wanted; null for all that is heard.
   * @param had - How many samples of each source the asker has, by its number.
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
 * The recorder's part on the audio thread, a classic script: what has to be found at `recorderUrl`. One chunk per message; each
 * says where on the context's clock it begins.
 */
export const recorderSource: string = `registerProcessor('svc-speaker-tap', class extends AudioWorkletProcessor {
  constructor() {
    super();
    this.chunk = new Float32Array(4096);
    this.length = 0;
    this.port.onmessage = () => {
      this.post();
      this.port.postMessage(null);
    };
  }
  post() {
    if (this.length) this.port.postMessage({ frame: this.frame, samples: this.chunk.slice(0, this.length) });
    this.length = 0;
  }
  process([input], [output]) {
    const quantum = output[0].length;
    if (!this.length) this.frame = currentFrame;
    if (input[0]) this.chunk.set(input[0], this.length);
    else this.chunk.fill(0, this.length, this.length + quantum);
    this.length += quantum;
    if (this.length + quantum > this.chunk.length) this.post();
    return true;
  }
});`;

/**
 * Runs in the page, before any of its scripts; sees nothing of this file. Every node that the page connects to a
 * destination gets a tap beside it, which hears the same samples on the same clock.
 */
export function installPageRecorder({ sampleRate, fromStart, processor, processorUrl }: PageRecorderOptions): void {
  interface Chunk {
    readonly frame: number;
    readonly samples: Float32Array<ArrayBuffer>;
  }
  interface Source {
    readonly node: AudioNode;
    readonly context: BaseAudioContext;
    readonly chunks: Chunk[];
    tap: AudioWorkletNode | null;
    connected: boolean;
    /** Epoch time in milliseconds of the context's frame 0, read as chunks come in. */
    epoch: number;
    owner: Element | null;
    /** Called as the tap answers, one after the other: several may ask at once. */
    readonly flushed: (() => void)[];
  }

  const connect = Reflect.get(AudioNode.prototype, 'connect') as (to: unknown, ...ports: unknown[]) => unknown;
  const disconnect: (...from: unknown[]) => void = Reflect.get(AudioNode.prototype, 'disconnect');
  const addModule = Reflect.get(AudioWorklet.prototype, 'addModule') as (...module: unknown[]) => Promise<void>;
  const contexts: AudioContext[] = [];
  const sources: Source[] = [];
  const marks: RecordedMark[] = [];
  const workers = new Set<Worker>();
  const modules = new WeakMap<AudioWorklet, Promise<void>>();
  let keeps = fromStart;
  let failure: string | null = null;

  const now = (): number => performance.timeOrigin + performance.now();

  const load = (worklet: AudioWorklet): Promise<void> => {
    if (processorUrl !== null) return addModule.call(worklet, processorUrl);
    const blob = URL.createObjectURL(new Blob([processor], { type: 'text/javascript' }));
    return addModule.call(worklet, blob).finally(() => URL.revokeObjectURL(blob));
  };

  const listen = async (source: Source): Promise<void> => {
    const { context, node } = source;
    await modules.get(context.audioWorklet);
    const tap = new AudioWorkletNode(context, 'svc-speaker-tap', { channelCount: 1, channelCountMode: 'explicit' });
    tap.port.onmessage = ({ data }: MessageEvent<Chunk | null>) => {
      if (data === null) {
        source.flushed.shift()?.();
        return;
      }
      source.epoch = now() - context.currentTime * 1000;
      source.owner ??= ownerOf(node);
      if (keeps) source.chunks.push(data);
    };
    // A node without a way to the destination is not pulled; this way is silent.
    const silent = context.createGain();
    silent.gain.value = 0;
    connect.call(tap, silent);
    connect.call(silent, context.destination);
    source.tap = tap;
    if (source.connected) connect.call(node, tap);
  };

  /** standardized-audio-context wraps its nodes: whatever is nobody's is then taken for the speaker's. */
  const hides = (speaker: Element): boolean => {
    const node: unknown = Reflect.get(speaker, 'outputNode');
    return node !== null && !(node instanceof AudioNode);
  };

  const ownerOf = (node: AudioNode, root: ParentNode = document): Element | null => {
    for (const element of root.querySelectorAll('*')) {
      if (element.localName === 'svc-speaker' && Reflect.get(element, 'outputNode') === node) return element;
      const found = element.shadowRoot && ownerOf(node, element.shadowRoot);
      if (found) return found;
    }
    return null;
  };

  // The page's own modules load after the tap's, so that nothing can play before it listens.
  AudioWorklet.prototype.addModule = async function (this: AudioWorklet, ...module: unknown[]) {
    await modules.get(this)?.catch(() => undefined);
    return addModule.apply(this, module);
  };
  AudioNode.prototype.connect = function (this: AudioNode, to: unknown, ...ports: unknown[]) {
    const result = connect.call(this, to, ...ports);
    if (!(to instanceof AudioDestinationNode) || !contexts.includes(this.context as AudioContext)) return result;
    let source = sources.find(({ node }) => node === this);
    if (source) {
      source.connected = true;
      if (source.tap) connect.call(this, source.tap);
    } else {
      source = {
        node: this,
        context: this.context,
        chunks: [],
        tap: null,
        connected: true,
        epoch: 0,
        owner: null,
        flushed: [],
      };
      sources.push(source);
      listen(source).catch((error: unknown) => (failure = `The page cannot be recorded: ${String(error)}`));
    }
    return result;
  } as typeof AudioNode.prototype.connect;
  AudioNode.prototype.disconnect = function (this: AudioNode, ...from: unknown[]) {
    disconnect.apply(this, from);
    const source = sources.find(({ node }) => node === this);
    if (!source || (from.length > 0 && from[0] !== this.context.destination)) return;
    source.connected = false;
    if (source.tap && from.length > 0) disconnect.call(this, source.tap);
  };
  window.AudioContext = class extends AudioContext {
    constructor(options?: AudioContextOptions) {
      super(sampleRate === null ? options : { ...options, sampleRate });
      contexts.push(this);
      const module = load(this.audioWorklet);
      module.catch(() => undefined);
      modules.set(this.audioWorklet, module);
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

  const mark = (name: string): void => {
    if (!keeps) return;
    marks.push({ name, frames: contexts.map((context) => Math.round(context.currentTime * context.sampleRate)) });
  };
  for (const type of ['click', 'keydown']) addEventListener(type, () => mark(type), { capture: true });
  void customElements.whenDefined('svc-speaker').then(({ prototype }) => {
    for (const name of ['play', 'pause', 'speak', 'cancel', 'close', 'remove']) {
      const method = Reflect.get(prototype as object, name) as (...args: unknown[]) => unknown;
      Reflect.set(prototype as object, name, function (this: Element, ...args: unknown[]) {
        mark(name);
        return method.apply(this, args);
      });
    }
  });

  /** Resolves when all that a source has played so far has come in. */
  const flush = async (source: Source): Promise<void> => {
    const { context, tap } = source;
    // A suspended context would not answer, and has nothing new to say.
    if (!tap || context.state !== 'running') return;
    const answered = new Promise<void>((resolve) => source.flushed.push(resolve));
    tap.port.postMessage('flush');
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

  window.svcSpeakerRecorder = {
    async start() {
      await Promise.all(sources.map(flush));
      keeps = true;
    },
    async read(speaker, had) {
      if (failure !== null) throw new Error(failure);
      const read: RecordedSource[] = [];
      for (const [id, source] of sources.entries()) {
        const { context, node, chunks } = source;
        source.owner ??= ownerOf(node);
        if (speaker !== null && source.owner !== speaker && !(source.owner === null && hides(speaker))) continue;
        await flush(source);
        const [first] = chunks;
        if (!first) continue;
        let left = had[id] ?? 0;
        const news = chunks.flatMap(({ samples }) => {
          const skipped = Math.min(left, samples.length);
          left -= skipped;
          return skipped < samples.length ? [samples.subarray(skipped)] : [];
        });
        read.push({
          id,
          sampleRate: context.sampleRate,
          context: contexts.indexOf(context as AudioContext),
          firstFrame: first.frame,
          at: source.epoch + (first.frame / context.sampleRate) * 1000,
          samples: await toBase64(news),
        });
      }
      return { sources: read, marks };
    },
    mark,
    count: () => ({
      contexts: contexts.filter(({ state }) => state !== 'closed').length,
      workers: workers.size,
    }),
  };
}
