/** Replaces the constructors of workers. Returns the workers that were not ended, see `PageCounts.workers`. */
export function watchWorkers(): ReadonlySet<object> {
  const workers = new Set<object>();
  window.Worker = class extends Worker {
    constructor(url: string | URL, options?: WorkerOptions) {
      super(url, options);
      workers.add(this);
    }
    override terminate(): void {
      workers.delete(this);
      super.terminate();
    }
  };
  if ('SharedWorker' in window) {
    window.SharedWorker = class extends SharedWorker {
      constructor(url: string | URL, options?: string | WorkerOptions) {
        super(url, options);
        workers.add(this);
        const { port } = this;
        const close = port.close.bind(port);
        port.close = () => {
          workers.delete(this);
          close();
        };
      }
    };
  }
  return workers;
}
