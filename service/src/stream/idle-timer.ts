import type { Clock } from '../clock.js';

/** Calls `onIdle` each time that `touch` was not called for `idleMs` milliseconds. Main thread. */
export class IdleTimer {
  readonly #clock: Clock;
  readonly #idleMs: number;
  readonly #onIdle: () => void;
  #touchedAt: number;
  #cancel: () => void;

  constructor(clock: Clock, idleMs: number, onIdle: () => void) {
    this.#clock = clock;
    this.#idleMs = idleMs;
    this.#onIdle = onIdle;
    this.#touchedAt = clock.elapsed();
    this.#cancel = clock.after(idleMs, this.#check);
  }

  /** Restarts the idle time. Cheap: sets no timer. */
  touch(): void {
    this.#touchedAt = this.#clock.elapsed();
  }

  stop(): void {
    this.#cancel();
  }

  readonly #check = (): void => {
    const leftMs = this.#touchedAt + this.#idleMs - this.#clock.elapsed();
    this.#cancel = this.#clock.after(leftMs > 0 ? leftMs : this.#idleMs, this.#check);
    if (leftMs <= 0) this.#onIdle();
  };
}
