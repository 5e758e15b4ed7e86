/**
 * Samples that are made by one and taken by another, at their own pace. It holds as much as is put in, so whoever fills
 * it bounds that. One reader. Main thread.
 */
export class SampleQueue implements AsyncIterable<Int16Array> {
  readonly #waiting: Int16Array[] = [];
  #end: { readonly error: unknown } | 'ended' | null = null;
  #wake: (() => void) | null = null;

  push(samples: Int16Array): void {
    this.#waiting.push(samples);
    this.#wake?.();
  }

  /** No more samples follow. */
  end(): void {
    this.#end ??= 'ended';
    this.#wake?.();
  }

  /** No more samples follow, since something went wrong. Those that wait are still read, unless it is `atOnce`. */
  fail(error: unknown, atOnce = false): void {
    if (atOnce) this.#waiting.length = 0;
    if (this.#end === null || atOnce) this.#end = { error };
    this.#wake?.();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Int16Array, void, void> {
    for (;;) {
      const samples = this.#waiting.shift();
      if (samples) yield samples;
      else if (this.#end === 'ended') return;
      else if (this.#end) throw this.#end.error;
      else {
        await new Promise<void>((resolve) => {
          this.#wake = resolve;
        });
        this.#wake = null;
      }
    }
  }
}
