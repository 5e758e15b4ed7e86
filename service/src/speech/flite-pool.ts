import { FliteThread, type FliteListener, type FliteThreadOptions } from './flite-thread.js';
import type { FliteTask } from './flite-worker.js';

/** Pool of threads that speak, each with one task at a time. Main thread. */
export class FlitePool {
  readonly #options: FliteThreadOptions;
  readonly #threads: FliteThread[] = [];
  /** Number of threads that failed to start; they are not replaced. */
  #broken = 0;
  #starting = false;

  /** Starts the first thread. */
  constructor(options: FliteThreadOptions) {
    this.#options = options;
    this.#add();
  }

  /** Number of tasks that are being spoken. */
  get busy(): number {
    return this.#threads.filter((thread) => thread.busy).length;
  }

  /** True if it can take a task now. */
  get free(): boolean {
    return this.#threads.some((thread) => thread.free);
  }

  /**
   * Starts another thread unless there are `most`. Call it when work waits; `onFree` follows once it is ready.
   *
   * @param most - Maximum number of threads, from 1.
   */
  expand(most: number): void {
    if (this.#starting || this.#threads.length + this.#broken >= most) return;
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
    const { onFree, onBroken, ...options } = this.#options;
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
