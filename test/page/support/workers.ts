/** Counts the workers of the page. Must be imported before a worker is created. */

/** The workers that run, and the first message of each. */
const running = new Map<Worker, Promise<unknown>>();
let made = 0;
const NativeWorker = globalThis.Worker;

globalThis.Worker = class extends NativeWorker {
  constructor(url: string | URL, options?: WorkerOptions) {
    super(url, options);
    running.set(this, new Promise((resolve) => this.addEventListener('message', resolve, { once: true })));
    made++;
  }

  override terminate(): void {
    running.delete(this);
    ended();
    super.terminate();
  }
};

let ended = (): void => {};

/** Number of workers that were created and not terminated. */
export function openWorkers(): number {
  return running.size;
}

/** Number of workers that were created, including terminated ones. */
export function madeWorkers(): number {
  return made;
}

/** Resolves when the page has no worker. */
export async function workersEnded(): Promise<void> {
  while (running.size > 0) await new Promise<void>((resolve) => (ended = resolve));
}

/** Resolves when the script of each worker runs: its first message says so. */
export async function workersStarted(): Promise<void> {
  await Promise.all(running.values());
}
