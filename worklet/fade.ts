import { raisedCosine } from '../src/dsp/index.js';

/**
 * A gain that rises and falls along a raised cosine. It can turn round at any sample without a step.
 *
 * Real-time safe after construction. Audio thread.
 */
export class Fade {
  /** Samples from silence to full gain. */
  readonly length: number;
  readonly #gains: Float32Array;
  #phase = 0;

  /** @param length - Samples of a whole ramp, at least 1. */
  constructor(length: number) {
    this.length = length;
    this.#gains = raisedCosine(length);
  }

  /** Samples of a ramp down to silence from here: 0 is silence, `length` is full gain. */
  get phase(): number {
    return this.#phase;
  }

  /** Returns to silence. */
  reset(): void {
    this.#phase = 0;
  }

  /**
   * Applies the gain to `block[0, count)`, in place.
   *
   * @param isFalling - The gain falls from the first sample on. Otherwise it rises until the end is too near.
   * @param remaining - Samples from the block's start to the end of what can be played. The gain is 0 at the last one.
   */
  apply(block: Float32Array, count: number, isFalling: boolean, remaining: number): void {
    const { length } = this;
    const gains = this.#gains;
    if (!isFalling && this.#phase === length && remaining >= count + length) return;
    let phase = this.#phase;
    for (let i = 0; i < count; i++) {
      if (isFalling || remaining - i <= phase) {
        if (phase > 0) phase--;
        block[i]! *= gains[phase]!;
      } else {
        block[i]! *= gains[phase]!;
        if (phase < length) phase++;
      }
    }
    this.#phase = phase;
  }
}
