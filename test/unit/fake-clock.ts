import type { Clock } from '../../src/base/clock.js';

/** A clock that advances only when a test calls `advance`. */
export class FakeClock implements Clock {
  #now = 1_800_000_000_000;
  #timers: { at: number; action: () => void }[] = [];

  /** Number of timers that are neither due nor cancelled. */
  get pending(): number {
    return this.#timers.length;
  }

  now(): number {
    return this.#now;
  }

  after(ms: number, action: () => void): () => void {
    const timer = { at: this.#now + ms, action };
    this.#timers.push(timer);
    return () => {
      this.#timers = this.#timers.filter((other) => other !== timer);
    };
  }

  /** Advances by `ms`, and runs each timer at its time. */
  advance(ms: number): void {
    const end = this.#now + ms;
    for (;;) {
      const due = this.#timers.filter((timer) => timer.at <= end).sort((a, b) => a.at - b.at)[0];
      if (due === undefined) break;
      this.#timers = this.#timers.filter((timer) => timer !== due);
      this.#now = due.at;
      due.action();
    }
    this.#now = end;
  }
}
