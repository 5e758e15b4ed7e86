import { Worker } from 'node:worker_threads';
import type { Clock } from '../clock.js';
import type { FliteAnswer, FliteTask, FliteWorkerData } from './flite-worker.js';
import type { SpokenToken } from './flite-words.js';
import { SpeechError } from './speech-error.js';

/** Maximum number of consecutive times that a worker may end before it is ready. */
const STARTS_MAX = 3;

/** Receives the results of a task. */
export interface FliteListener {
  /** Called with each part of the speech. */
  samples(samples: Int16Array): void;
  /** Called with what was spoken in the parts so far, if the task asks for timings. */
  tokens(tokens: readonly SpokenToken[]): void;
  /** Called once when the task is done or has failed, before its thread is free again. */
  over(problem: SpeechError | null): void;
}

/** Options of {@link FliteThread}. */
export interface FliteThreadOptions {
  readonly module: WebAssembly.Module;
  readonly clock: Clock;
  /** Time limit for a task, in ms. After it, the task fails and its worker is replaced. */
  readonly timeLimitMs: number;
  /** Called each time it is ready for a task. */
  readonly onFree: () => void;
  /** Called once if it cannot be started. */
  readonly onBroken: () => void;
}

/** Worker that speaks one task at a time. It is replaced when a task takes too long or the worker ends. Main thread. */
export class FliteThread {
  readonly #options: FliteThreadOptions;
  #worker: Worker | null = null;
  /** Listener of the running task; null if there is none. */
  #listener: FliteListener | null = null;
  #ready = false;
  #failedStarts = 0;
  #closed = false;

  constructor(options: FliteThreadOptions) {
    this.#options = options;
    this.#start();
  }

  /** True if it can take a task now. */
  get free(): boolean {
    return this.#ready && !this.#listener;
  }

  /** True while it speaks a task. */
  get busy(): boolean {
    return this.#listener !== null;
  }

  /** Speaks a task. Call it only when {@link free}. */
  run(task: FliteTask, listener: FliteListener): void {
    const cancelTimer = this.#options.clock.after(this.#options.timeLimitMs, () => {
      this.#replace(
        new SpeechError('took-too-long', 'The text took too long to speak. The service may be overloaded.'),
      );
    });
    this.#listener = {
      samples: (samples) => listener.samples(samples),
      tokens: (tokens) => listener.tokens(tokens),
      over: (problem) => {
        cancelTimer();
        this.#listener = null;
        listener.over(problem);
      },
    };
    this.#worker!.postMessage(task);
  }

  /** Ends the worker; a running task fails. May be called more than once. */
  async close(): Promise<void> {
    this.#closed = true;
    await this.#end(new SpeechError('unavailable', 'The speech engine is shutting down.'));
  }

  #start(): void {
    const workerData: FliteWorkerData = { module: this.#options.module };
    const worker = new Worker(new URL('./flite-worker.js', import.meta.url), {
      workerData,
      execArgv: [], // some arguments of the process, such as --input-type, would make the worker fail
    });
    this.#worker = worker;
    worker.on('message', (answer: FliteAnswer) => {
      if (worker === this.#worker) this.#receive(answer);
    });
    // An `exit` event follows every error, and is handled below.
    worker.on('error', () => {});
    worker.on('exit', () => {
      if (worker === this.#worker) this.#replace(new SpeechError('engine-failed', 'The speech engine failed.'));
    });
  }

  #receive(answer: FliteAnswer): void {
    if (answer === 'ready') {
      this.#ready = true;
      this.#failedStarts = 0;
    } else if (answer === 'done') {
      this.#listener?.over(null);
    } else if ('samples' in answer) {
      return this.#listener?.samples(answer.samples);
    } else if ('tokens' in answer) {
      return this.#listener?.tokens(answer.tokens);
    } else {
      this.#listener?.over(new SpeechError('engine-failed', 'The speech engine failed at this text.'));
    }
    this.#options.onFree();
  }

  #replace(why: SpeechError): void {
    if (!this.#ready) this.#failedStarts++;
    void this.#end(why);
    if (this.#closed) return;
    if (this.#failedStarts < STARTS_MAX) this.#start();
    else this.#options.onBroken();
  }

  async #end(why: SpeechError): Promise<void> {
    const worker = this.#worker;
    this.#worker = null;
    this.#ready = false;
    this.#listener?.over(why);
    await worker?.terminate();
  }
}
