/** Consecutive samples. The array is free from `length` on. */
interface Piece {
  at: number;
  readonly data: Int16Array;
  length: number;
}

/**
 * Samples by their positions, which count from the beginning of all speech: copied in pieces, of which those before a
 * position can be dropped. Worker thread.
 */
export class KeptSamples {
  readonly #pieceSamples: number;
  #pieces: Piece[] = [];

  /** @param pieceSamples - Number of samples in one array. */
  constructor(pieceSamples: number) {
    this.#pieceSamples = pieceSamples;
  }

  /** Position of the oldest sample; undefined if there is none. */
  get oldest(): number | undefined {
    return this.#pieces[0]?.at;
  }

  /** Copies samples to a position behind all others. */
  store(position: number, samples: Int16Array): void {
    for (let from = 0; from < samples.length;) {
      let last = this.#pieces.at(-1);
      const at = position + from;
      if (!last || last.at + last.length !== at || last.length === last.data.length) {
        last = { at, data: new Int16Array(this.#pieceSamples), length: 0 };
        this.#pieces.push(last);
      }
      const count = Math.min(samples.length - from, last.data.length - last.length);
      last.data.set(count === samples.length ? samples : samples.subarray(from, from + count), last.length);
      last.length += count;
      from += count;
    }
  }

  /** Returns a view of the samples from a position on, which is kept: to `to`, or to the end of its piece. */
  view(from: number, to: number): Int16Array {
    const { at, data, length } = this.#pieces.findLast((piece) => piece.at <= from)!;
    return data.subarray(from - at, Math.min(length, to - at));
  }

  /** Returns a copy of the samples from `from` to `to`. Those that are not kept are 0. */
  copy(from: number, to: number): Int16Array<ArrayBuffer> {
    const samples = new Int16Array(to - from);
    for (const { at, data, length } of this.#pieces) {
      const start = Math.max(from, at);
      const end = Math.min(to, at + length);
      if (start < end) samples.set(data.subarray(start - at, end - at), start - from);
    }
    return samples;
  }

  /** Removes the samples from `from` to `to`; those behind them move up. */
  cut(from: number, to: number): void {
    this.#pieces = this.#pieces.flatMap((piece) => {
      const end = piece.at + piece.length;
      const rest: Piece[] = [];
      if (piece.at < from) rest.push({ ...piece, length: Math.min(piece.length, from - piece.at) });
      if (end > to) {
        const skipped = Math.max(0, to - piece.at);
        const at = from + Math.max(0, piece.at - to);
        rest.push({ at, data: piece.data.subarray(skipped), length: piece.length - skipped });
      }
      return rest;
    });
  }

  /** Drops the pieces that end at a position or before it. */
  dropBefore(position: number): void {
    const first = this.#pieces.findIndex((piece) => piece.at + piece.length > position);
    this.#pieces.splice(0, first < 0 ? this.#pieces.length : first);
  }

  clear(): void {
    this.#pieces = [];
  }
}
