import {
  type FromWorklet,
  MarkKind,
  type MessagePortLike,
  ringBytes,
  type RingMemory,
  RingWriter,
  Slot,
  type ToWorklet,
} from '../src/ring/index.js';

/** Makes the ring for a header. Message transport; allocates. */
export function makeRing(header: Int32Array): ArrayBuffer {
  const buffer = new ArrayBuffer(ringBytes(header[Slot.capacity]!));
  new Int32Array(buffer).set(header);
  return buffer;
}

/**
 * Message transport: writes samples and marks from the worker into the processor's own ring, and reports released space
 * to the worker. Audio thread.
 */
export class WorkerLink {
  readonly #header: Int32Array;
  readonly #writer: RingWriter;
  #port: MessagePortLike | null = null;
  /** Positions at the last `report`. */
  #read: number;
  #markRead: number;
  #write: number;

  constructor(memory: RingMemory) {
    this.#header = memory.header;
    this.#writer = new RingWriter(memory);
    this.#read = this.#write = Atomics.load(memory.header, Slot.read);
    this.#markRead = Atomics.load(memory.header, Slot.markRead);
  }

  /** Listens on the port to the worker. The worker never posts more than was reported free, so every write fits. */
  connect(port: MessagePortLike): void {
    this.#port = port;
    port.onmessage = ({ data }: { data: ToWorklet }) => {
      if ('samples' in data) {
        this.#writer.write(data.samples, 0, data.samples.length);
        return;
      }
      this.#writer.mark(data.mark, data.serial);
      // The mark may overtake the main thread's message.
      const isNewer = ((data.serial - Atomics.load(this.#header, Slot.seek)) | 0) > 0;
      if (data.mark === MarkKind.seek && isNewer) Atomics.store(this.#header, Slot.seek, data.serial);
    };
  }

  /** True if more was released since the last report than can play in its interval: speech was discarded. */
  get hasDiscarded(): boolean {
    return ((Atomics.load(this.#header, Slot.read) - this.#read) | 0) > this.#header[Slot.sampleRate]! / 2;
  }

  /** Reports to the worker what was read. Returns true if anything was written or read since the last report. */
  report(): boolean {
    const write = Atomics.load(this.#header, Slot.write);
    const read = Atomics.load(this.#header, Slot.read);
    const markRead = Atomics.load(this.#header, Slot.markRead);
    const wasWritten = write !== this.#write;
    this.#write = write;
    if ((read === this.#read && markRead === this.#markRead) || this.#port === null) return wasWritten;
    this.#read = read;
    this.#markRead = markRead;
    this.#port.postMessage({ read, markRead } satisfies FromWorklet);
    return true;
  }

  close(): void {
    this.#port?.close();
  }
}
