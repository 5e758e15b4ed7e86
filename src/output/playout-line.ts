import { designResampler, type ResamplerTable } from '../dsp/index.js';
import {
  type FromProcessor,
  initRing,
  PlayoutState,
  type ProcessorOptions,
  ringBytes,
  ringCapacity,
  RingControl,
  Stat,
  type ToProcessor,
  Slot,
} from '../ring/index.js';
import type { AudioOutput } from './audio-output.js';
import { OutputError } from './output-error.js';
import { threadFile, threadFileAdvice } from './thread-file.js';

/** How samples get from the worker to the audio thread. */
export type Transport = 'shared' | 'message';

/** What a line begins with. */
export interface LineOptions {
  /** Rate of the speech, in Hz. */
  sampleRate: number;
  /** `auto` takes shared memory where the page has it. */
  transport: Transport | 'auto';
  /** Speech to hold before playback starts, 0 to 4000 ms. */
  targetDelayMs: number;
  /** Linear gain, 0 to 1. */
  gain: number;
  /** Hears what the processor tells. Main thread. */
  onEvent(event: Exclude<FromProcessor, { header: Int32Array }>): void;
}

/** What the worker needs to feed a line; the port, if any, is to be transferred. */
export type LineSink =
  { transport: 'shared'; memory: SharedArrayBuffer } | { transport: 'message'; port: MessagePort; capacity: number };

/** Statistics of the audio thread, counted since the line was opened. Samples at the source rate. */
export interface LineStats {
  state: PlayoutState;
  /** In the ring, not played yet. */
  bufferedSamples: number;
  emittedSamples: number;
  emittedAt: number;
  jitterBufferDelay: number;
  jitterBufferTargetDelay: number;
  concealedSamples: number;
  underruns: number;
}

/**
 * One speaker's way through the output: ring, processor and gain, for speech of one rate.
 *
 * Main thread. Lives until `close`; a line that is idle costs next to nothing.
 */
export class PlayoutLine {
  readonly sampleRate: number;
  readonly transport: Transport;
  /** For the worker, once. */
  readonly sink: LineSink;
  /** Everything that is heard of this speaker passes here. */
  readonly outputNode: GainNode;
  readonly #output: AudioOutput;
  readonly #node: AudioWorkletNode;
  readonly #control: RingControl;

