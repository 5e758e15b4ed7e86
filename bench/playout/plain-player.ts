import type { Player } from './player.js';
import type { Speech } from './speech.js';

/**
 * Plays available speech without a buffer or fades, and is silent when it runs dry, like wavtools 0.1.5 and many
 * hand-written worklets. Its resampling is perfect and free.
 */
export class PlainPlayer implements Player {
  readonly counters = null;
  readonly #clean: Float32Array;
  readonly #ratio: number;
  #at = 0;
  #available = 0;
  #started = false;
  #ended = false;

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

  end(): void {
    this.#ended = true;
  }

  render(block: Float32Array): void {
    const count = Math.min(block.length, this.#available);
    for (let i = 0; i < count; i++) {
      block[i] = this.#clean[this.#at]!;
      if (++this.#at === this.#clean.length) this.#at = 0;
    }
    block.fill(0, count);
    this.#available -= count;
  }

  get done(): boolean {
    return this.#ended && this.#available === 0;
  }
}
