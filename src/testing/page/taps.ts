import { latencyOf } from '../../output/engine-quirks.js';
import type { PageRecording, RecordedMark, RecordedSource } from '../page-recording.js';
import { ContextTap, type TapSource } from './context-tap.js';
import { native } from './native.js';
import type { Speakers } from './speakers.js';

/** The taps of all contexts of a page, and the marks. Contexts are numbered in the order in which they were created. */
export class Taps {
  readonly #taps = new Map<BaseAudioContext, ContextTap>();
  readonly #modules = new WeakMap<AudioWorklet, Promise<void>>();
  readonly #speakers: Speakers;
  readonly #loadModule: (worklet: AudioWorklet) => Promise<void>;
  readonly #marks: RecordedMark[] = [];
  #keeps: boolean;
  #failure: string | null = null;

  /**
   * @param keeps - True to keep the sound from the beginning.
   * @param loadModule - Loads the processor of the taps.
   */
  constructor(speakers: Speakers, keeps: boolean, loadModule: (worklet: AudioWorklet) => Promise<void>) {
    this.#speakers = speakers;
    this.#keeps = keeps;
    this.#loadModule = loadModule;
  }

  /** Opens the tap of a new context. */
  open(context: AudioContext): ContextTap {
    const tap = new ContextTap(context, this.#keeps, (node) => this.#speakers.ownerOf(node));
    this.#taps.set(context, tap);
    const module = this.#loadModule(context.audioWorklet);
    this.#modules.set(context.audioWorklet, module);
    module
      .then(() => tap.open())
      .catch((error) => {
        // A page may close a context at once, which then plays nothing.
        if (context.state !== 'closed') this.fail(`The page cannot be recorded: ${String(error)}`);
      });
    return tap;
  }

  of(context: BaseAudioContext): ContextTap | undefined {
    return this.#taps.get(context);
  }

  /** Resolves when a worklet has the module of the taps, or the load has failed. */
  async moduleLoaded(worklet: AudioWorklet): Promise<void> {
    await this.#modules.get(worklet)?.catch(() => undefined);
  }

  /** Makes the next reading fail. Only the first failure counts. */
  fail(message: string): void {
    this.#failure ??= message;
  }

  /** Current frame of each context. */
  get frames(): number[] {
    return [...this.#taps.values()].map(({ frame }) => frame);
  }

  mark(name: string, frames: readonly number[] = this.frames): void {
    if (this.#keeps) this.#marks.push({ name, frames });
  }

  /** Starts to keep the played sound. */
  async start(): Promise<void> {
    await this.#flush();
    for (const tap of this.#taps.values()) {
      if (!this.#keeps) tap.from = Math.max(tap.to, tap.frame);
      tap.keeps = true;
    }
    this.#keeps = true;
  }

  /** See `PageRecorder.read`. */
  async read(speaker: Element | null, had: Readonly<Record<number, number>>): Promise<PageRecording> {
    await this.#flush();
    const taps = [...this.#taps.values()];
    for (const tap of taps) tap.findOwners();
    if (this.#failure !== null) throw new Error(this.#failure);
    const read = taps.flatMap(({ sources }, context) =>
      sources
        .filter((source) => source.pieces.length > 0 && this.#isWanted(source, speaker))
        .map((source) => recorded(source, context, had[source.id] ?? 0)),
    );
    const contexts = taps.map(({ context, from, to, epoch }, id) => {
      // An OfflineAudioContext has none.
      const outputLatency = 'outputLatency' in context ? latencyOf(context) : 0;
      return { id, sampleRate: context.sampleRate, from, to: Math.max(from, to), epoch, outputLatency };
    });
    return { contexts, sources: await Promise.all(read), marks: this.#marks };
  }

  async #flush(): Promise<void> {
    await Promise.all([...this.#taps.values()].map((tap) => tap.flush()));
  }

  /**
   * Returns true if a source belongs to a reading. Without a speaker, sources that only pass through the page's own
   * nodes are left out, because the destination already includes them.
   */
  #isWanted({ owner, isHeard }: TapSource, speaker: Element | null): boolean {
    if (speaker === null) return isHeard;
    return owner === speaker || (owner === null && this.#speakers.hidesNode(speaker));
  }
}

/** Returns a function that loads the processor of the taps. */
export function moduleLoader(processor: string, processorUrl: string | null): (worklet: AudioWorklet) => Promise<void> {
  return (worklet) => {
    if (processorUrl !== null) return native.addModule.call(worklet, processorUrl);
    const blob = URL.createObjectURL(new Blob([processor], { type: 'text/javascript' }));
    return native.addModule.call(worklet, blob).finally(() => URL.revokeObjectURL(blob));
  };
}

async function recorded({ id, pieces }: TapSource, context: number, had: number): Promise<RecordedSource> {
  const news = pieces.slice(had);
  return {
    id,
    context,
    pieces: news.map(({ frame, length, channels }) => ({ frame, length, channels })),
    samples: await toBase64(news.map(({ samples }) => samples)),
  };
}

async function toBase64(parts: Float32Array<ArrayBuffer>[]): Promise<string> {
  const reader = new FileReader();
  const read = new Promise((resolve) => (reader.onload = resolve));
  reader.readAsDataURL(new Blob(parts));
  await read;
  return (reader.result as string).split(',')[1] ?? '';
}
