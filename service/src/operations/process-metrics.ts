import { collectDefaultMetrics, Registry } from 'prom-client';

let shared: Registry | undefined;

/**
 * Metrics of this process and its Node: CPU, memory, event loop, garbage. What watches them cannot be stopped, and there
 * is one process however many services are in it: they share one registry, made when it is first asked for. It does not
 * keep the process alive.
 */
export function processMetrics(): Registry {
  if (!shared) {
    shared = new Registry();
    collectDefaultMetrics({ register: shared });
  }
  return shared;
}
