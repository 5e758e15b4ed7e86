import { collectDefaultMetrics, Registry } from 'prom-client';

let shared: Registry | undefined;

/**
 * Returns the metrics of this process and of Node: CPU, memory, event loop, garbage collection.
 *
 * All services in a process share one registry, created on first use, because its collectors cannot be stopped. It does
 * not keep the process alive.
 */
export function processMetrics(): Registry {
  if (!shared) {
    shared = new Registry();
    collectDefaultMetrics({ register: shared });
  }
  return shared;
}
