/** Samples that arrive in parts. Appending takes amortised constant time per sample. */
export class SampleLog {
  #room = new Float32Array(0);
  #length = 0;

  /** Number of samples so far. */
  get length(): number {
    return this.#length;
  }

  /** A view of all samples so far. Later appends do not change it. */
  get samples(): Float32Array {
    return this.#room.subarray(0, this.#length);
  }

  append(more: Float32Array): void {
    const length = this.#length + more.length;
    if (length > this.#room.length) {
      const room = new Float32Array(Math.max(length, 2 * this.#room.length));
      room.set(this.samples);
      this.#room = room;
    }
    this.#room.set(more, this.#length);
    this.#length = length;
  }
}
