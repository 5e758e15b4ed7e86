/**
 * Queue between a producer and a consumer of samples, or of other parts of speech, that run at different speeds. Its size is not limited, so the
 * producer must limit it. One reader. Main thread.
 */
export class SampleQueue<Part = Int16Array> implements AsyncIterable<Part> {
  readonly #waiting: Part[] = [];
  #end: { readonly error: unknown } | 'ended' | null = null;
  #wake: (() => void) | null = null;

  push(part: Part): void {
    this.#waiting.push(part);
    this.#wake?.();
  }

  /** Ends the queue: no more samples follow. */
  end(): void {
    this.#end ??= 'ended';
    this.#wake?.();
  }

  /** Ends the queue with an error. Queued samples are still read first, unless `atOnce`. */
  fail(error: unknown, atOnce = false): void {
    if (atOnce) this.#waiting.length = 0;
    if (this.#end === null || atOnce) this.#end = { error };
    this.#wake?.();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Part, void, void> {
    for (;;) {
      const part = this.#waiting.shift();
      if (part) yield part;
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
