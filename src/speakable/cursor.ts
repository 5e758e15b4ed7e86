/** Position in a line, in characters and in columns: a tab reaches to the next multiple of four. */
export class Cursor {
  readonly text: string;
  at = 0;
  #column = 0;

  constructor(text: string) {
    this.text = text;
  }

  /** The rest of the line. */
  get rest(): string {
    return this.text.slice(this.at);
  }

  get isBlank(): boolean {
    return /^\s*$/.test(this.rest);
  }

  /** Number of columns of white space ahead. */
  get indent(): number {
    let column = this.#column;
    for (let at = this.at; ' \t'.includes(this.text[at] ?? '-'); at++) column += this.#width(at, column);
    return column - this.#column;
  }

  /** Skips up to this many columns of white space. A tab may be skipped in part. */
  skipColumns(count: number): void {
    const end = this.#column + count;
    while (this.#column < end && ' \t'.includes(this.text[this.at] ?? '-')) {
      const width = this.#width(this.at, this.#column);
      if (this.#column + width <= end) this.at++;
      this.#column = Math.min(end, this.#column + width);
    }
  }

  /** Skips characters without tabs. */
  skip(count: number): void {
    this.at += count;
    this.#column += count;
  }

  #width(at: number, column: number): number {
    return this.text[at] === '\t' ? 4 - (column % 4) : 1;
  }
}
