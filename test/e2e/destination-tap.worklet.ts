/** Posts what it is given to play, and where on the context's clock each chunk begins; whatever is posted to it flushes. */
class DestinationTap extends AudioWorkletProcessor {
  readonly #chunk = new Float32Array(4096);
  #length = 0;
  #frame = 0;

  constructor() {
    super();
    this.port.onmessage = () => {
      this.#post();
      this.port.postMessage(null);
    };
  }

  #post(): void {
    if (this.#length) this.port.postMessage({ frame: this.#frame, samples: this.#chunk.slice(0, this.#length) });
    this.#length = 0;
  }

  process([input]: Float32Array[][], [output]: Float32Array[][]): boolean {
    const quantum = output![0]!.length;
    if (!this.#length) this.#frame = currentFrame;
    if (input![0]) this.#chunk.set(input![0], this.#length);
    else this.#chunk.fill(0, this.#length, this.#length + quantum);
    this.#length += quantum;
    if (this.#length + quantum > this.#chunk.length) this.#post();
    return true;
  }
}

registerProcessor('destination-tap', DestinationTap);
