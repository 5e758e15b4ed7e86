import type { ResamplerTable } from '../dsp/index.js';
import {
  type FromProcessor,
  initRing,
  type NewTable,
  type PlayoutEvent,
  type PlayoutStats,
  PROCESSOR_NAME,
  type ProcessorOptions,
  ringBytes,
  ringCapacity,
  RingControl,
  type RingDescriptor,
  type ToProcessor,
  type Transport,
} from '../ring/index.js';
import type { AudioGraph } from './audio-backend.js';
import type { PlayoutSettings, ResamplerQuality } from './playout-settings.js';
import { resamplerTable } from './resampler-tables.js';

/** Time limit for the processor to stop. It stops within milliseconds, unless its thread is not running. */
const STOP_LIMIT_MS = 200;

/** Rate of speech that a session has by default, and rates of most sound devices. Hz. */
const USUAL_RATE = 24_000;
const DEVICE_RATES = [48_000, 44_100] as const;

/** Options of a {@link PlayoutNode}. */
export interface PlayoutNodeOptions {
  /** Rate of the speech, in Hz. */
  readonly sampleRate: number;
  /** `auto` uses shared memory if the page has it. */
  readonly transport: Transport | 'auto';
  /** Returns the page's current settings. Called when the node is created, and at each `update` and `move`. */
  settings(): PlayoutSettings;
  /** Reports an event of the processor. */
  onEvent(event: PlayoutEvent): void;
}

/**
 * One speaker's part of the audio graph, for speech of one sample rate: processor, output node, and the ring that feeds
 * the processor.
 *
 * Main thread. Lives until `close`; it uses almost no CPU while idle.
 */
export class PlayoutNode {
  readonly sampleRate: number;
  readonly transport: Transport;
  readonly #options: PlayoutNodeOptions;
  readonly #capacity: number;
  readonly #control: RingControl;
  #graph: AudioGraph;
  #settings: PlayoutSettings;
  #closing: Promise<void> | undefined;
  // These belong to the graph's context.
  #node!: AudioWorkletNode;
  #outputNode!: GainNode;
  #target!: AudioNode;
  #ring!: RingDescriptor<MessagePort>;

  /**
   * @throws {Error} If the page requests shared memory and has none, if its `destination` belongs to another context,
   *   or if the worklet file has another version.
   */
  constructor(graph: AudioGraph, options: PlayoutNodeOptions) {
    const { sampleRate } = options;
    this.sampleRate = sampleRate;
    this.transport = chooseTransport(options.transport);
    this.#options = options;
    this.#graph = graph;
    this.#settings = options.settings();
    this.#capacity = ringCapacity(sampleRate);
    const ring = this.transport === 'shared' ? new SharedArrayBuffer(ringBytes(this.#capacity)) : null;
    if (ring) initRing(ring, this.#capacity, sampleRate);
    this.#control = new RingControl(ring, sampleRate, (message) => this.#post(message));
    this.#build();
    this.#sendSettings();
  }

  /**
   * The ring, to be sent to the worker once. On the message transport, a new one replaces it after `move` to another
   * context.
   */
  get ring(): RingDescriptor<MessagePort> {
    return this.#ring;
  }

  /** All sound of this speaker passes through this node. A new one replaces it after `move` to another context. */
  get outputNode(): GainNode {
    return this.#outputNode;
  }

  /** Creates the processor and the output node in the graph's context. */
  #build(): void {
    const { context } = this.#graph;
    const { onEvent } = this.#options;
    this.#outputNode = context.createGain();
    const { ring, owner, ...position } = this.#control.claim(this.#capacity);
    const table = this.#table(this.#tableRate);
    this.#node = makeNode(this.#graph, {
      numberOfInputs: 0,
      numberOfOutputs: 1,
      outputChannelCount: [1],
      processorOptions: { ring, owner, table } satisfies ProcessorOptions<ResamplerTable>,
    });
    this.#node.port.onmessage = ({ data }: MessageEvent<FromProcessor>) => {
      if ('header' in data) this.#control.mirror(data.header);
      else if ('event' in data && !this.#control.isOutdated(data)) onEvent(data);
    };

    this.#node.connect(this.#outputNode);
    this.#connect();
    this.#post({ level: levelOf(this.#settings), seconds: 0 });
    if (ring instanceof Int32Array) {
      const { port1, port2 } = new MessageChannel();
      this.#node.port.postMessage({ start: port2 }, [port2]);
      this.#ring = { transport: 'message', port: port1, capacity: this.#capacity, ...position };
    } else {
      this.#post({ start: null });
      this.#ring = { transport: 'shared', memory: ring };
    }
  }

