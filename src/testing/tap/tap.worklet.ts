/** The recorder's program on the audio thread; the content of the file at `recorderUrl`. */
import { TAP_NAME, type TapMessage } from './tap-message.js';

/** Maximum length of a piece, in samples per channel. */
const PIECE_SAMPLES = 4096;

/** The sound of one input that was not posted yet. */
interface Pending {
  readonly index: number;
  frame: number;
  length: number;
  channels: number;
  readonly left: Float32Array;
  readonly right: Float32Array;
}

/**
 * Posts the sound of each of its inputs in pieces that carry their start frame on the context's clock. Silence is left
 * out. On any message, it posts all pending samples, and then the frame up to which they reach.
 */
class Tap extends AudioWorkletProcessor {
  readonly #inputs: (Pending | undefined)[] = [];
  #nextFrame = 0;

  constructor() {
    super();
    this.port.onmessage = () => {
      for (const pending of this.#inputs) if (pending) this.#post(pending);
      this.#send({ frame: this.#nextFrame });
    };
  }

  process(inputs: Float32Array[][], [output]: Float32Array[][]): boolean {
    const quantum = output![0]!.length;
    // Chromium does not update currentFrame in a quantum in which the main thread holds the graph's lock.
    const frame = Math.max(currentFrame, this.#nextFrame);
    this.#nextFrame = frame + quantum;
    for (let index = 0; index < inputs.length; index++) this.#take(index, inputs[index]!, frame, quantum);
    return true;
  }

  #take(index: number, [left, right]: Float32Array[], frame: number, quantum: number): void {
    let pending = this.#inputs[index];
    if (!left) {
      if (pending) this.#post(pending);
      return;
    }
    pending ??= this.#inputs[index] = emptyPiece(index);
    const channels = right ? 2 : 1;
    if (pending.channels !== channels || pending.length + quantum > PIECE_SAMPLES) this.#post(pending);
    if (pending.length === 0) pending.channels = channels;
    // Not only at its beginning: the frame may have been an old one there.
    pending.frame = frame - pending.length;
    pending.left.set(left, pending.length);
    if (right) pending.right.set(right, pending.length);
    pending.length += quantum;
  }

  #post(pending: Pending): void {
    const { index, frame, length, channels, left, right } = pending;
    pending.length = 0;
    if (length === 0) return;
    const samples = new Float32Array(length * channels);
    samples.set(left.subarray(0, length));
    if (channels > 1) samples.set(right.subarray(0, length), length);
    if (samples.some((sample) => sample !== 0)) this.#send({ index, frame, length, channels, samples });
  }

  #send(message: TapMessage): void {
    this.port.postMessage(message);
  }
}

function emptyPiece(index: number): Pending {
  const [left, right] = [new Float32Array(PIECE_SAMPLES), new Float32Array(PIECE_SAMPLES)];
  return { index, frame: 0, length: 0, channels: 1, left, right };
}

registerProcessor(TAP_NAME, Tap);
