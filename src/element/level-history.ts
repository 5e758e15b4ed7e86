/** A gap of so many bars is drawn as one sound; a longer one, as of a page that was hidden, as none. */
const BRIDGED_BARS = 4;

/**
 * How loud speech was, by its own time: one level for each stretch of `barSeconds`, for the last `size` of them.
 *
 * No allocation after construction.
 */
export class LevelHistory {
  readonly #barSeconds: number;
  readonly #levels: Float32Array;
  /** The latest bar that has a level; -1 before any. */
  #latest = -1;

  /**
   * @param barSeconds - What one level stands for.
   * @param size - How many of them are kept.
   */
  constructor(barSeconds: number, size: number) {
    this.#barSeconds = barSeconds;
    this.#levels = new Float32Array(size);
  }

  /** The bar in which a time lies, from 0. */
  barOf(seconds: number): number {
    return Math.floor(seconds / this.#barSeconds);
  }

  /**
   * Notes what is heard at a time. The loudest counts for a bar.
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

  /** 0 to 1; 0 where nothing was noted, or is kept no more. */
  levelOf(bar: number): number {
    const kept = bar >= 0 && bar <= this.#latest && bar > this.#latest - this.#levels.length;
    return kept ? this.#levels[bar % this.#levels.length]! : 0;
  }

  /** Nothing has been heard. */
  clear(): void {
    this.#levels.fill(0);
    this.#latest = -1;
  }
}
