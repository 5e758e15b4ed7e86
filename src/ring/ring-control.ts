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

/** Statistics of a ring since it was made, as defined by `Stat`. Samples are at the rate of the speech. */
export interface PlayoutStats {
  readonly state: PlayoutState.Any;
  /** Samples in the ring that have been neither emitted nor skipped because they were cancelled. */
  readonly bufferedSamples: number;
  readonly emittedSamples: number;
  /** Samples emitted since the latest seek or the start: the playback position. 0 until the seek takes effect. */
  readonly playedSamples: number;
  /** Context time in seconds to which `emittedSamples` applies. */
  readonly emittedAt: number;
  /** Seconds of speech emitted per second of context time, at `emittedAt`; 0 while none are. */
  readonly pace: number;
  /** Sums over the emitted samples, in seconds: the time each spent in the buffer, and the target delay then. */
  readonly jitterBufferDelay: number;
  readonly jitterBufferTargetDelay: number;
  readonly concealedSamples: number;
  readonly silentConcealedSamples: number;
  readonly insertedSamples: number;
  readonly removedSamples: number;
  readonly underruns: number;
}

/**
 * The main thread's end of a ring. It controls the audio thread and reads the statistics.
 *
 * On the shared transport, both are loads and stores in the ring itself. On the message transport, the ring is on the
 * audio thread: requests are posted, and a copy of the header comes back about every 100 ms, and before each event.
 */
export class RingControl {
  /** The ring. On the message transport, the latest copy of its header. */
  readonly memory: RingMemory;
  readonly #shared: SharedArrayBuffer | null;
  readonly #post: (message: ToProcessor) => void;
  #request = 0;
  #owners = 0;
  #seek = 0;

  /**
   * @param buffer - The ring; null on the message transport.
   * @param post - Posts to the processor; used on the message transport only.
   */
  constructor(buffer: SharedArrayBuffer | null, sampleRate: number, post: (message: ToProcessor) => void) {
    this.#shared = buffer;
    this.#post = post;
    this.memory = buffer === null ? initRing(new ArrayBuffer(ringBytes(2)), 2, sampleRate) : openRing(buffer);
  }

  /**
   * Makes a new processor the consumer of the ring. It continues with the sample that plays next. Call `release` for
   * the previous one.
   *
   * @param capacity - Message transport: capacity in samples of the processor's own ring.
   * @returns Options for the processor, and the position at which it continues. The worker posts everything after it
   *   again.
   */
  claim(capacity: number): Pick<ProcessorOptions<unknown>, 'ring' | 'owner'> & RingPosition {
    const { header, stats } = this.memory;
    const owner = ++this.#owners;
    // The time of another context has no meaning in this one.
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
   * Asks the processor to fade out and hold its position, or to continue. It answers every request to play with a
   * `playing` event when sound begins.
   */
  setPaused(paused: boolean): void {
    this.#request += paused === (this.#request % 2 === 1) ? 2 : 1;
    this.#set(Slot.request, this.#request);
  }

  /** @param ms - Milliseconds of speech to hold before playback starts, 0 to 4000. */
  setTargetDelay(ms: number): void {
    this.#set(Slot.targetDelayMs, ms);
  }

  /** @param ms - Milliseconds of inaudible signal before speech, if the output was idle, 0 to 1000. */
  setLeadIn(ms: number): void {
    this.#set(Slot.leadInMs, ms);
  }

  /** @param adaptive - True if delay and pace follow the network. If false, they keep the values that were set. */
  setAdaptive(adaptive: boolean): void {
    this.#set(Slot.adaptive, adaptive ? 1 : 0);
  }

  /** @param rate - Seconds of speech per second of context time, 0.5 to 2, at unchanged pitch. */
  setPlaybackRate(rate: number): void {
    this.#set(Slot.playbackRate, Math.round(rate * RATE_UNIT));
  }

  /**
   * Fades out and skips utterances, wherever they are in the ring. The last one is cancelled first. So the audio thread
   * never continues from a cancelled utterance to one that is about to be cancelled.
   *
   * @param serials - In the order in which they are spoken.
   */
  cancel(serials: readonly number[]): void {
    for (const serial of serials.toReversed()) this.#set(cancelSlot(serial), serial);
  }

  /**
   * Fades out, and skips everything before the mark of this seek, which the producer sets.
   *
   * @returns Number of the seek.
   */
  seek(): number {
    this.#set(Slot.seek, ++this.#seek);
    return this.#seek;
  }

  /** True for an event from before the latest seek. */
  isOutdated(event: { seek: number }): boolean {
    return event.seek !== this.#seek;
  }

  /** Makes the processor fade out and end. If its thread still runs, it then posts `left`. */
  release(): void {
    this.#set(Slot.owner, 0);
  }

  /** Message transport: stores a copy of the header, except for the slots that the main thread writes. */
  mirror(header: Int32Array): void {
    const steering = this.memory.header.slice(Slot.request, Slot.request + Slot.LINE);
    this.memory.header.set(header.subarray(0, PREFIX_SLOTS));
    this.memory.header.set(steering, Slot.request);
  }

  /** Reads the statistics; on the message transport they are up to 100 ms old. */
  stats(): PlayoutStats {
    const { header, stats } = this.memory;
    const emittedSamples = stats[Stat.emittedSamples]!;
    const write = Atomics.load(header, Slot.write);
    const isSeeking = Atomics.load(header, Slot.heardSeek) !== this.#seek;
    // The read position lags behind, because the time stretch keeps about 40 ms of what has played.
    const kept = (write - Atomics.load(header, Slot.read)) | 0;
    const waiting = (write - Math.floor(emittedSamples + stats[Stat.discardedSamples]!)) | 0;
    return {
      state: Atomics.load(header, Slot.state) as PlayoutState.Any,
      bufferedSamples: isSeeking ? 0 : Math.max(0, Math.min(waiting, kept)),
      emittedSamples,
      playedSamples: isSeeking ? 0 : emittedSamples - stats[Stat.seekOrigin]!,
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
