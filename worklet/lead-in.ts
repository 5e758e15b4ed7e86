import { Slot } from '../src/ring/index.js';

/** Duration of silence, in ms, after which a device may have gone to sleep. */
const IDLE_MS = 5000;
/**
 * Level of the signal: the lowest of 16 bits, as loud as the dither of a recording (-90 dBFS). A fainter signal would
 * be digital silence to a device that takes 16 bits.
 */
const LEVEL = 2 ** -15;

/** Measures how long the output of a context has been silent, over all of its speakers. Audio thread. */
export class OutputActivity {
  readonly #now: () => number;
  #sounding = 0;
  #silentSinceMs = Number.NEGATIVE_INFINITY;

  /** @param now - Returns the time in ms. Not the context's time, which stands still while the context is suspended. */
  constructor(now: () => number) {
    this.#now = now;
  }

  /** Call it with true when a speaker starts to sound, and with false when it stops. */
  setSounding(isSounding: boolean): void {
    this.#sounding += isSounding ? 1 : -1;
    if (this.#sounding === 0) this.#silentSinceMs = this.#now();
  }

  /** True if no speaker sounds now, nor has sounded for 5 s. */
  get isIdle(): boolean {
    return this.#sounding === 0 && this.#now() - this.#silentSinceMs >= IDLE_MS;
  }
}

/**
 * An inaudible signal before speech, for devices that swallow the beginning of a sound while they wake up. Bluetooth
 * takes 100 to 300 ms. It is white noise, because some devices ignore a silent signal and a tone at the limits of
 * hearing.
 *
 * Real-time safe. Audio thread.
 */
export class LeadIn {
  readonly #header: Int32Array;
  readonly #sampleRate: number;
  readonly #output: OutputActivity;
  #phase: 'undecided' | 'none' | 'leading' = 'undecided';
  /** Number of output samples of the signal that are still to play, in the phase `leading`. */
  #left = 0;
  #noise = 1;

  /**
   * @param header - Header of the ring.
   * @param sampleRate - Sample rate of the output, in Hz.
   */
  constructor(header: Int32Array, sampleRate: number, output: OutputActivity) {
    this.#header = header;
    this.#sampleRate = sampleRate;
    this.#output = output;
  }

  /** Begins the signal if the output needs it. Has no effect until `reset` if it was called before. */
  begin(): void {
    if (this.#phase !== 'undecided') return;
    const ms = Atomics.load(this.#header, Slot.leadInMs);
    this.#phase = ms > 0 && this.#output.isIdle ? 'leading' : 'none';
    this.#left = (ms * this.#sampleRate) / 1000;
  }

  /** True if speech may begin, after `begin`. */
  get isOver(): boolean {
    return this.#phase !== 'leading' || this.#left <= 0;
  }

  /** Fills a block without speech. The signal continues until speech begins. */
  fill(block: Float32Array): void {
    if (this.#phase !== 'leading') return;
    for (let i = 0; i < block.length; i++) {
      // The highest bit of a linear congruential generator.
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
