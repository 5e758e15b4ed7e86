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
import type { Clock } from '../base/clock.js';

/** The path to the audio thread. Takes samples and marks in the order in which they play. */
export interface RingFeed {
  /** Number of samples that were written and that the audio thread has not released. */
  readonly held: number;
  /**
   * Writes as many samples of `samples[from, from + count)` as there is room for.
   *
   * @param samples - The feed may keep them. Do not modify them afterwards.
   * @returns Number of samples written.
   */
  write(samples: Int16Array, from: number, count: number): number;
  /** Sets a mark after the samples written so far. Returns false if there is no room for it now. */
  mark(kind: MarkKind.Any, serial: number): boolean;
  /**
   * Calls `retry` once, when there may be room again. A second call replaces the first.
   *
   * @param isUrgent - True if there will be room within milliseconds. The message transport does not need it, because
   *   the worklet reports that room at once.
   */
  whenRoom(retry: () => void, isUrgent?: boolean): void;
  /** Message transport: continues with another processor, from the sample and the mark that it needs next. */
  reconnect(next: PortRing<MessagePort>): void;
  /** Closes the port and stops all timers. Samples that were written stay with the audio thread. */
  close(): void;
}

/** Interval at which writing to a full ring is tried again. The ring holds 30 s. */
const DRAIN_INTERVAL_MS = 100;
/** The same after a seek, when the audio thread empties the ring within a render quantum and a ramp of 4 ms. */
const URGENT_INTERVAL_MS = 4;
/** Number of samples that are posted at once: 20 ms at the usual 24 kHz. */
const CHUNK_SAMPLES = 480;
/** Longest time that fewer samples wait for more. */
const CHUNK_WAIT_MS = 10;

/** Opens the feed for `descriptor`. Worker thread. */
export function openRingFeed(descriptor: RingDescriptor<MessagePort>, clock: Clock): RingFeed {
  return descriptor.transport === 'shared'
    ? new SharedRingFeed(descriptor.memory, clock)
    : new MessageRingFeed(descriptor, clock);
}

/** Writes into a ring that the audio thread reads. */
class SharedRingFeed implements RingFeed {
  readonly #writer: RingWriter;
  readonly #clock: Clock;
  #stopWaiting = (): void => {};

  constructor(memory: SharedArrayBuffer, clock: Clock) {
    this.#writer = new RingWriter(openRing(memory));
    this.#clock = clock;
  }

  get held(): number {
    return this.#writer.held;
  }

  write(samples: Int16Array, from: number, count: number): number {
    return this.#writer.write(samples, from, count);
  }

  mark(kind: MarkKind.Any, serial: number): boolean {
    return this.#writer.mark(kind, serial);
  }

  whenRoom(retry: () => void, isUrgent = false): void {
    this.#stopWaiting();
    this.#stopWaiting = this.#clock.after(isUrgent ? URGENT_INTERVAL_MS : DRAIN_INTERVAL_MS, retry);
  }

  /** Does nothing, because the next processor reads the same memory. */
  reconnect(): void {}

  close(): void {
    this.#stopWaiting();
  }
}

/** Samples, or a mark, that the worklet has not released yet. */
type Kept = Int16Array | { mark: MarkKind.Any; serial: number };

/**
 * Posts chunks to a worklet that keeps the ring itself, and never more than fits into that ring.
 *
 * Samples are copied once, when the pieces of a chunk are joined, and the copy is transferred. The pieces are kept
 * until the worklet releases them, because another worklet may have to continue.
 */
class MessageRingFeed implements RingFeed {
  #port!: MessagePort;
  readonly #clock: Clock;
  readonly #capacity: number;
  held = 0;
  #markRoom = MARK_CAPACITY;
  /** Positions up to which the worklet has released samples and marks. */
  #read: number;
  #markRead: number;
  /** In order. The first piece begins with its first sample that was not released. */
  #kept: Kept[] = [];
  /** Number of samples in the pieces at the end of `#kept` that were not posted yet. */
  #gathered = 0;
  #stopWaiting = (): void => {};
  #retry: (() => void) | null = null;

  constructor({ port, capacity, heard, markRead }: PortRing<MessagePort>, clock: Clock) {
    this.#clock = clock;
    this.#capacity = capacity;
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

  /** Drops the pieces and marks before these positions. */
  #takeBack(read: number, markRead: number): void {
    let samples = Math.max(0, (read - this.#read) | 0);
    let marks = Math.max(0, (markRead - this.#markRead) | 0);
    this.#read = read;
    this.#markRead = markRead;
    this.held -= samples;
    this.#markRoom += marks;
    this.#kept = this.#kept.flatMap((item) => {
      if ('mark' in item) return --marks < 0 ? item : [];
      const rest = samples > 0 ? item.subarray(samples) : item;
      samples -= item.length - rest.length;
      return rest.length > 0 ? rest : [];
    });
  }

  reconnect({ port, heard, markRead }: PortRing<MessagePort>): void {
    this.#port.close();
    this.#listen(port);
    this.#takeBack(heard, markRead);
    this.#stopWaiting();
    const kept = this.#kept;
    this.#kept = [];
    this.#gathered = 0;
    for (const item of kept) {
      if ('mark' in item) this.#postMark(item);
      else this.#gather(item);
    }
    this.#flush();
  }

  write(samples: Int16Array, from: number, count: number): number {
    const taken = Math.min(count, this.#capacity - this.held);
    if (taken === 0) return 0;
    this.held += taken;
    this.#gather(samples.subarray(from, from + taken));
    return taken;
  }

  mark(kind: MarkKind.Any, serial: number): boolean {
    if (this.#markRoom === 0) return false;
    this.#markRoom--;
    this.#postMark({ mark: kind, serial });
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

  #postMark(mark: ToWorklet & Kept): void {
    this.#flush();
    this.#kept.push(mark);
    this.#port.postMessage(mark);
  }

  #gather(piece: Int16Array): void {
    if (this.#gathered === 0) this.#stopWaiting = this.#clock.after(CHUNK_WAIT_MS, () => this.#flush());
    this.#kept.push(piece);
    this.#gathered += piece.length;
    if (this.#gathered >= CHUNK_SAMPLES) this.#flush();
  }

  /** Posts the waiting pieces as one chunk. */
  #flush(): void {
    this.#stopWaiting();
    if (this.#gathered === 0) return;
    const samples = new Int16Array(this.#gathered);
    for (let i = this.#kept.length - 1; this.#gathered > 0; i--) {
      const piece = this.#kept[i] as Int16Array;
      this.#gathered -= piece.length;
      samples.set(piece, this.#gathered);
    }
    this.#port.postMessage({ samples } satisfies ToWorklet, [samples.buffer]);
  }
}
