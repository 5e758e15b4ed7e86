import type { Clock } from '../clock.js';

/** Number of consecutive failures after which an engine counts as down. */
const FAILURES_MAX = 3;

/** Delay before the next probe, in ms; doubled after each failed probe, up to `most`. */
const DELAY_MS = { first: 1000, most: 30_000 } as const;

/** Options of {@link EngineHealth}. */
export interface EngineHealthOptions {
  readonly clock: Clock;
  /** Tests whether the engine works again. */
  readonly probe: () => Promise<boolean>;
  /** Called when the engine goes down, and when it is back. */
  readonly onChange: (available: boolean) => void;
}

/**
 * Tracks whether an external engine works: it is down after three consecutive failures, and back after the first
 * success. While it is down, it is probed after 1 s, 2 s, 4 s and so on, then every 30 s. Main thread.
 */
export class EngineHealth {
  readonly #options: EngineHealthOptions;
  #failures = 0;
  #delayMs: number = DELAY_MS.first;
  #closed = false;
  #cancelProbe = (): void => {};

  constructor(options: EngineHealthOptions) {
    this.#options = options;
  }

  get available(): boolean {
    return this.#failures < FAILURES_MAX;
  }

  succeeded(): void {
    const wasDown = !this.available;
    this.#failures = 0;
    this.#delayMs = DELAY_MS.first;
    this.#cancelProbe();
    if (wasDown) this.#options.onChange(true);
  }

  failed(): void {
    this.#failures++;
    if (this.#failures !== FAILURES_MAX) return;
    this.#options.onChange(false);
    this.#probeLater();
  }

  /** Stops probing. */
  close(): void {
    this.#closed = true;
    this.#cancelProbe();
  }

  #probeLater(): void {
    if (this.#closed) return;
    this.#cancelProbe = this.#options.clock.after(this.#delayMs, () => void this.#probe());
    this.#delayMs = Math.min(2 * this.#delayMs, DELAY_MS.most);
  }

  async #probe(): Promise<void> {
    const works = await this.#options.probe();
    if (this.available || this.#closed) return;
    if (works) this.succeeded();
    else this.#probeLater();
  }
}
