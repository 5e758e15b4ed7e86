/** Time and timers, from the page or from a test. Milliseconds. */
export interface Clock {
  /** Milliseconds since the epoch, with fractions. */
  now(): number;
  setTimeout(callback: () => void, ms: number): unknown;
  clearTimeout(timer: unknown): void;
}

/**
 * Holds what the audio thread has told until a listener hears it: the sound is on its way for as long as the output's
 * latency. In order, with one timer.
 */
export class HeardQueue {
  readonly #clock: Clock;
  readonly #entries: { due: number; run: () => void }[] = [];
  #timer: unknown;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** @param delayMs - Until it is heard; an entry never overtakes one before it. */
  push(delayMs: number, run: () => void): void {
    const last = this.#entries.at(-1);
    const due = Math.max(this.#clock.now() + Math.max(0, delayMs), last?.due ?? 0);
    this.#entries.push({ due, run });
    if (!last) this.#arm();
  }

  /** Forgets everything: it will not be heard. */
  clear(): void {
    this.#entries.length = 0;
    this.#clock.clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  #arm(): void {
    const [next] = this.#entries;
    if (!next) return;
    this.#timer = this.#clock.setTimeout(() => this.#flush(), Math.max(0, next.due - this.#clock.now()));
  }

  #flush(): void {
    const now = this.#clock.now();
    while (this.#entries.length > 0 && this.#entries[0]!.due <= now + 0.5) this.#entries.shift()!.run();
    this.#arm();
  }
}
