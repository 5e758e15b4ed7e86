import {
  cancelSlot,
  initRing,
  openRing,
  type PlayoutState,
  PREFIX_SLOTS,
  RATE_UNIT,
  ringBytes,
  type RingMemory,
  Slot,
  Stat,
} from './layout.js';
import type { ProcessorOptions, ToProcessor } from './port-message.js';
import type { RingPosition } from './ring-descriptor.js';

/** What the audio thread has counted on a ring since it was made. Samples at the source rate; see `Stat`. */
export interface PlayoutStats {
  readonly state: PlayoutState.Any;
  /** Samples that have come and have not left: neither as sound nor because they were cancelled. */
  readonly bufferedSamples: number;
  /** Fractional: the playback position. */
  readonly emittedSamples: number;
  /** Context time in seconds at which `emittedSamples` was true. */
  readonly emittedAt: number;
  /** Source seconds that leave per second of context time, at `emittedAt`; 0 while none do. */
  readonly pace: number;
  /** Sum over emitted samples of the seconds each spent in the buffer, and of the target delay at that time. */
  readonly jitterBufferDelay: number;
  readonly jitterBufferTargetDelay: number;
  readonly concealedSamples: number;
  readonly silentConcealedSamples: number;
  readonly insertedSamples: number;
  readonly removedSamples: number;
  readonly underruns: number;
}

/**
 * The main thread's hold on a ring: what it asks of the audio thread, and what it reads back.
 *
 * On the shared transport both are loads and stores in the ring itself. On the message transport the audio thread has
 * the ring; requests go by message, and the header comes back as a copy about every 100 ms.
 */
export class RingControl {
  /** The ring, or on the message transport its header as it was last seen. */
  readonly memory: RingMemory;
  readonly #shared: SharedArrayBuffer | null;
  readonly #post: (message: ToProcessor) => void;
  #request = 0;
  #owners = 0;

  /**
   * @param buffer - The ring shared with the audio thread, or null on the message transport.
   * @param post - Reaches the processor; used on the message transport only.
   */
  constructor(buffer: SharedArrayBuffer | null, sampleRate: number, post: (message: ToProcessor) => void) {
    this.#shared = buffer;
    this.#post = post;
    this.memory = buffer === null ? initRing(new ArrayBuffer(ringBytes(2)), 2, sampleRate) : openRing(buffer);
  }

  /**
   * Makes a new processor the consumer of the ring: it goes on with the sample that is to be heard next. There must be
   * no other one, see `release`.
   *
   * @param capacity - Samples that the processor's own ring is to hold, on the message transport.
   * @returns What the processor needs; and where it goes on, which a worker needs to send again what comes then.
   */
  claim(capacity: number): Pick<ProcessorOptions<unknown>, 'ring' | 'owner'> & RingPosition {
    const { header, stats } = this.memory;
    const owner = ++this.#owners;
    // The context that it was told in may be another.
    stats[Stat.emittedAt] = 0;
    Atomics.store(header, Slot.owner, owner);
    const heard = Atomics.load(header, Slot.heard);
    const markRead = Atomics.load(header, Slot.markRead);
    if (this.#shared !== null) return { ring: this.#shared, owner, heard, markRead };
    header[Slot.read] = heard;
    header[Slot.write] = heard;
    header[Slot.markWrite] = markRead;
    const ring = header.slice();
    ring[Slot.capacity] = capacity;
    return { ring, owner, heard, markRead };
  }

  /**
   * Asks the processor to fall silent after a ramp and hold its position, or to go on. Every request to play is
   * answered with a `playing` event when sound leaves.
   */
  setPaused(paused: boolean): void {
    this.#request += paused === (this.#request % 2 === 1) ? 2 : 1;
    this.#set(Slot.request, this.#request);
  }

  /** @param ms - Speech to hold before playback starts, 0 to 4000 ms. */
  setTargetDelay(ms: number): void {
    this.#set(Slot.targetDelayMs, ms);
  }

  /** @param adaptive - Delay and pace follow the network; else they are exactly what was set. */
  setAdaptive(adaptive: boolean): void {
    this.#set(Slot.adaptive, adaptive ? 1 : 0);
  }

  /** @param rate - Seconds of speech per second of listening, 0.5 to 2, at the pitch it came in. */
  setPlaybackRate(rate: number): void {
    this.#set(Slot.playbackRate, Math.round(rate * RATE_UNIT));
  }

  /**
   * Silences and skips utterances, wherever they are. The last is told first, so that the audio thread never goes on
   * from a cancelled utterance to another that is about to be cancelled.
   *
   * @param serials - In the order they are spoken.
   */
  cancel(serials: readonly number[]): void {
    for (const serial of serials.toReversed()) this.#set(cancelSlot(serial), serial);
  }

  /** Has the processor fall silent after a ramp and end. It says when it has left, if its thread still runs. */
  release(): void {
    this.#set(Slot.owner, 0);
  }

  /** Message transport: takes in the header as the audio thread last saw it, but for what the main thread says itself. */
  mirror(header: Int32Array): void {
    const steering = this.memory.header.slice(Slot.request, Slot.request + Slot.LINE);
    this.memory.header.set(header.subarray(0, PREFIX_SLOTS));
    this.memory.header.set(steering, Slot.request);
  }

  /** What the audio thread has counted; on the message transport up to 100 ms ago. */
  stats(): PlayoutStats {
    const { header, stats } = this.memory;
    const emittedSamples = stats[Stat.emittedSamples]!;
    const write = Atomics.load(header, Slot.write);
    // The read index stays behind: a stretch keeps some 40 ms of what it has played.
    const kept = (write - Atomics.load(header, Slot.read)) | 0;
    const waiting = (write - Math.floor(emittedSamples + stats[Stat.discardedSamples]!)) | 0;
    return {
      state: Atomics.load(header, Slot.state) as PlayoutState.Any,
      bufferedSamples: Math.max(0, Math.min(waiting, kept)),
      emittedSamples,
      emittedAt: stats[Stat.emittedAt]!,
      pace: stats[Stat.pace]!,
      jitterBufferDelay: stats[Stat.jitterBufferDelay]!,
      jitterBufferTargetDelay: stats[Stat.jitterBufferTargetDelay]!,
      concealedSamples: stats[Stat.concealedSamples]!,
      silentConcealedSamples: stats[Stat.silentConcealedSamples]!,
      insertedSamples: stats[Stat.insertedSamples]!,
      removedSamples: stats[Stat.removedSamples]!,
      underruns: stats[Stat.underruns]!,
    };
  }

  #set(slot: number, value: number): void {
    Atomics.store(this.memory.header, slot, value);
    if (this.#shared === null) this.#post({ slot, value });
  }
}