  constructor(output: AudioOutput, options: LineOptions) {
    const { context, backend } = output;
    const { sampleRate } = options;
    this.sampleRate = sampleRate;
    this.transport = chooseTransport(options.transport);
    this.#output = output;

    const capacity = ringCapacity(sampleRate);
    const shared = this.transport === 'shared';
    const ring = shared ? new SharedArrayBuffer(ringBytes(capacity)) : null;
    if (ring) initRing(ring, capacity, sampleRate);
    const table = resamplerTable(sampleRate, context.sampleRate, shared);
    this.#node = backend.createNode(context, 'svc-speaker', {
      numberOfInputs: 0,
      numberOfOutputs: 1,
      outputChannelCount: [1],
      processorOptions: { ring, capacity, table } satisfies ProcessorOptions<ResamplerTable>,
    });
    const post = (message: ToProcessor): void => this.#node.port.postMessage(message);
    this.#control = new RingControl(ring, sampleRate, post);
    this.#control.setTargetDelay(options.targetDelayMs);
    this.#node.port.onmessage = ({ data }: MessageEvent<FromProcessor>) => {
      if ('header' in data) this.#control.mirror(data.header);
      else options.onEvent(data);
    };

    if (ring) {
      this.sink = { transport: 'shared', memory: ring };
    } else {
      const { port1, port2 } = new MessageChannel();
      this.#node.port.postMessage({ port: port2 }, [port2]);
      this.sink = { transport: 'message', port: port1, capacity };
    }
    this.outputNode = context.createGain();
    this.outputNode.gain.value = options.gain;
    this.#node.connect(this.outputNode);
    this.outputNode.connect(context.destination);
  }

  /** Falls silent after a ramp and holds its position, or goes on; a `playing` event answers. */
  setPaused(paused: boolean): void {
    this.#control.setPaused(paused);
  }

  /** @param ms - 0 to 4000. */
  setTargetDelay(ms: number): void {
    this.#control.setTargetDelay(ms);
  }

  /** @param gain - Linear, 0 to 1; at once if nothing is heard, else within some 20 ms and without a click. */
  setGain(gain: number): void {
    const param = this.outputNode.gain;
    if (this.stats().state === PlayoutState.playing) {
      param.setTargetAtTime(gain, this.#output.context.currentTime, 0.005);
    } else {
      // Chromium approaches a value only while there is sound: the next one would begin at the old volume.
      param.cancelScheduledValues(0);
      param.value = gain;
    }
  }

  /** Silences utterances and skips what the ring holds of them. */
  cancel(serials: readonly number[]): void {
    this.#control.cancel(serials);
  }

  /** What the audio thread has counted; on the message transport up to 100 ms ago. */
  stats(): LineStats {
    const { header, stats } = this.#control.memory;
    return {
      state: Atomics.load(header, Slot.state) as PlayoutState,
      bufferedSamples: (Atomics.load(header, Slot.write) - Atomics.load(header, Slot.read)) | 0,
      emittedSamples: stats[Stat.emittedSamples]!,
      emittedAt: stats[Stat.emittedAt]!,
      jitterBufferDelay: stats[Stat.jitterBufferDelay]!,
      jitterBufferTargetDelay: stats[Stat.jitterBufferTargetDelay]!,
      concealedSamples: stats[Stat.concealedSamples]!,
      underruns: stats[Stat.underruns]!,
    };
  }

  close(): void {
    this.#control.close();
    this.#node.port.onmessage = null;
    this.#node.disconnect();
    this.outputNode.disconnect();
    if (this.sink.transport === 'message') this.sink.port.close();
  }
}

/**
 * Loads the processor's file into a context. There is an `audioWorklet`: `loadBackend` has made sure.
 *
 * @param workletUrl - The page's copy of the file; empty for the built-in one.
 * @throws {OutputError} If it does not load; the message says what to do.
 */
export async function loadWorklet(context: AudioContext, workletUrl: string): Promise<void> {
  const { url, release } = threadFile('worklet', workletUrl);
  try {
    await context.audioWorklet.addModule(url);
  } catch (cause) {
    throw new OutputError(threadFileAdvice('worklet', workletUrl), { cause });
  } finally {
    release();
  }
}

function chooseTransport(wanted: Transport | 'auto'): Transport {
  // WebKitGTK says crossOriginIsolated and has no SharedArrayBuffer all the same: ask for both.
  const able = globalThis.crossOriginIsolated && typeof SharedArrayBuffer !== 'undefined';
  if (wanted === 'shared' && !able) {
    throw new OutputError(
      'transport="shared" needs a cross-origin isolated page: send Cross-Origin-Opener-Policy: same-origin and ' +
        'Cross-Origin-Embedder-Policy: require-corp with it, or leave the transport on auto.',
    );
  }
  return wanted === 'message' || !able ? 'message' : 'shared';
}

const tables = new Map<string, ResamplerTable>();

/** Tables are made here, off the audio thread, once per pair of rates; on isolated pages all processors share one. */
function resamplerTable(fromRate: number, toRate: number, shared: boolean): ResamplerTable {
  const key = `${fromRate}:${toRate}:${shared}`;
  let table = tables.get(key);
  if (!table) {
    table = designResampler(fromRate, toRate);
    if (shared) {
      const coefficients = new Float64Array(new SharedArrayBuffer(table.coefficients.byteLength));
      coefficients.set(table.coefficients);
      table = { ...table, coefficients };
    }
    tables.set(key, table);
  }
  return table;
}
