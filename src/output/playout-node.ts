import type { ResamplerTable } from '../dsp/index.js';
import {
  type FromProcessor,
  initRing,
  type NewTable,
  type PlayoutEvent,
  type PlayoutStats,
  PlayoutState,
  PROCESSOR_NAME,
  type ProcessorOptions,
  ringBytes,
  ringCapacity,
  RingControl,
  type RingDescriptor,
  type ToProcessor,
  type Transport,
} from '../ring/index.js';
import type { AudioBackend } from './audio-backend.js';
import type { AudioOutput } from './audio-output.js';
import type { PlayoutSettings } from './playout-settings.js';
import { resamplerTable } from './resampler-tables.js';

/** A processor that is told to leave has left within milliseconds, or its thread does not run. */
const LEAVE_MS = 200;

/** What a line begins with. */
export interface PlayoutNodeOptions {
  /** Rate of the speech, in Hz. */
  sampleRate: number;
  /** `auto` takes shared memory where the page has it. */
  transport: Transport | 'auto';
  /** What the page wants at the moment; asked for when the line is made, and at each `update`. */
  settings(): PlayoutSettings;
  /** Hears what the processor tells. Main thread. */
  onEvent(event: PlayoutEvent): void;
}

/**
 * One speaker's way through the output: ring, processor and gain, for speech of one rate.
 *
 * Main thread. Lives until `close`; a line that is idle costs next to nothing.
 */
export class PlayoutNode {
  readonly sampleRate: number;
  readonly transport: Transport;
  readonly #options: PlayoutNodeOptions;
  readonly #capacity: number;
  readonly #control: RingControl;
  #output: AudioOutput;
  #settings: PlayoutSettings;
  #closed = false;
  #closing: Promise<void> | undefined;
  // What belongs to the output's context.
  #node!: AudioWorkletNode;
  #outputNode!: GainNode;
  #target!: AudioNode;
  #ring!: RingDescriptor<MessagePort>;

  constructor(output: AudioOutput, options: PlayoutNodeOptions) {
    const { sampleRate } = options;
    this.sampleRate = sampleRate;
    this.transport = chooseTransport(options.transport);
    this.#options = options;
    this.#output = output;
    this.#settings = options.settings();
    this.#capacity = ringCapacity(sampleRate);
    const ring = this.transport === 'shared' ? new SharedArrayBuffer(ringBytes(this.#capacity)) : null;
    if (ring) initRing(ring, this.#capacity, sampleRate);
    this.#control = new RingControl(ring, sampleRate, (message) => this.#post(message));
    this.#build();
    this.#steer();
  }

  /** For the worker, once; another one after `move`, if it has a port. */
  get ring(): RingDescriptor<MessagePort> {
    return this.#ring;
  }

  /** Everything that is heard of this speaker passes here; another node after `move`. */
  get outputNode(): GainNode {
    return this.#outputNode;
  }

  /** Makes processor and gain in the output's context. */
  #build(): void {
    const { context, backend } = this.#output;
    const { onEvent } = this.#options;
    this.#outputNode = context.createGain();
    this.#outputNode.gain.value = this.#settings.gain;
    const { ring, owner, ...position } = this.#control.claim(this.#capacity);
    const table = this.#table(this.#tableRate);
    this.#node = makeNode(backend, context, {
      numberOfInputs: 0,
      numberOfOutputs: 1,
      outputChannelCount: [1],
      processorOptions: { ring, owner, table } satisfies ProcessorOptions<ResamplerTable>,
    });
    this.#connect();
    this.#node.port.onmessage = ({ data }: MessageEvent<FromProcessor>) => {
      if ('header' in data) this.#control.mirror(data.header);
      else if ('event' in data) onEvent(data);
    };

