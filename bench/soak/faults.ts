import type { Fault } from '../../test/demo/faults.js';

/** Faults that a soak must find. */
export const SOAK_FAULTS = {
  /** Each utterance leaves 20 kB in the heap of the page. */
  heap: {
    file: 'src/playback/utterance.ts',
    find: 'this.utterance = new Utterance(this, contextId, calls);',
    replace: `this.utterance = new Utterance(this, contextId, calls);
      ((globalThis as { kept?: unknown[] }).kept ??= []).push(new Array(2500).fill(this));`,
  },
  /** Workers are not terminated, and each speaker starts one. */
  worker: {
    file: 'src/launch/connection-worker.ts',
    find: 'workers.set(workerUrl, worker);',
    replace: '',
  },
} as const satisfies Record<string, Fault>;
