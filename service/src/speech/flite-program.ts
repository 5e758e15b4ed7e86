import { MemoryWasi, ProgramExit } from './wasi.js';

/** Memory, in bytes, at which an instance is replaced: it only ever grows. Usual text takes 20 MB. */
const MEMORY_MAX = 64 * 2 ** 20;

/** What flite is to speak. */
export interface FliteOrder {
  /** ASCII. */
  readonly text: string;
  /** Name of a voice that is compiled in; another one falls back to flite's first. */
  readonly voice: string;
  /** Factor on durations; `null` leaves them as the voice has them. */
  readonly stretch: number | null;
  /** Factor on the pitch; 1 leaves it as it is. Without effect on voices that do not predict it so (rms). */
  readonly pitch: number;
}

/**
 * The speech synthesizer flite, a WASI program that is run again for each text. A new instance takes as long as speaking
 * a word, so one is kept, and its memory is set back to what it was after loading.
 *
 * The same text gives the same samples. Synchronous; a worker's thread, since it cannot be interrupted.
 */
export class FliteProgram {
  readonly #module: WebAssembly.Module;
  readonly #wasi = new MemoryWasi(() => this.#memory);
  #memory!: WebAssembly.Memory;
  #start!: () => void;
  #loaded!: Uint8Array;

  /** @param module - From `loadFlite`. */
  constructor(module: WebAssembly.Module) {
    this.#module = module;
    this.#load();
  }

  /**
   * Speaks. {@link recover} is to be called before the next time.
   *
   * @param onSamples - Called with every 20 ms or so, as soon as they are made, and with their rate in Hz. The samples are
   *   good during the call only.
   * @throws {Error} If flite fails, or `onSamples` does; it can be used again all the same.
   */
  speak(
    { text, voice, stretch, pitch }: FliteOrder,
    onSamples: (samples: Int16Array, sampleRate: number) => void,
  ): void {
    const options = [
      ...(stretch === null ? [] : ['--setf', `duration_stretch=${stretch}`]),
      ...(pitch === 1 ? [] : ['--setf', `f0_shift=${pitch}`]),
    ];
    // With -t the text is taken as it is, whatever it looks like: else it might be an option or the name of a file.
    const args = ['flite', '-voice', voice, ...options, '-o', 'stream', '-t', text];
    this.#wasi.args = args.map((arg) => new TextEncoder().encode(arg));
    this.#wasi.onSamples = onSamples;
    try {
      this.#start();
    } catch (error) {
      if (error instanceof ProgramExit && error.code === 0) return;
      this.#load();
      throw error;
    }
  }

  /** Sets the memory back after a run. It takes 1 to 2 ms, in which nobody needs to wait for the speech. */
  recover(): void {
    const bytes = new Uint8Array(this.#memory.buffer);
    if (bytes.length > MEMORY_MAX) return this.#load();
    bytes.set(this.#loaded);
    bytes.fill(0, this.#loaded.length);
  }

  #load(): void {
    const { exports } = new WebAssembly.Instance(this.#module, { wasi_snapshot_preview1: this.#wasi.imports });
    this.#memory = exports.memory as WebAssembly.Memory;
    this.#start = exports['_start'] as () => void;
    this.#loaded = new Uint8Array(this.#memory.buffer).slice();
  }
}
