/** The tap's part on the audio thread. One chunk per message; each says where on the context's clock it begins. */
registerProcessor(
  'destination-tap',
  class extends AudioWorkletProcessor {
    constructor() {
      super();
      this.chunk = new Float32Array(4096);
      this.length = 0;
      this.port.onmessage = () => {
        this.post();
        this.port.postMessage(null);
      };
    }
    post() {
      if (this.length) this.port.postMessage({ frame: this.frame, samples: this.chunk.slice(0, this.length) });
      this.length = 0;
    }
    process([input], [output]) {
      const quantum = output[0].length;
      if (!this.length) this.frame = currentFrame;
      if (input[0]) this.chunk.set(input[0], this.length);
      else this.chunk.fill(0, this.length, this.length + quantum);
      this.length += quantum;
      if (this.length + quantum > this.chunk.length) this.post();
      return true;
    }
  },
);
