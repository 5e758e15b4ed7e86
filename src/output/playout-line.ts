import type { ResamplerTable } from '../dsp/index.js';
import {
  type FromProcessor,
  initRing,
  type NewTable,
  type PlayoutStats,
  PlayoutState,
  type ProcessorOptions,
  ringBytes,
  ringCapacity,
  RingControl,
  type ToProcessor,
} from '../ring/index.js';
import type { AudioOutput } from './audio-output.js';
import type { LineSettings } from './line-settings.js';
import { OutputError } from './output-error.js';
import { resamplerTable } from './resampler-tables.js';
import { threadFile, threadFileAdvice } from './thread-file.js';

/** How samples get from the worker to the audio thread. */
export type Transport = 'shared' | 'message';

/** What a line begins with. */
export interface LineOptions {
  /** Rate of the speech, in Hz. */
  sampleRate: number;
  /** `auto` takes shared memory where the page has it. */
  transport: Transport | 'auto';
  /** What the page wants at the moment; asked for when the line is made, and at each `update`. */
  settings(): LineSettings;
  /** Hears what the processor tells. Main thread. */
  onEvent(event: Exclude<FromProcessor, { header: Int32Array }>): void;
}

/** What the worker needs to feed a line; the port, if any, is to be transferred. */
export type LineSink =
  { transport: 'shared'; memory: SharedArrayBuffer } | { transport: 'message'; port: MessagePort; capacity: number };

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
  readonly #wanted: () => LineSettings;
  #settings: LineSettings;

  constructor(output: AudioOutput, options: LineOptions) {
    const { context, backend } = output;
    const { sampleRate } = options;
    this.sampleRate = sampleRate;
    this.transport = chooseTransport(options.transport);
    this.#output = output;
    this.#wanted = options.settings;
    this.#settings = this.#wanted();

    const capacity = ringCapacity(sampleRate);
    const shared = this.transport === 'shared';
    const ring = shared ? new SharedArrayBuffer(ringBytes(capacity)) : null;
    if (ring) initRing(ring, capacity, sampleRate);
    this.#node = backend.createNode(context, 'svc-speaker', {
      numberOfInputs: 0,
      numberOfOutputs: 1,
      outputChannelCount: [1],
      processorOptions: { ring, capacity, table: this.#table(sampleRate) } satisfies ProcessorOptions<ResamplerTable>,
    });
    this.#control = new RingControl(ring, sampleRate, (message) => this.#post(message));
    this.#steer();
    if (this.#tableRate !== sampleRate) this.#post({ table: this.#table(this.#tableRate) });
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
    this.outputNode.gain.value = this.#settings.gain;
    this.#node.connect(this.outputNode);
    this.outputNode.connect(context.destination);
  }

  /** Falls silent after a ramp and holds its position, or goes on; a `playing` event answers. */
  setPaused(paused: boolean): void {
    this.#control.setPaused(paused);
  }

  /** Takes in what the page has changed; heard at once. */
  update(): void {
    const before = this.#settings;
    const settings = this.#wanted();
    const tableRate = this.#tableRate;
    this.#settings = settings;
    if (settings.gain !== before.gain) this.#setGain(settings.gain);
    if (this.#tableRate !== tableRate || settings.resampler !== before.resampler) {
      this.#post({ table: this.#table(this.#tableRate) });
    }
    this.#steer(before);
  }

  /** What the resampler takes for the rate of the speech: another one than it is, where the pitch goes with the pace. */
  get #tableRate(): number {
    const { playbackRate, preservesPitch } = this.#settings;
    return preservesPitch ? this.sampleRate : Math.round(this.sampleRate * playbackRate);
  }

  #table(fromRate: number): ResamplerTable {
    const shared = this.transport === 'shared';
    return resamplerTable(fromRate, this.#output.context.sampleRate, this.#settings.resampler, shared);
  }

  #post(message: ToProcessor | NewTable<ResamplerTable>): void {
    this.#node.port.postMessage(message);
  }

  /** Tells the audio thread what is not as it was `before`. */
  #steer(before?: LineSettings): void {
    const { targetDelayMs, adaptive } = this.#settings;
    const stretch = stretchOf(this.#settings);
    if (targetDelayMs !== before?.targetDelayMs) this.#control.setTargetDelay(targetDelayMs);
    if (adaptive !== before?.adaptive) this.#control.setAdaptive(adaptive);
    if (stretch !== (before && stretchOf(before))) this.#control.setPlaybackRate(stretch);
  }

  /** At once if nothing is heard, else within some 20 ms and without a click. */
  #setGain(gain: number): void {
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

  /**
   * What the audio thread has counted; on the message transport up to 100 ms ago. Where it had no pace yet, it is the
   * one that is asked for.
   */
  stats(): PlayoutStats {
    const stats = this.#control.stats();
    return stats.pace > 0 ? stats : { ...stats, pace: this.#settings.playbackRate };
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

/** The rate at which the time stretch is to work. */
function stretchOf({ playbackRate, preservesPitch }: LineSettings): number {
  return preservesPitch ? playbackRate : 1;
}
