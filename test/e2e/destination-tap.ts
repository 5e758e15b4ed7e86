import { readFileSync } from 'node:fs';
import type { Page } from '@playwright/test';

/** What one AudioContext was given to play. */
export interface HeardAudio {
  readonly sampleRate: number;
  /** Context time of the first sample, in samples. */
  readonly firstFrame: number;
  /** Mono, in [-1, 1]. */
  readonly samples: Float32Array;
}

interface Tap {
  /** Everything so far, as bytes of float32 in base64, for each context that played anything. */
  read(): Promise<{ sampleRate: number; firstFrame: number; base64: string }[]>;
  /** Where the clock of the context that plays stands, in samples. */
  nowFrame(): number;
}

declare global {
  interface Window {
    destinationTap: Tap;
  }
}

/** The tap's part on the audio thread. */
export const TAP_PROCESSOR: string = readFileSync(new URL('destination-tap.worklet.js', import.meta.url), 'utf8');

/**
 * Makes every AudioContext of the page record what is connected to its destination, sample for sample and with the
 * context's own clock. Call before the page is opened.
 *
 * @param sampleRate - Forced on every context, in Hz.
 * @param processorUrl - Where the page finds `TAP_PROCESSOR` if it may not load a blob.
 */
export async function tapDestination(page: Page, sampleRate: number, processorUrl?: string): Promise<void> {
  await page.addInitScript(installTap, { sampleRate, processor: TAP_PROCESSOR, processorUrl });
}

/** Reads what was recorded since the page was opened: one entry per context that was given sound. */
export async function readTap(page: Page): Promise<HeardAudio[]> {
  const recordings = await page.evaluate(() => window.destinationTap.read());
  return recordings.map(({ sampleRate, firstFrame, base64 }) => {
    const bytes = Buffer.from(base64, 'base64');
    const samples = new Float32Array(bytes.length / 4);
    new Uint8Array(samples.buffer).set(bytes);
    return { sampleRate, firstFrame, samples };
  });
}

interface TapSettings {
  readonly sampleRate: number;
  readonly processor: string;
  readonly processorUrl: string | undefined;
}

/** Runs in the page, before any of its scripts; sees nothing of this file. */
function installTap({ sampleRate, processor, processorUrl }: TapSettings): void {
  interface Recorder {
    readonly context: AudioContext;
    readonly chunks: { frame: number; samples: Float32Array }[];
    readonly waiting: AudioNode[];
    node: AudioWorkletNode | null;
    flushed: () => void;
  }
  const recorders = new Map<BaseAudioContext, Recorder>();
  const installing = new Map<AudioWorklet, Promise<void>>();
  const connect = AudioNode.prototype.connect as (this: AudioNode, ...to: unknown[]) => AudioNode;
  const addModule = AudioWorklet.prototype.addModule;

  async function install(recorder: Recorder): Promise<void> {
    const { context } = recorder;
    const url = processorUrl ?? URL.createObjectURL(new Blob([processor], { type: 'text/javascript' }));
    await addModule.call(context.audioWorklet, url);
    const node = new AudioWorkletNode(context, 'destination-tap', { channelCount: 1, channelCountMode: 'explicit' });
    node.port.onmessage = ({ data }) => (data ? recorder.chunks.push(data) : recorder.flushed());
    // A node without a way to the destination is not pulled; this way is silent.
    const silent = context.createGain();
    silent.gain.value = 0;
    connect.call(node, silent);
    connect.call(silent, context.destination);
    recorder.node = node;
    for (const source of recorder.waiting) connect.call(source, node);
  }

  // The page's own modules load after the tap's, so that nothing can play before it listens.
  AudioWorklet.prototype.addModule = async function (this: AudioWorklet, ...module: [string]) {
    await installing.get(this);
    return addModule.apply(this, module);
  };
  AudioNode.prototype.connect = function (this: AudioNode, to: AudioNode, ...ports: unknown[]) {
    const result = connect.call(this, to, ...ports);
    const recorder = recorders.get(this.context);
    if (recorder && to === this.context.destination) {
      if (recorder.node) connect.call(this, recorder.node);
      else recorder.waiting.push(this);
    }
    return result;
  } as typeof AudioNode.prototype.connect;
  window.AudioContext = class extends AudioContext {
    constructor(options?: AudioContextOptions) {
      super({ ...options, sampleRate });
      const recorder: Recorder = { context: this, chunks: [], waiting: [], node: null, flushed: () => undefined };
      recorders.set(this, recorder);
      installing.set(this.audioWorklet, install(recorder));
    }
  };

  const withSound = () =>
    [...recorders.values()].filter(({ chunks }) => chunks.some((chunk) => chunk.samples.some(Boolean)));

  async function toBase64(parts: Float32Array<ArrayBuffer>[]): Promise<string> {
    const reader = new FileReader();
    const read = new Promise((resolve) => (reader.onload = resolve));
    reader.readAsDataURL(new Blob(parts));
    await read;
    return (reader.result as string).split(',')[1] ?? '';
  }

  window.destinationTap = {
    async read() {
      const recordings = [];
      for (const recorder of recorders.values()) {
        const { context, node, chunks } = recorder;
        // A suspended context would not answer, and has nothing new to say.
        if (node && context.state === 'running') {
          await new Promise<void>((resolve) => {
            recorder.flushed = resolve;
            node.port.postMessage('flush');
          });
        }
        if (!chunks.some((chunk) => chunk.samples.some(Boolean))) continue;
        const firstFrame = chunks[0]!.frame;
        const parts = chunks.map((chunk) => chunk.samples as Float32Array<ArrayBuffer>);
        recordings.push({ sampleRate: context.sampleRate, firstFrame, base64: await toBase64(parts) });
      }
      return recordings;
    },
    nowFrame() {
      const context = withSound()[0]?.context;
      return context ? Math.round(context.currentTime * context.sampleRate) : 0;
    },
  };
}