  #reconnect(): void {
    // The page may have connected the output node to an effect of its own.
    if (this.#wantedTarget === this.#target) return;
    try {
      this.#outputNode.disconnect(this.#target);
    } catch {
      // The page has disconnected it, and there is no way to ask.
    }
    this.#connect();
  }

  get #wantedTarget(): AudioNode {
    return this.#settings.destination ?? this.#graph.context.destination;
  }

  #connect(): void {
    this.#target = this.#wantedTarget;
    try {
      this.#outputNode.connect(this.#target);
    } catch (cause) {
      const message =
        'destination belongs to another AudioContext: set audioContext to the context that made it, or to null.';
      throw new Error(message, { cause });
    }
  }

  /**
   * Continues in another graph, from the next sample to be heard. In the same graph, connects to the destination that the
   * page has set now, if that is another one. If the audio thread runs, the sound ramps down before the move.
   */
  async move(graph: AudioGraph): Promise<void> {
    if (graph === this.#graph) {
      this.update();
      this.#reconnect();
      return;
    }
    await this.#stopProcessor();
    if (this.#closing) return;
    this.#disconnect();
    this.#graph = graph;
    this.#settings = this.#options.settings();
    this.#build();
    this.#sendSettings();
  }

  /** Ramps down and holds the position, or resumes. A `playing` event follows when sound is playing again. */
  setPaused(paused: boolean): void {
    this.#control.setPaused(paused);
  }

  /** Applies the changed settings of the page. */
  update(): void {
    const before = this.#settings;
    const settings = this.#options.settings();
    const tableRate = this.#tableRate;
    this.#settings = settings;
    this.#sendLevel(before);
    if (this.#tableRate !== tableRate || settings.resampler !== before.resampler) {
      this.#post({ table: this.#table(this.#tableRate) });
    }
    this.#sendSettings(before);
  }

  /** Source rate of the resampler, in Hz. Differs from the speech's rate if the pitch follows the playback rate. */
  get #tableRate(): number {
    const { playbackRate, preservesPitch } = this.#settings;
    return preservesPitch ? this.sampleRate : Math.round(this.sampleRate * playbackRate);
  }

  #table(fromRate: number): ResamplerTable {
    const isShared = this.transport === 'shared';
    return resamplerTable(fromRate, this.#graph.context.sampleRate, this.#settings.resampler, isShared);
  }

  #post(message: ToProcessor | NewTable<ResamplerTable>): void {
    this.#node.port.postMessage(message);
  }

  /** Sends the level to the processor, unless it equals that of `before`. */
  #sendLevel(before: PlayoutSettings): void {
    const { gain, ducking } = this.#settings;
    if (gain === before.gain && ducking === before.ducking) return;
    const seconds = ducking === before.ducking ? 0 : ducking.ms / 1000;
    this.#post({ level: levelOf(this.#settings), seconds });
  }

  /** Sends the audio thread each setting that differs from `before`; all of them if `before` is omitted. */
  #sendSettings(before?: PlayoutSettings): void {
    const { targetDelayMs, leadInMs, adaptive } = this.#settings;
    const stretch = stretchOf(this.#settings);
    if (targetDelayMs !== before?.targetDelayMs) this.#control.setTargetDelay(targetDelayMs);
    if (leadInMs !== before?.leadInMs) this.#control.setLeadIn(leadInMs);
    if (adaptive !== before?.adaptive) this.#control.setAdaptive(adaptive);
    if (stretch !== (before && stretchOf(before))) this.#control.setPlaybackRate(stretch);
  }

  /** Silences utterances and skips their samples in the ring. @param serials - In the order they are spoken. */
  cancel(serials: readonly number[]): void {
    this.#control.cancel(serials);
  }

  /**
   * Fades out, and skips everything in the ring before the mark of this seek. Events from before the seek are not
   * reported.
   *
   * @returns Number of the seek, for the worker.
   */
  seek(): number {
    return this.#control.seek();
  }

  /**
   * Counters of the audio thread; up to 100 ms old on the message transport. Until a pace is measured, `pace` is the
   * requested one.
   */
  stats(): PlayoutStats {
    const stats = this.#control.stats();
    return stats.pace > 0 ? stats : { ...stats, pace: this.#settings.playbackRate };
  }

  /** Resolves when the processor has ramped down and stopped, or after `STOP_LIMIT_MS`. */
  #stopProcessor(): Promise<void> {
    const { port } = this.#node;
    const { onmessage } = port;
    this.#control.release();
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, STOP_LIMIT_MS);
      port.onmessage = (message: MessageEvent<FromProcessor>) => {
        if ('left' in message.data) {
          clearTimeout(timer);
          resolve();
        } else if (!this.#closing) {
          onmessage?.call(port, message);
        }
      };
    });
  }

  /** Ramps down and stops reporting events. Resolves when all nodes are disconnected. Idempotent. */
  close(): Promise<void> {
    this.#closing ??= this.#end();
    return this.#closing;
  }

  async #end(): Promise<void> {
    if (this.#graph.context.state === 'running') await this.#stopProcessor();
    else this.#control.release();
    this.#disconnect();
  }

  #disconnect(): void {
    // Quirk `webkitgtk-port-close-crash`: WebKitGTK may crash if the page closes the port, so the processor closes its
    // end. It has no test: the crash took many minutes.
    this.#node.port.onmessage = null;
    this.#post({ close: true });
    this.#node.disconnect();
    this.#outputNode.disconnect();
    if (this.#ring.transport === 'message') this.#ring.port.close();
  }
}

