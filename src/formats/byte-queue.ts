/** Received bytes that have not been read. Each byte is copied a constant number of times. */
export class ByteQueue {
  #bytes = new Uint8Array(0);
  #from = 0;
  #to = 0;

  get length(): number {
    return this.#to - this.#from;
  }

  push(bytes: Uint8Array): void {
    if (this.#to + bytes.length > this.#bytes.length) {
      const needed = this.length + bytes.length;
      const target = needed * 2 > this.#bytes.length ? new Uint8Array(needed * 2) : this.#bytes;
      target.set(this.#bytes.subarray(this.#from, this.#to));
      this.#to = this.length;
      this.#from = 0;
      this.#bytes = target;
    }
    this.#bytes.set(bytes, this.#to);
    this.#to += bytes.length;
  }

  /** Returns a view of the first `count` bytes, or fewer if fewer are queued. It is valid until the next `push`. */
  peek(count: number): Uint8Array {
    return this.#bytes.subarray(this.#from, Math.min(this.#from + count, this.#to));
  }

  /** Removes the first bytes and returns a copy of them. */
  take(count: number): Uint8Array<ArrayBuffer> {
    const taken = this.#bytes.slice(this.#from, this.#from + count);
    this.skip(count);
    return taken;
  }

  /** Removes up to `count` bytes and returns the number of removed bytes. */
  skip(count: number): number {
    const skipped = Math.min(count, this.length);
    this.#from += skipped;
    return skipped;
  }
}
