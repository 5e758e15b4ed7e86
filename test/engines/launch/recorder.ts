import type { Program } from './program.js';

/** What a sound card got. */
export interface Recorded {
  /** Samples a second. */
  readonly rate: number;
  /** When the first sample left the card, in milliseconds since the epoch. */
  readonly startedAt: number;
  /** One channel of 16 bits, little-endian, in base 64. */
  readonly pcm: string;
}

const BYTES = 2;

/** Takes in what `parec` records: one channel of 16 bits. */
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
   * A null sink plays in steps: it hands on a step's samples when the first of them is due. So the chunk that came to us
   * with the least delay tells best when sample 0 left; what is left of that delay makes the recording seem late.
   */
  #take(chunk: Buffer): void {
    const now = performance.timeOrigin + performance.now();
    this.#startedAt = Math.min(this.#startedAt, now - this.#ms);
    this.#chunks.push(chunk);
    this.#bytes += chunk.length;
    this.#came();
  }

  /** Length so far. */
  get #ms(): number {
    return (this.#bytes / BYTES / this.#rate) * 1000;
  }

  /**
   * Resolves when everything up to a time has been recorded.
   *
   * @param time - In milliseconds since the epoch.
   * @throws {Error} If the program ends before.
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
