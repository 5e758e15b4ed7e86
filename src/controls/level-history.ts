/** A gap of fewer bars than this is filled. A longer one, such as from a hidden page, stays empty. */
const BRIDGED_BARS = 4;

/**
 * The level of speech over media time: one value per `barSeconds`, for the latest `size` bars.
 *
 * No allocation after construction.
 */
export class LevelHistory {
  readonly #barSeconds: number;
  readonly #levels: Float32Array;
  /** The latest bar that has a level; -1 if there is none. */
  #latest = -1;

  /**
   * @param barSeconds - Duration of one bar, in seconds.
   * @param size - Number of bars that are kept.
   */
  constructor(barSeconds: number, size: number) {
    this.#barSeconds = barSeconds;
    this.#levels = new Float32Array(size);
  }

  /** Returns the index of the bar that contains a time, from 0. */
  barOf(seconds: number): number {
    return Math.floor(seconds / this.#barSeconds);
  }

  /**
   * Stores the level at a time. A bar shows its highest level.
   *
   * @param level - 0 to 1.
   */
  note(seconds: number, level: number): void {
    const bar = this.barOf(seconds);
    const levels = this.#levels;
    const size = levels.length;
    if (bar > this.#latest) {
      const from = Math.max(this.#latest + 1, bar - size + 1);
      const between = this.#latest >= 0 && bar - from < BRIDGED_BARS ? level : 0;
      for (let index = from; index < bar; index++) levels[index % size] = between;
      levels[bar % size] = 0;
      this.#latest = bar;
    }
    if (bar > this.#latest - size) levels[bar % size] = Math.max(levels[bar % size]!, level);
  }

  /** Returns the level, 0 to 1; 0 where none is stored. */
  levelOf(bar: number): number {
    const kept = bar >= 0 && bar <= this.#latest && bar > this.#latest - this.#levels.length;
    return kept ? this.#levels[bar % this.#levels.length]! : 0;
  }

  /** Drops all levels. */
  clear(): void {
    this.#levels.fill(0);
    this.#latest = -1;
  }
}
