import { FliteThread, type FliteListener, type FliteThreadOptions } from './flite-thread.js';
import type { FliteTask } from './flite-worker.js';

/** What a {@link FlitePool} needs. */
export interface FlitePoolOptions extends FliteThreadOptions {
  /** Most threads, from 1. The first is started at once, another when all are busy and work waits. */
  readonly threads: number;
}

/** Threads that speak, one task each at a time. Main thread. */
export class FlitePool {
  readonly #options: FlitePoolOptions;
  readonly #threads: FliteThread[] = [];
  /** Threads that did not start; they are not replaced. */
  #broken = 0;
  #starting = false;

  constructor(options: FlitePoolOptions) {
    this.#options = options;
    this.#add();
  }

  /** Whether it can take a task now. */
  get free(): boolean {
    return this.#threads.some((thread) => thread.free);
  }

  /** Notes that work waits: starts another thread if there may be one more. It is announced by `onFree`. */
  expand(): void {
    if (this.#starting || this.#threads.length + this.#broken >= this.#options.threads) return;
    this.#add();
  }

  /** Speaks. Only when {@link free}. */
  run(task: FliteTask, listener: FliteListener): void {
    this.#threads.find((thread) => thread.free)!.run(task, listener);
  }

  /** Ends every thread; running tasks fail. More than once is harmless. */
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
