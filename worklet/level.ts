/** Number of time constants after which a level is within 1 % of its target. */
const CONSTANTS = 5;
/** The target counts as reached within this difference, which is less than one step of 16 bits. */
const REACHED = 2 ** -17;

/**
 * A gain that approaches its target without a step, even if the target arrives late. (An AudioParam jumps if a ramp is
 * scheduled in its past. That happens on a busy page, where `currentTime` is behind the audio thread.)
 *
 * Real-time safe. Audio thread.
 */
export class Level {
  #value = 1;
  #target = 1;
  /** Fraction of the difference that is removed with each sample. */
  #share = 0;

  /** @param samples - Samples until it is within 1 % of `target`, exponentially. `Infinity` waits for `settle`. */
  approach(target: number, samples: number): void {
    this.#target = target;
    this.#share = 1 - Math.exp(-CONSTANTS / samples);
  }

  /** Reaches the target immediately. Call it while nothing sounds. */
  settle(): void {
    this.#value = this.#target;
  }

  /** Applies the level to a block, in place. */
  apply(block: Float32Array): void {
    const target = this.#target;
    let value = this.#value;
    if (value === 1 && target === 1) return;
    for (let i = 0; i < block.length; i++) {
      value += (target - value) * this.#share;
      if (Math.abs(target - value) < REACHED) value = target;
      block[i]! *= value;
    }
    this.#value = value;
  }
}
