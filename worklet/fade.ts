import { raisedCosine } from '../src/dsp/index.js';

/**
 * A gain that rises and falls along a raised cosine. It can change direction at any sample without a step.
 *
 * Real-time safe after construction. Audio thread.
 */
export class Fade {
  /** Length of a whole ramp, in samples. */
  readonly length: number;
  readonly #gains: Float32Array;
  #phase = 0;

  /** @param length - Length of a whole ramp in samples, at least 1. */
  constructor(length: number) {
    this.length = length;
    this.#gains = raisedCosine(length);
  }

  /** Number of samples of a ramp from the current gain to silence: 0 is silence, `length` is full gain. */
  get phase(): number {
    return this.#phase;
  }

  /** Resets the gain to silence. */
  reset(): void {
    this.#phase = 0;
  }

  /**
   * Applies the gain to `block[0, count)`, in place.
   *
   * @param isFalling - True if the gain falls from the first sample on. Otherwise it rises until the end is too near.
   * @param remaining - Number of samples from the block's start to the end of the run. The gain is 0 at the last one.
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