/** @throws {Error} If the context has only the processor of another version of this package. */
function makeNode({ backend, context }: AudioGraph, options: AudioWorkletNodeOptions): AudioWorkletNode {
  try {
    return backend.createNode(context, PROCESSOR_NAME, options);
  } catch (cause) {
    const message =
      `The worklet file (worklet-url) has no processor ${PROCESSOR_NAME}, so it is of another version: copy that of the ` +
      'version that is in use (see svc-speaker/assets.js).';
    throw new Error(message, { cause });
  }
}

/** @throws {Error} If the page requests shared memory and has none. */
function chooseTransport(wanted: Transport | 'auto'): Transport {
  // Quirk `webkitgtk-no-shared-memory`: `crossOriginIsolated` is true, but SharedArrayBuffer does not exist.
  // https://bugs.webkit.org/show_bug.cgi?id=317847
  const isAble = globalThis.crossOriginIsolated && typeof SharedArrayBuffer !== 'undefined';
  if (wanted === 'shared' && !isAble) {
    throw new Error(
      'transport="shared" needs a cross-origin isolated page: send Cross-Origin-Opener-Policy: same-origin and ' +
        'Cross-Origin-Embedder-Policy: require-corp with it, or, for Chromium only, Document-Isolation-Policy: ' +
        'isolate-and-require-corp. Or leave the transport on auto.',
    );
  }
  return wanted === 'message' || !isAble ? 'message' : 'shared';
}

/**
 * Designs the resampler tables for speech at the usual rate, for both rates that devices have. Takes a few milliseconds.
 *
 * @throws {Error} If the page wants shared memory and has none.
 */
export function prepareTables(wanted: Transport | 'auto', quality: ResamplerQuality): void {
  const isShared = chooseTransport(wanted) === 'shared';
  for (const rate of DEVICE_RATES) resamplerTable(USUAL_RATE, rate, quality, isShared);
}

function levelOf({ gain, ducking }: PlayoutSettings): number {
  return gain * ducking.to;
}

/** Rate of the time stretch; 1 if the resampler changes the pace and the pitch together. */
function stretchOf({ playbackRate, preservesPitch }: PlayoutSettings): number {
  return preservesPitch ? playbackRate : 1;
}
