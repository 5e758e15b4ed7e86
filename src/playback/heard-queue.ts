import type { Clock } from '../base/clock.js';

/** Entries that are due within this time, in ms, belong together: the latency is measured for each of them. */
const MOMENT_MS = 30;

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

  /** @param delayMs - Time until the event is heard, in ms; negative if it was. An entry never overtakes the one before it. */
  push(delayMs: number, run: () => void): void {
    const last = this.#entries.at(-1);
    const dueMs = Math.max(this.#clock.now() + delayMs, last?.dueMs ?? 0);
    this.#entries.push({ dueMs, run });
    if (!last) this.#schedule();
  }

  /** Drops all entries. */
  clear(): void {
    this.#entries.length = 0;
    this.#cancelTimer();
  }

  #schedule(): void {
    this.#cancelTimer();
    const [next] = this.#entries;
    if (next) this.#cancelTimer = this.#clock.after(Math.max(0, next.dueMs - this.#clock.now()), () => this.#run());
  }

  /** Runs the entries of one moment. Later ones get a task of their own, so that code can await one event and another. */
  #run(): void {
    const untilMs = Math.min(this.#clock.now() + 0.5, this.#entries[0]!.dueMs + MOMENT_MS);
    while (this.#entries.length > 0 && this.#entries[0]!.dueMs <= untilMs) this.#entries.shift()!.run();
    this.#schedule();
  }
}
