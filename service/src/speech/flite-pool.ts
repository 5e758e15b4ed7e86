import { FliteThread, type FliteListener, type FliteThreadOptions } from './flite-thread.js';
import type { FliteTask } from './flite-worker.js';

/** Options of {@link FlitePool}. */
export interface FlitePoolOptions extends FliteThreadOptions {
  /** Maximum number of threads, from 1. The first starts at once, another when all are busy and work waits. */
  readonly threads: number;
}

/** Pool of threads that speak, each with one task at a time. Main thread. */
export class FlitePool {
  readonly #options: FlitePoolOptions;
  readonly #threads: FliteThread[] = [];
  /** Number of threads that failed to start; they are not replaced. */
  #broken = 0;
  #starting = false;

  constructor(options: FlitePoolOptions) {
    this.#options = options;
    this.#add();
  }

  /** True if it can take a task now. */
  get free(): boolean {
    return this.#threads.some((thread) => thread.free);
  }

  /** Starts another thread if the maximum allows. Call it when work waits; `onFree` follows once it is ready. */
  expand(): void {
    if (this.#starting || this.#threads.length + this.#broken >= this.#options.threads) return;
    this.#add();
  }

  /** Speaks a task. Call it only when {@link free}. */
  run(task: FliteTask, listener: FliteListener): void {
    this.#threads.find((thread) => thread.free)!.run(task, listener);
  }

  /** Ends every thread; running tasks fail. May be called more than once. */
  async close(): Promise<void> {
    await Promise.all(this.#threads.map((thread) => thread.close()));
  }

  #add(): void {
    const { onFree, onBroken, threads: _, ...options } = this.#options;
    this.#starting = true;
    const thread: FliteThread = new FliteThread({
      ...options,
      onFree: () => {
        this.#starting = false;
        onFree();
      },
      onBroken: () => {
        this.#starting = false;
        this.#broken++;
        this.#threads.splice(this.#threads.indexOf(thread), 1);
        if (this.#threads.length === 0) onBroken();
      },
    });
    this.#threads.push(thread);
  }
}
