/** A `TimeRanges` of at most one range, which the platform does not let a page construct. Seconds. */
export class SingleTimeRange {
  readonly #end: number;

  /** @param end - The range is [0, end]; none if `end` is 0. */
  constructor(end: number) {
    this.#end = end;
  }

  get length(): number {
    return this.#end > 0 ? 1 : 0;
  }

  /** @throws {DOMException} IndexSizeError if there is no range `index`. */
  start(index: number): number {
    this.#check(index);
    return 0;
  }

  /** @throws {DOMException} IndexSizeError if there is no range `index`. */
  end(index: number): number {
    this.#check(index);
    return this.#end;
  }

  #check(index: number): void {
    if (index >= 0 && index < this.length) return;
    throw new DOMException(`There is no time range ${index} of ${this.length}`, 'IndexSizeError');
  }
}
