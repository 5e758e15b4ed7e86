import type { Clock } from './clock.js';

/** The clock of the current thread. */
export const threadClock: Clock = {
  now: () => performance.timeOrigin + performance.now(),
  after(ms, action) {
    const timer = setTimeout(action, ms);
    return () => clearTimeout(timer);
  },
};