    if (ring instanceof Int32Array) {
      const { port1, port2 } = new MessageChannel();
      this.#node.port.postMessage({ port: port2 }, [port2]);
      this.#ring = { transport: 'message', port: port1, capacity: this.#capacity, ...position };
    } else {
      this.#ring = { transport: 'shared', memory: ring };
    }
    this.#node.connect(this.#outputNode);
  }

  #connect(): void {
    this.#target = this.#settings.destination ?? this.#output.context.destination;
    try {
      this.#outputNode.connect(this.#target);
    } catch (cause) {
      const message =
        'destination belongs to another AudioContext: set audioContext to the context that made it, or to null.';
      throw new Error(message, { cause });
    }
  }

  /**
   * Goes on in another output, from the sample that is to be heard next, or only by another destination. What is heard
   * falls silent in a ramp first, if the audio thread still runs.
   */
  async move(output: AudioOutput): Promise<void> {
    if (output === this.#output) {
      this.#outputNode.disconnect(this.#target);
      this.update();
      this.#connect();
      return;
    }
    await this.#leave();
    if (this.#closed) return;
    this.#disconnect();
    this.#output = output;
    this.#settings = this.#options.settings();
    this.#build();
    this.#steer();
  }

  /** Falls silent after a ramp and holds its position, or goes on; a `playing` event answers. */
  setPaused(paused: boolean): void {
    this.#control.setPaused(paused);
  }

  /** Takes in what the page has changed; heard at once. */
  update(): void {
    const before = this.#settings;
    const settings = this.#options.settings();
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
  #steer(before?: PlayoutSettings): void {
    const { targetDelayMs, adaptive } = this.#settings;
    const stretch = stretchOf(this.#settings);
    if (targetDelayMs !== before?.targetDelayMs) this.#control.setTargetDelay(targetDelayMs);
    if (adaptive !== before?.adaptive) this.#control.setAdaptive(adaptive);
    if (stretch !== (before && stretchOf(before))) this.#control.setPlaybackRate(stretch);
  }

  /** At once if nothing is heard, else within some 20 ms and without a click. */
  #setGain(gain: number): void {
    const param = this.#outputNode.gain;
    if (this.stats().state === PlayoutState.playing) {
      param.setTargetAtTime(gain, this.#output.context.currentTime, 0.005);
    } else {
      // An approach takes longer than speech may take to begin: that would begin at the old volume.
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

  /** Has the processor fall silent in a ramp and end; it is not waited for long, since its thread may stand still. */
  #leave(): Promise<void> {
    const { port } = this.#node;
    const { onmessage } = port;
    this.#control.release();
    return new Promise((resolve) => {
      setTimeout(resolve, LEAVE_MS);
      port.onmessage = (message: MessageEvent<FromProcessor>) => {
        if ('left' in message.data) resolve();
        else if (!this.#closed) onmessage?.call(port, message);
      };
    });
  }

  /** Falls silent in a ramp, and tells nothing any more. Resolves when nothing is left of it. Idempotent. */
  close(): Promise<void> {
    this.#closing ??= this.#end();
    return this.#closing;
  }

  async #end(): Promise<void> {
    this.#closed = true;
    if (this.#output.context.state === 'running') await this.#leave();
    else this.#control.release();
    this.#disconnect();
  }

  #disconnect(): void {
    // WebKitGTK crashes at times if the port is closed on this side.
    this.#node.port.onmessage = null;
    this.#post({ close: true });
    this.#node.disconnect();
    this.#outputNode.disconnect();
    if (this.#ring.transport === 'message') this.#ring.port.close();
  }
}

/** @throws {Error} If the context has a processor of another version of this package, and none of this one. */
function makeNode(
  backend: AudioBackend,
  context: BaseAudioContext,
  options: AudioWorkletNodeOptions,
): AudioWorkletNode {
  try {
    return backend.createNode(context, PROCESSOR_NAME, options);
  } catch (cause) {
    const message =
      `The worklet file (worklet-url) has no processor ${PROCESSOR_NAME}, so it is of another version: copy that of the ` +
      'version that is in use (see svc-speaker/assets.js).';
    throw new Error(message, { cause });
  }
}

function chooseTransport(wanted: Transport | 'auto'): Transport {
  // WebKitGTK says crossOriginIsolated and has no SharedArrayBuffer all the same: ask for both.
  const able = globalThis.crossOriginIsolated && typeof SharedArrayBuffer !== 'undefined';
  if (wanted === 'shared' && !able) {
    throw new Error(
      'transport="shared" needs a cross-origin isolated page: send Cross-Origin-Opener-Policy: same-origin and ' +
        'Cross-Origin-Embedder-Policy: require-corp with it, or leave the transport on auto.',
    );
  }
  return wanted === 'message' || !able ? 'message' : 'shared';
}

/** The rate at which the time stretch is to work. */
function stretchOf({ playbackRate, preservesPitch }: PlayoutSettings): number {
  return preservesPitch ? playbackRate : 1;
}
