import { raisedCosine } from '../src/dsp/index.js';

/**
 * A gain that goes up and down along a raised cosine, and may turn round at any sample without a step.
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

  /** Samples that a ramp down to silence takes from here: 0 is silence, `length` is full gain. */
  get phase(): number {
    return this.#phase;
  }

  /** Back to silence. */
  reset(): void {
    this.#phase = 0;
  }

  /**
   * Applies the gain to `block[0, count)`, in place.
   *
   * @param falling - Goes down from the first sample on; else up, as long as the end is far enough.
   * @param remaining - Samples from the block's start to the end of what can be played: the gain is 0 at the last.
   */
  apply(block: Float32Array, count: number, falling: boolean, remaining: number): void {
    const { length } = this;
    const gains = this.#gains;
    if (!falling && this.#phase === length && remaining >= count + length) return;
    let phase = this.#phase;
    for (let i = 0; i < count; i++) {
      if (falling || remaining - i <= phase) {
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
