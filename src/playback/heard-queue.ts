import type { Clock } from '../base/clock.js';

/**
 * Delays events of the audio thread until the listener hears them, one output latency after they are rendered.
 *
 * Keeps their order and uses one timer. Main thread.
 */
export class HeardQueue {
  readonly #clock: Clock;
  readonly #entries: { dueMs: number; run: () => void }[] = [];
  #cancelTimer = (): void => {};

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** @param delayMs - Time until the event is heard, in ms. An entry never overtakes the one before it. */
  push(delayMs: number, run: () => void): void {
    const last = this.#entries.at(-1);
    const dueMs = Math.max(this.#clock.now() + Math.max(0, delayMs), last?.dueMs ?? 0);
    this.#entries.push({ dueMs, run });
    if (!last) this.#schedule();
  }

  /** Drops all entries. */
  clear(): void {
    this.#entries.length = 0;
    this.#cancelTimer();
  }

  #schedule(): void {
    const [next] = this.#entries;
    if (next) this.#cancelTimer = this.#clock.after(Math.max(0, next.dueMs - this.#clock.now()), () => this.#flush());
  }

  #flush(): void {
    const now = this.#clock.now();
    while (this.#entries.length > 0 && this.#entries[0]!.dueMs <= now + 0.5) this.#entries.shift()!.run();
    this.#schedule();
  }
}
