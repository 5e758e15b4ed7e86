import type { Counters, Player } from './player.js';
import { QUANTUM } from './simulate.js';
import type { Speech } from './speech.js';

/** Quanta between two faults: one second. */
const EVERY = 375;

/** Quanta per fault of each kind: 21 ms of silence, 11 ms repeated, 5 ms skipped. */
const MUTED = 8;
const REPEATED = 4;
const SKIPPED = 2;

/**
 * Plays available speech and makes known faults, to test the measurements themselves. Once a second it does one of
 * these in turn: goes silent for a while, repeats a part, skips a part; all without fades.
 */
export class FaultyPlayer implements Player, Counters {
  readonly removedSamples = 0;
  readonly underruns = [];
  emittedSamples = 0;
  insertedSamples = 0;
  silentConcealedSamples = 0;
  /** Skipped speech, in source samples. It is not part of the player's counters. */
  droppedSamples = 0;
  readonly #clean: Float32Array;
  readonly #ratio: number;
  #at = 0;
  #available = 0;
  #quantum = 0;
  #started = false;

  constructor(speech: Speech) {
    this.#clean = speech.clean;
    this.#ratio = speech.clean.length / speech.samples.length;
  }

  write(from: number, count: number): number {
    if (!this.#started) this.#at = from * this.#ratio;
    this.#started = true;
    this.#available += count * this.#ratio;
    return count;
  }

  end(): void {}

  render(block: Float32Array): void {
    const second = Math.floor(this.#quantum / EVERY);
    const within = this.#quantum++ % EVERY;
    if (second % 3 === 1 && within < MUTED && !this.done) {
      block.fill(0);
      this.silentConcealedSamples += QUANTUM / this.#ratio;
      return;
    }
    if (second % 3 === 2 && within === 0) {
      this.#go(-REPEATED * QUANTUM);
      this.insertedSamples += (REPEATED * QUANTUM) / this.#ratio;
    }
    if (second % 3 === 0 && within === 0 && second > 0) {
      this.#go(SKIPPED * QUANTUM);
      this.droppedSamples += (SKIPPED * QUANTUM) / this.#ratio;
    }
    const count = Math.min(block.length, this.#available);
    for (let i = 0; i < count; i++) block[i] = this.#clean[(this.#at + i) % this.#clean.length]!;
    block.fill(0, count);
    this.#go(count);
  }

  get done(): boolean {
    return this.#started && this.#available <= 0;
  }

  get counters(): Counters {
    return this;
  }

  get concealedSamples(): number {
    return this.silentConcealedSamples;
  }

  #go(samples: number): void {
    this.#at = (this.#at + samples + this.#clean.length) % this.#clean.length;
    this.#available -= samples;
    this.emittedSamples += samples / this.#ratio;
  }
}
