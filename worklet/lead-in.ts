import { Slot } from '../src/ring/index.js';

/** Silence, in ms, after which a device may have gone to sleep. */
const IDLE_MS = 5000;
/**
 * Level of the signal: the last bit of 16, as loud as the dither of a recording (-90 dBFS). A fainter one would be digital
 * silence to a device that takes 16 bits.
 */
const LEVEL = 2 ** -15;

/** How long the output of a context has been silent, counted over all of its speakers. Audio thread. */
export class OutputActivity {
  readonly #now: () => number;
  #sounding = 0;
  #silentSinceMs = Number.NEGATIVE_INFINITY;

  /** @param now - Time in ms. Not the context's: that one stands still while the context is suspended. */
  constructor(now: () => number) {
    this.#now = now;
  }

  /** A speaker begins to sound, or ceases to. */
  setSounding(isSounding: boolean): void {
    this.#sounding += isSounding ? 1 : -1;
    if (this.#sounding === 0) this.#silentSinceMs = this.#now();
  }

  /** No speaker sounds, and none has for 5 s. */
  get isIdle(): boolean {
    return this.#sounding === 0 && this.#now() - this.#silentSinceMs >= IDLE_MS;
  }
}

/**
 * An inaudible signal before speech, for a device that swallows the beginning of a sound while it wakes up: Bluetooth
 * takes 100 to 300 ms. White noise, since some devices take a silent signal, or a tone at its limits, for none.
 *
 * Real-time safe. Audio thread.
 */
export class LeadIn {
  readonly #header: Int32Array;
  readonly #sampleRate: number;
  readonly #output: OutputActivity;
  #phase: 'undecided' | 'none' | 'leading' = 'undecided';
  /** Output samples of the signal that are still to play, if it is `leading`. */
  #left = 0;
  #noise = 1;

  /**
   * @param header - Of the ring.
   * @param sampleRate - Of the output, in Hz.
   */
  constructor(header: Int32Array, sampleRate: number, output: OutputActivity) {
    this.#header = header;
    this.#sampleRate = sampleRate;
    this.#output = output;
  }

  /** Speech may begin. The first call after `reset` decides whether a lead-in is needed. */
  get isOver(): boolean {
    if (this.#phase === 'undecided') {
      const ms = Atomics.load(this.#header, Slot.leadInMs);
      this.#phase = ms > 0 && this.#output.isIdle ? 'leading' : 'none';
      this.#left = (ms * this.#sampleRate) / 1000;
    }
    return this.#phase !== 'leading' || this.#left <= 0;
  }

  /** Fills a block in which no speech plays. The signal goes on until speech begins. */
  fill(block: Float32Array): void {
    if (this.#phase !== 'leading') return;
    for (let i = 0; i < block.length; i++) {
      // A linear congruential generator, by its highest bit.
      this.#noise = (Math.imul(this.#noise, 1664525) + 1013904223) | 0;
      block[i] = this.#noise < 0 ? -LEVEL : LEVEL;
    }
    this.#left -= block.length;
  }

  /** Ends the signal, if there is one. */
  reset(): void {
    this.#phase = 'undecided';
  }
}
