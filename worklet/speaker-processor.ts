import type { ResamplerTable } from '../src/dsp/index.js';
import {
  type FromProcessor,
  type MessagePortLike,
  type NewTable,
  type NodeOptions,
  openRing,
  type PlayoutEvent,
  PREFIX_SLOTS,
  type RingMemory,
  Slot,
  type ToProcessor,
} from '../src/ring/index.js';
import { OutputActivity } from './lead-in.js';
import { Playout } from './playout.js';
import { MAX_QUANTUM } from './run.js';
import { WarmUp } from './warm-up.js';
import { makeRing, WorkerLink } from './worker-link.js';

/** Minimum duration of a change of the level, so that it does not click. */
const RAMP_SECONDS = 0.02;
/** Seconds between two reports on the message transport. */
const REPORT_SECONDS = 0.1;

/**
 * Quirk `chromium-silent-sink`: if a context is silent for 30 s, Chromium drives it by a timer instead of the audio
 * device. The timer is irregular (SilentSinkSuspender, https://crbug.com/40247085). A speaker that waits for speech
 * therefore emits one sample of this level at this interval.
 */
const SILENCE_SECONDS = 10;
const FAINTEST = 1e-6;

/** The warm-up of the audio thread. The first processor of the context begins it, and all of them continue it. */
let warmUp: 'needed' | WarmUp | 'done' = 'needed';

/** Activity of the output of this context. */
const output = new OutputActivity(Date.now);

/** The audio thread's end of a speaker: mono output, no input. It ends when it no longer owns the ring. */
export class SpeakerProcessor extends AudioWorkletProcessor {
  readonly #memory: RingMemory;
  readonly #owner: number;
  readonly #playout: Playout;
  readonly #link: WorkerLink | null = null;
  /** Events of the current quantum. They are posted after the header, so that the main thread has their position. */
  readonly #events: FromProcessor[] = [];
  /** False until the node is connected: a processor runs before that, but its output would not be heard. */
  #isStarted = false;
  /** Context frame at which the next report is due; 0 for an immediate one. */
  #reportAt = 0;
  /** Context frame that follows the last one rendered. */
  #nextFrame = 0;
  /** Context frame since which the output is silent. */
  #silentSince = 0;

  constructor(options: NodeOptions<ResamplerTable>) {
    super();
    const { ring, owner, table } = options.processorOptions;
    if (ring instanceof Int32Array) {
      this.#memory = openRing(makeRing(ring));
      this.#link = new WorkerLink(this.#memory);
    } else {
      this.#memory = openRing(ring);
    }
    this.#owner = owner;
    this.#playout = new Playout(this.#memory, table, (event) => this.#note(event), output);
    if (warmUp === 'needed') warmUp = new WarmUp(table);
    this.port.onmessage = ({ data }: { data: ToProcessor | NewTable<ResamplerTable> }) => {
      if ('start' in data) this.#start(data.start);
      else if ('close' in data) this.port.close();
      else if ('table' in data) this.#playout.setTable(data.table);
      else if ('slot' in data) Atomics.store(this.#memory.header, data.slot, data.value);
      else this.#playout.level.approach(data.level, Math.max(data.seconds, RAMP_SECONDS) * sampleRate);
    };
  }

  process(_inputs: unknown, outputs: readonly (readonly Float32Array[])[]): boolean {
    const block = outputs[0]?.[0];
    if (!block) return true;
    // A new owner of the ring plays on once this processor has faded out.
    if (Atomics.load(this.#memory.header, Slot.owner) !== this.#owner && this.#playout.leave()) {
      this.#leave();
      return false;
    }
    // Quirk `chromium-repeated-frame`: Chromium does not update currentFrame in a quantum in which the main thread
    // holds the lock of the graph.
    const frame = Math.max(currentFrame, this.#nextFrame);
    this.#nextFrame = frame + block.length;
    if (!this.#isStarted) return true;
    if (block.length <= MAX_QUANTUM) this.#playout.render(block, frame);
    else this.#renderInParts(block, frame);
    if (this.#playout.isArmed) this.#stayAwake(block, frame);
    if (typeof warmUp === 'object' && !this.#playout.isSounding && !warmUp.step()) warmUp = 'done';
    const link = this.#link;
    // After a seek or a cancel, the worker may wait for room for the speech that plays next.
    if (link !== null && (frame >= this.#reportAt || link.hasDiscarded)) this.#reportHeader(link);
    while (this.#events.length > 0) this.#post(this.#events.shift()!);
    return true;
  }

  /** @param port - Port to the worker on the message transport; otherwise null. */
  #start(port: MessagePortLike | null): void {
    this.#isStarted = true;
    if (port) this.#link?.connect(port);
  }

  /** Renders a block of a context whose render quantum is larger than any in use today. */
  #renderInParts(block: Float32Array, frame: number): void {
    for (let from = 0; from < block.length; from += MAX_QUANTUM) {
      this.#playout.render(block.subarray(from, from + MAX_QUANTUM), frame + from);
    }
  }

  #stayAwake(block: Float32Array, frame: number): void {
    for (let i = 0; i < block.length; i++) {
      if (block[i] !== 0) {
        this.#silentSince = frame;
        return;
      }
    }
    if (frame - this.#silentSince < SILENCE_SECONDS * sampleRate) return;
    block[0] = FAINTEST;
    this.#silentSince = frame;
  }

  #note(event: PlayoutEvent): void {
    this.#events.push({ ...event, seek: this.#playout.seekNumber });
    this.#reportAt = 0;
  }

  /**
   * Message transport: reports released space to the worker, and the header to the main thread. Does nothing if
   * nothing was written or read since the last report, unless `#reportAt` is 0.
   */
  #reportHeader(link: WorkerLink): void {
    if (!link.report() && this.#reportAt !== 0) return;
    this.#reportAt = this.#nextFrame + REPORT_SECONDS * sampleRate;
    this.#post({ header: this.#memory.header.slice(0, PREFIX_SLOTS) });
  }

  /**
   * Sends the last messages. The port is closed later, by the main thread (quirk `webkitgtk-lost-post`), because
   * WebKitGTK sometimes drops messages that were posted just before.
   */
  #leave(): void {
    this.#reportAt = 0;
    if (this.#link !== null) this.#reportHeader(this.#link);
    this.#post({ left: true });
    this.#link?.close();
  }

  #post(message: FromProcessor): void {
    this.port.postMessage(message);
  }
}
