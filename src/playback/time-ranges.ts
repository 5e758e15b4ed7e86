/** A `TimeRanges` of at most one range, which the platform does not let a page construct. Seconds. */
export class SingleTimeRange {
  readonly #start: number;
  readonly #end: number;

  /** @param end - The range is [start, end]; none if it is empty. */
  constructor(end: number, start = 0) {
    this.#start = start;
    this.#end = end;
  }

  get length(): number {
    return this.#end > this.#start ? 1 : 0;
  }

  /** @throws {DOMException} IndexSizeError if there is no range `index`. */
  start(index: number): number {
    return this.#check(index, this.#start);
  }

  /** @throws {DOMException} IndexSizeError if there is no range `index`. */
  end(index: number): number {
    return this.#check(index, this.#end);
  }

  #check(index: number, seconds: number): number {
    if (index >= 0 && index < this.length) return seconds;
    throw new DOMException(`No time range ${index}`, 'IndexSizeError');
  }
}
