import type { RecordedSource } from './page-recording.js';
import { SampleLog } from './sample-log.js';

/** Everything that a source has played: pieces, and the silence between them. */
export class SourceLog {
  /** Number of pieces so far. */
  pieces = 0;
  /** Context frame of the next sample. */
  #frame: number;
  readonly #left = new SampleLog();
  #right: SampleLog | null = null;

  /** @param from - Context frame at which the recording begins. */
  constructor(from: number) {
    this.#frame = from;
  }

  /** One channel; two once a piece had two. */
  get channels(): Float32Array[] {
    return this.#right ? [this.#left.samples, this.#right.samples] : [this.#left.samples];
  }

  /**
   * Appends the new pieces.
   *
   * @param had - Number of pieces before those of `source`. A concurrent read may already have added some of them.
   */
  append({ pieces, samples }: RecordedSource, had: number): void {
    const all = floatsOf(samples);
    let at = 0;
    for (const [index, { frame, length, channels }] of pieces.entries()) {
      const from = at;
      at += length * channels;
      if (had + index < this.pieces) continue;
      this.pieces++;
      // Sound from before the start of the recording is left out.
      const skipped = Math.min(length, Math.max(0, this.#frame - frame));
      if (skipped === length) continue;
      const left = all.subarray(from + skipped, from + length);
      this.#put(frame + skipped, left, channels > 1 ? all.subarray(from + length + skipped, at) : left);
    }
  }

  #put(frame: number, left: Float32Array, right: Float32Array): void {
    if (right !== left && !this.#right) {
      this.#right = new SampleLog();
      this.#right.append(this.#left.samples);
    }
    const silence = new Float32Array(frame - this.#frame);
    for (const [log, samples] of [
      [this.#left, left],
      [this.#right, right],
    ] as const) {
      log?.append(silence);
      log?.append(samples);
    }
    this.#frame = frame + left.length;
  }
}

function floatsOf(base64: string): Float32Array {
  const bytes = Buffer.from(base64, 'base64');
  const samples = new Float32Array(bytes.length / 4);
  new Uint8Array(samples.buffer).set(bytes);
  return samples;
}
