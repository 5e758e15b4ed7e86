import { READ_ONLY } from './flite-module.js';
import { readTokens, type SpokenToken } from './flite-words.js';
import { mapTimes } from './map-times.js';
import { MemoryWasi, ProgramExit } from './wasi.js';

/** Memory size at which an instance is replaced, in bytes: memory only ever grows. Usual text takes 20 MB. */
const MEMORY_MAX = 64 * 2 ** 20;

/** Text for flite to speak, and how. */
export interface FliteOrder {
  /** Text in ASCII. */
  readonly text: string;
  /** Name of a compiled-in voice. For an unknown name, flite uses its first voice. */
  readonly voice: string;
  /** Factor on durations; `null` uses the voice's default. */
  readonly stretch: number | null;
  /** Factor on the pitch; 1 is unchanged. Has no effect on a voice that does not predict its pitch this way (rms). */
  readonly pitch: number;
}

/**
 * The speech synthesizer flite, a WASI program that runs once for each text. A new instance takes as long as speaking a
 * word, so one instance is kept, and its memory is reset to the state after loading, except for the read-only part.
 *
 * The same text gives the same samples. Synchronous and not interruptible, so use it in a worker thread.
 */
export class FliteProgram {
  readonly #module: WebAssembly.Module;
  readonly #wasi = new MemoryWasi(() => this.#memory);
  #memory!: WebAssembly.Memory;
  #start!: () => void;
  /** The memory behind the read-only data after loading. */
  #loaded!: Uint8Array;

  /** @param module - From `loadFlite`. */
  constructor(module: WebAssembly.Module) {
    this.#module = module;
    this.#load();
  }

  /**
   * Speaks a text. Call {@link recover} before the next call.
   *
   * @param onSamples - Called with about 20 ms of samples at a time, as soon as they are made, and with their rate in
   *   Hz. The samples are valid during the call only.
   * @param onTokens - Called before the first samples of each utterance that flite makes of the text, with what will be
   *   spoken. Times are in seconds since the beginning of the text.
   * @throws {Error} If flite or `onSamples` fails. The program can still be used again.
   */
  speak(
    { text, voice, stretch, pitch }: FliteOrder,
    onSamples: (samples: Int16Array, sampleRate: number) => void,
    onTokens?: (tokens: readonly SpokenToken[]) => void,
  ): void {
    const options = [
      ...(stretch === null ? [] : ['--setf', `duration_stretch=${stretch}`]),
      ...(pitch === 1 ? [] : ['--setf', `f0_shift=${pitch}`]),
    ];
    // -t makes flite take the text literally. Without it, the text could be read as an option or a file name.
    const args = ['flite', '-voice', voice, ...options, '-o', 'stream', '-t', text];
    this.#wasi.args = args.map((arg) => new TextEncoder().encode(arg));
    this.#wasi.onSamples = onTokens ? this.#withTokens(onSamples, onTokens) : onSamples;
    try {
      this.#start();
    } catch (error) {
      if (error instanceof ProgramExit && error.code === 0) return;
      this.#load();
      throw error;
    }
  }

  /** Resets the memory after a run. Takes up to a millisecond, so call it after the speech has been sent. */
  recover(): void {
    const bytes = new Uint8Array(this.#memory.buffer);
    if (bytes.length > MEMORY_MAX) return this.#load();
    bytes.fill(0, 0, READ_ONLY.begin);
    bytes.set(this.#loaded, READ_ONLY.end);
    bytes.fill(0, READ_ONLY.end + this.#loaded.length);
  }

  /** Notices where an utterance begins: its samples are in one block of memory. */
  #withTokens(
    onSamples: (samples: Int16Array, sampleRate: number) => void,
    onTokens: (tokens: readonly SpokenToken[]) => void,
  ): (samples: Int16Array, sampleRate: number) => void {
    let next = -1;
    let made = 0;
    return (samples, sampleRate) => {
      if (samples.byteOffset !== next) {
        const begin = made / sampleRate;
        onTokens(readTokens(this.#memory).map((token) => mapTimes(token, (at) => begin + at)));
      }
      next = samples.byteOffset + samples.byteLength;
      made += samples.length;
      onSamples(samples, sampleRate);
    };
  }

  #load(): void {
    const { exports } = new WebAssembly.Instance(this.#module, { wasi_snapshot_preview1: this.#wasi.imports });
    this.#memory = exports.memory as WebAssembly.Memory;
    this.#start = exports['_start'] as () => void;
    this.#loaded = new Uint8Array(this.#memory.buffer).slice(READ_ONLY.end);
  }
}
