/** Samples that come bit by bit. To append some costs no more when there are many. */
export class SampleLog {
  #room = new Float32Array(0);
  #length = 0;

  /** Samples so far. */
  get length(): number {
    return this.#length;
  }

  /** All so far, without a copy: what comes later does not change them. */
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
