import type { Clock } from './clock.js';

// Every thread has these. Declared here, so that the rest of the folder, which is compiled without them, has no clock.
declare const performance: { readonly timeOrigin: number; now(): number };
declare function setTimeout(callback: () => void, ms: number): unknown;
declare function clearTimeout(timer: unknown): void;

/** The clock of the current thread. */
export const threadClock: Clock = {
  now: () => performance.timeOrigin + performance.now(),
  after(ms, action) {
    const timer = setTimeout(action, ms);
    return () => clearTimeout(timer);
  },
};
