import { raisedCosine } from '../src/dsp/index.js';

/**
 * A gain that rises and falls along raised cosines, without a step or a kink wherever its direction changes: a fall
 * that begins during a rise is multiplied onto it, and the next rise begins when that fall has ended.
 *
 * Real-time safe after construction. Audio thread.
 */
export class Fade {
  /** Length of a whole ramp, in samples. */
  readonly length: number;
  readonly #gains: Float32Array;
  /** Samples since the rise began, at most `length`. */
  #risen = 0;
  /** Samples until the end of the fall: `length` if none has begun. */
  #left = 0;

  /** @param length - Length of a whole ramp in samples, at least 1. */
  constructor(length: number) {
    this.length = length;
    this.#gains = raisedCosine(length);
    this.reset();
  }

  /** Number of samples that a fall from now on takes, at most `length`. It is 0 while the gain is 0. */
  get phase(): number {
    return this.#risen === 0 ? 0 : this.#left;
  }

  /** Resets the gain to silence. */
  reset(): void {
    this.#risen = 0;
    this.#left = this.length;
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
    let risen = this.#risen;
    let left = this.#left;
    if (!isFalling && risen === length && left === length && remaining >= count + length) return;
    for (let i = 0; i < count; i++) {
      if (left === 0 && !isFalling) {
        risen = 0;
        left = length;
      }
      if (isFalling || left < length || remaining - i <= length) {
        left = Math.max(0, Math.min(left, remaining - i) - 1);
      }
      block[i]! *= gains[risen]! * gains[left]!;
      if (risen < length) risen++;
    }
    this.#risen = risen;
    this.#left = left;
  }
}
