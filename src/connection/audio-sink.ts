import {
  type FromWorklet,
  MARK_CAPACITY,
  type MarkKind,
  openRing,
  type PortRing,
  type RingDescriptor,
  RingWriter,
  type ToWorklet,
} from '../ring/index.js';
import type { Clock } from './clock.js';

/** Samples and marks go in here in the order they are to be heard; the audio thread is at the other end. */
export interface AudioSink {
  /**
   * Takes samples from `samples[from, from + count)`, as many as there is room for.
   *
   * @returns Samples taken; the rest is still the caller's.
   */
  write(samples: Int16Array, from: number, count: number): number;
  /** Sets a mark behind the samples taken so far. False if there is no room for it now. */
  mark(kind: MarkKind.Any, serial: number): boolean;
  /** Calls `retry` once when there may be room again. One at a time: a second call replaces the first. */
  whenRoom(retry: () => void): void;
  /** Message transport: goes on with another processor, at the sample and the mark that it wants next. */
  reconnect(next: PortRing<MessagePort>): void;
  /** Gives up the port and every timer. What was taken stays with the audio thread. */
  close(): void;
}

/** How often a full ring is looked at. Thirty seconds fit into it, so there is no hurry. */
const DRAIN_INTERVAL_MS = 100;
/** Samples that are worth a message of their own: 20 ms at the usual 24 kHz. */
const CHUNK_SAMPLES = 480;
/** How long fewer samples than that may wait for company. */
const CHUNK_WAIT_MS = 10;

/** Opens what a descriptor describes. Worker thread. */
export function openSink(descriptor: RingDescriptor<MessagePort>, clock: Clock): AudioSink {
  return descriptor.transport === 'shared'
    ? new SharedSink(descriptor.memory, clock)
    : new MessageSink(descriptor, clock);
}

/** Writes into a ring that the audio thread reads. */
class SharedSink implements AudioSink {
  readonly #writer: RingWriter;
  readonly #clock: Clock;
  #stopWaiting = (): void => {};

  constructor(memory: SharedArrayBuffer, clock: Clock) {
    this.#writer = new RingWriter(openRing(memory));
    this.#clock = clock;
  }

  write(samples: Int16Array, from: number, count: number): number {
    return this.#writer.write(samples, from, count);
  }

  mark(kind: MarkKind.Any, serial: number): boolean {
    return this.#writer.mark(kind, serial);
  }

  whenRoom(retry: () => void): void {
    this.#stopWaiting();
    this.#stopWaiting = this.#clock.after(DRAIN_INTERVAL_MS, retry);
  }

  /** The next processor reads the same memory. */
  reconnect(): void {}

  close(): void {
    this.#stopWaiting();
  }
}

/**
 * Posts chunks to a worklet that keeps the ring itself, never more than that ring has room for. What is posted is kept
 * until the worklet gives it back, for a worklet that may come after it.
 */
class MessageSink implements AudioSink {
  #port!: MessagePort;
  readonly #clock: Clock;
  #room: number;
  #markRoom = MARK_CAPACITY;
  /** Places up to which samples and marks were given back. */
  #read: number;
  #markRead: number;
  #pieces: Int16Array[] = [];
  #gathered = 0;
  /** In the order they were posted; the first one less what was given back of it. */
  #posted: ToWorklet[] = [];
  #stopWaiting = (): void => {};
  #retry: (() => void) | null = null;

  constructor({ port, capacity, heard, markRead }: PortRing<MessagePort>, clock: Clock) {
    this.#clock = clock;
    this.#room = capacity;
    this.#read = heard;
    this.#markRead = markRead;
    this.#listen(port);
  }

  #listen(port: MessagePort): void {
    this.#port = port;
    port.onmessage = ({ data }: MessageEvent<FromWorklet>) => {
      this.#takeBack(data.read, data.markRead);
      const retry = this.#retry;
      this.#retry = null;
      retry?.();
    };
  }

  /** What is before these places is not needed any more. */
  #takeBack(read: number, markRead: number): void {
    let samples = Math.max(0, (read - this.#read) | 0);
    let marks = Math.max(0, (markRead - this.#markRead) | 0);
    this.#read = read;
    this.#markRead = markRead;
    this.#room += samples;
    this.#markRoom += marks;
    const kept: ToWorklet[] = [];
    for (const item of this.#posted) {
      if ('mark' in item) {
        if (--marks < 0) kept.push(item);
      } else {
        const rest = item.samples.subarray(samples);
        samples -= item.samples.length - rest.length;
        if (rest.length > 0) kept.push({ samples: rest });
      }
    }
    this.#posted = kept;
  }

  reconnect({ port, heard, markRead }: PortRing<MessagePort>): void {
    this.#port.close();
    this.#listen(port);
    this.#takeBack(heard, markRead);
    for (const item of this.#posted) port.postMessage(item);
  }

  write(samples: Int16Array, from: number, count: number): number {
    const taken = Math.min(count, this.#room);
    if (taken === 0) return 0;
    this.#room -= taken;
    if (this.#gathered === 0) this.#stopWaiting = this.#clock.after(CHUNK_WAIT_MS, () => this.#flush());
    this.#pieces.push(samples.subarray(from, from + taken));
    this.#gathered += taken;
    if (this.#gathered >= CHUNK_SAMPLES) this.#flush();
    return taken;
  }

  mark(kind: MarkKind.Any, serial: number): boolean {
    if (this.#markRoom === 0) return false;
    this.#markRoom--;
    this.#flush();
    this.#post({ mark: kind, serial });
    return true;
  }

  whenRoom(retry: () => void): void {
    this.#retry = retry;
  }

  close(): void {
    this.#stopWaiting();
    this.#retry = null;
    this.#port.close();
  }

  #flush(): void {
    this.#stopWaiting();
    if (this.#gathered === 0) return;
    const samples = new Int16Array(this.#gathered);
    let at = 0;
    for (const piece of this.#pieces) {
      samples.set(piece, at);
      at += piece.length;
    }
    this.#pieces = [];
    this.#gathered = 0;
    this.#post({ samples });
  }

  #post(item: ToWorklet): void {
    this.#posted.push(item);
    this.#port.postMessage(item);
  }
}
