import type { Clock } from '../../../src/playback/index.js';

/** A clock that stands still until a test moves it. */
export class FakeClock implements Clock {
  #now = 1_800_000_000_000;
  #timers: { at: number; callback: () => void }[] = [];

  /** Timers that are set and have not gone off. */
  get pending(): number {
    return this.#timers.length;
  }

  now(): number {
    return this.#now;
  }

  setTimeout(callback: () => void, ms: number): unknown {
    const timer = { at: this.#now + ms, callback };
    this.#timers.push(timer);
    return timer;
  }

  clearTimeout(timer: unknown): void {
    this.#timers = this.#timers.filter((other) => other !== timer);
  }

  /** Goes on by `ms`, calling what is due at its time. */
  advance(ms: number): void {
    const end = this.#now + ms;
    for (;;) {
      const due = this.#timers.filter((timer) => timer.at <= end).sort((a, b) => a.at - b.at)[0];
      if (!due) break;
      this.clearTimeout(due);
      this.#now = due.at;
      due.callback();
    }
    this.#now = end;
  }
}
