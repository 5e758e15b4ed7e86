import { cancelSlot, openRing, PREFIX_SLOTS, type RingMemory, ringBytes, Slot, initRing } from './layout.js';
import type { ToProcessor } from './port-message.js';

/**
 * The main thread's hold on a ring: what it asks of the audio thread, and what it reads back.
 *
 * On the shared transport both are loads and stores in the ring itself. On the message transport the audio thread has
 * the ring; requests go by message, and the header comes back as a copy about every 100 ms.
 */
export class RingControl {
  readonly memory: RingMemory;
  readonly #post: ((message: ToProcessor) => void) | null;
  #request = 0;

  /**
   * @param buffer - The ring shared with the audio thread, or null on the message transport.
   * @param post - Reaches the processor; used on the message transport only.
   */
  constructor(buffer: SharedArrayBuffer | null, sampleRate: number, post: (message: ToProcessor) => void) {
    this.#post = buffer === null ? post : null;
    this.memory = buffer === null ? initRing(new ArrayBuffer(ringBytes(2)), 2, sampleRate) : openRing(buffer);
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

  /**
   * Silences and skips utterances, wherever they are. The last is told first, so that the audio thread never goes on
   * from a cancelled utterance to another that is about to be cancelled.
   *
   * @param serials - In the order they are spoken.
   */
  cancel(serials: readonly number[]): void {
    for (const serial of serials.toReversed()) this.#set(cancelSlot(serial), serial);
  }

  /** Ends the processor for good. */
  close(): void {
    this.#set(Slot.closed, 1);
  }

  /** Message transport: takes in the header as the audio thread last saw it. */
  mirror(header: Int32Array): void {
    this.memory.header.set(header.subarray(0, PREFIX_SLOTS));
  }

  #set(slot: number, value: number): void {
    if (this.#post === null) Atomics.store(this.memory.header, slot, value);
    else this.#post({ slot, value });
  }
}
