import type { ResamplerTable } from '../src/dsp/index.js';
import {
  type FromProcessor,
  type FromWorklet,
  type MessagePortLike,
  type NewTable,
  type NodeOptions,
  openRing,
  type PlayoutEvent,
  PREFIX_SLOTS,
  ringBytes,
  type RingMemory,
  RingWriter,
  Slot,
  type ToProcessor,
  type ToWorklet,
} from '../src/ring/index.js';
import { MAX_QUANTUM, Playout } from './playout.js';
import { WarmUp } from './warm-up.js';

/** Seconds between reports on the message transport. */
const REPORT_SECONDS = 0.1;

/**
 * Chromium takes a context that has been silent for 30 s off the device and drives it by a timer, irregularly (its
 * SilentSinkSuspender): so often, a sample of so much is put into the silence of a speaker that is about to speak.
 */
const SILENCE_SECONDS = 10;
const FAINTEST = 1e-6;

/** Under way for the first speaker of the context; null once it is over. */
let warmUp: WarmUp | null | undefined;

/**
 * The audio thread's end of a speaker: mono, no input. It ends itself when it is not the ring's owner any more.
 */
export class SpeakerProcessor extends AudioWorkletProcessor {
  readonly #memory: RingMemory;
  readonly #owner: number;
  readonly #playout: Playout;
  readonly #link: WorkerLink | null = null;
  /** Context frame from which on the next report is due; 0 for one at once. */
  #reportAt = 0;
  /** Context frame that follows the last one rendered. */
  #nextFrame = 0;
  /** Context frame since which there has been silence. */
  #silentSince = 0;

  constructor(options: NodeOptions<ResamplerTable>) {
    super();
    const { ring, owner, table } = options.processorOptions;
    const own = ring instanceof Int32Array;
    this.#memory = openRing(own ? ringOf(ring) : ring);
    if (own) this.#link = new WorkerLink(this.#memory);
    this.#owner = owner;
    this.#playout = new Playout(this.#memory, table, (event) => this.#tell(event));
    if (warmUp === undefined) warmUp = new WarmUp(table);
    this.port.onmessage = ({ data }: { data: ToProcessor | NewTable<ResamplerTable> }) => {
      if ('port' in data) this.#link?.connect(data.port);
      else if ('close' in data) this.port.close();
      else if ('table' in data) this.#playout.setTable(data.table);
      else Atomics.store(this.#memory.header, data.slot, data.value);
    };
  }

  process(_inputs: unknown, outputs: readonly (readonly Float32Array[])[]): boolean {
    const block = outputs[0]?.[0];
    if (!block) return true;
    if (Atomics.load(this.#memory.header, Slot.owner) !== this.#owner && this.#playout.leave()) {
      this.#reportAt = 0;
      if (this.#link !== null) this.#report(this.#link);
      this.#post({ left: true });
      this.#link?.close();
      // The port is closed when the page says so: WebKitGTK drops at times what has just been posted.
      return false;
    }
    // Chromium does not update currentFrame in a quantum in which the main thread holds the graph's lock.
    const frame = Math.max(currentFrame, this.#nextFrame);
    this.#nextFrame = frame + block.length;
    if (block.length <= MAX_QUANTUM) this.#playout.render(block, frame);
    else this.#renderInParts(block, frame);
    if (this.#playout.armed) this.#stayAwake(block, frame);
    if (warmUp && !this.#playout.sounding && !warmUp.step()) warmUp = null;
    if (this.#link !== null && frame >= this.#reportAt) this.#report(this.#link);
    return true;
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

  #tell(event: PlayoutEvent): void {
    this.#post(event);
    if (event.event === 'drained') this.#reportAt = 0;
  }

  #post(message: FromProcessor): void {
    this.port.postMessage(message);
  }

  /** Message transport: the worker learns what is free again, the main thread what there is to see. */
  #report(link: WorkerLink): void {
    if (!link.report() && this.#reportAt !== 0) return;
    this.#reportAt = this.#nextFrame + REPORT_SECONDS * sampleRate;
    this.#post({ header: this.#memory.header.slice(0, PREFIX_SLOTS) });
  }

  /** For a context whose render quantum is larger than any in use today. */
  #renderInParts(block: Float32Array, frame: number): void {
    for (let from = 0; from < block.length; from += MAX_QUANTUM) {
      this.#playout.render(block.subarray(from, from + MAX_QUANTUM), frame + from);
    }
  }
}

/** Message transport: makes the ring that belongs to a header. */
function ringOf(header: Int32Array): ArrayBuffer {
  const buffer = new ArrayBuffer(ringBytes(header[Slot.capacity]!));
  new Int32Array(buffer).set(header);
  return buffer;
}

/** Message transport: the port on which the worker sends samples, and the producer's end of the ring they go into. */
class WorkerLink {
  readonly #header: Int32Array;
  readonly #writer: RingWriter;
  #port: MessagePortLike | null = null;
  #read = 0;
  #markRead = 0;
  #write = 0;

  constructor(memory: RingMemory) {
    this.#header = memory.header;
    this.#writer = new RingWriter(memory);
    this.#read = this.#write = Atomics.load(memory.header, Slot.read);
    this.#markRead = Atomics.load(memory.header, Slot.markRead);
  }

  /** The worker sends no more than it has been told is free, so that every write fits. */
  connect(port: MessagePortLike): void {
    this.#port = port;
    port.onmessage = ({ data }: { data: ToWorklet }) => {
      if ('samples' in data) this.#writer.write(data.samples, 0, data.samples.length);
      else this.#writer.mark(data.mark, data.serial);
    };
  }

  /** Tells the worker what has been consumed. False if nothing has come or gone. */
  report(): boolean {
    const write = Atomics.load(this.#header, Slot.write);
    const read = Atomics.load(this.#header, Slot.read);
    const markRead = Atomics.load(this.#header, Slot.markRead);
    const come = write !== this.#write;
    this.#write = write;
    if ((read === this.#read && markRead === this.#markRead) || this.#port === null) return come;
    this.#read = read;
    this.#markRead = markRead;
    this.#port.postMessage({ read, markRead } satisfies FromWorklet);
    return true;
  }

  close(): void {
    this.#port?.close();
  }
}
