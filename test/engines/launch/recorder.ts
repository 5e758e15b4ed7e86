import type { Program } from './program.js';

/** Samples that a sound card has played. */
export interface Recorded {
  /** Sample rate in Hz. */
  readonly rate: number;
  /** Time at which the card played the first sample, in milliseconds since the epoch. */
  readonly startedAt: number;
  /** Samples of two channels, left and right in turn: 16 bits, little-endian, in Base64. */
  readonly pcm: string;
}

/** Bytes of a frame. */
const BYTES = 4;

/** Collects what `parec` records: two channels of 16-bit samples. */
export class Recorder {
  readonly #program: Program;
  readonly #rate: number;
  readonly #chunks: Buffer[] = [];
  #bytes = 0;
  #startedAt = Infinity;
  #came = (): void => {};

  constructor(program: Program, rate: number) {
    this.#program = program;
    this.#rate = rate;
    program.stdout.on('data', (chunk: Buffer) => this.#take(chunk));
  }

  /**
   * Appends a chunk, and corrects the estimate of when the card played sample 0. A null sink plays in steps: it hands
   * on the samples of a step when the first of them is due. Arrival time minus the time of the chunk's first sample is
   * latest for the chunk with the most delay, so the minimum is the best estimate. The delay that remains in it makes
   * the recording seem late.
   */
  #take(chunk: Buffer): void {
    const now = performance.timeOrigin + performance.now();
    this.#startedAt = Math.min(this.#startedAt, now - this.#ms);
    this.#chunks.push(chunk);
    this.#bytes += chunk.length;
    this.#came();
  }

  /** Duration of the recording so far, in milliseconds. */
  get #ms(): number {
    return (this.#bytes / BYTES / this.#rate) * 1000;
  }

  /**
   * Resolves when everything up to `time` has been recorded.
   *
   * @param time - Time in milliseconds since the epoch.
   * @throws {Error} If the program ends first.
   */
  async until(time: number): Promise<void> {
    const ended = this.#program.gone.then(() => Promise.reject(new Error('parec has ended.')));
    while (this.#bytes === 0 || this.#startedAt + this.#ms < time) {
      await Promise.race([new Promise<void>((resolve) => (this.#came = resolve)), ended]);
    }
  }

  /** Ends the recording. */
  async stop(): Promise<Recorded> {
    await this.#program.stop();
    return { rate: this.#rate, startedAt: this.#startedAt, pcm: Buffer.concat(this.#chunks).toString('base64') };
  }
}
