import { Worker } from 'node:worker_threads';
import type { Clock } from '../clock.js';
import type { FliteAnswer, FliteTask, FliteWorkerData } from './flite-worker.js';
import { SpeechError } from './speech-error.js';

/** How often in a row a worker may end before it was ready. */
const STARTS_MAX = 3;

/** Takes what comes of a task. */
export interface FliteListener {
  /** Some of the speech was made. */
  samples(samples: Int16Array): void;
  /** The task is over: done, or failed. Called once, before its thread is free again. */
  over(problem: SpeechError | null): void;
}

/** What a {@link FliteThread} needs. */
export interface FliteThreadOptions {
  readonly module: WebAssembly.Module;
  readonly clock: Clock;
  /** A task that takes longer is given up, together with its worker, in ms. */
  readonly timeLimitMs: number;
  /** Called each time it can take a task. */
  readonly onFree: () => void;
  /** Called once if it cannot be started. */
  readonly onBroken: () => void;
}

/**
 * A worker that speaks one task at a time, replaced by a new one when it takes too long or ends. Main thread.
 */
export class FliteThread {
  readonly #options: FliteThreadOptions;
  #worker: Worker | null = null;
  /** Takes what comes of the running task; null if there is none. */
  #listener: FliteListener | null = null;
  #ready = false;
  #failedStarts = 0;
  #closed = false;

  constructor(options: FliteThreadOptions) {
    this.#options = options;
    this.#start();
  }

  /** Whether it can take a task now. */
  get free(): boolean {
    return this.#ready && !this.#listener;
  }

  /** Speaks. Only when {@link free}. */
  run(task: FliteTask, listener: FliteListener): void {
    const cancelTimer = this.#options.clock.after(this.#options.timeLimitMs, () => {
      this.#replace(new SpeechError('took-too-long', 'The text took too long to speak.'));
    });
    this.#listener = {
      samples: (samples) => listener.samples(samples),
      over: (problem) => {
        cancelTimer();
        this.#listener = null;
        listener.over(problem);
      },
    };
    this.#worker!.postMessage(task);
  }

  /** Ends the worker; a running task fails. More than once is harmless. */
  async close(): Promise<void> {
    this.#closed = true;
    await this.#end(new SpeechError('unavailable', 'The speech engine is shutting down.'));
  }

  #start(): void {
    const workerData: FliteWorkerData = { module: this.#options.module };
    const worker = new Worker(new URL('./flite-worker.js', import.meta.url), {
      workerData,
      execArgv: [], // some arguments of the process, such as --input-type, would make it fail
    });
    this.#worker = worker;
    worker.on('message', (answer: FliteAnswer) => {
      if (worker === this.#worker) this.#receive(answer);
    });
    // An error is followed by an exit, which is where it is dealt with.
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
