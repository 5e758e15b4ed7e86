/** A `TimeRanges` of at most one range, in seconds. Pages cannot construct the platform's own class. */
export class SingleTimeRange {
  readonly #start: number;
  readonly #end: number;

  /** @param end - End of the range [start, end]; if that is empty, there is no range. */
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
