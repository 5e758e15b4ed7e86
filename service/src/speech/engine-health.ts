import type { Clock } from '../clock.js';

/** Time without a success after which an engine that counts as available is checked, in milliseconds. */
const IDLE_MS = 30_000;

/** Number of consecutive failures after which an engine counts as down. */
const FAILURES_MAX = 3;

/** Delay before the next probe, in ms; doubled after each failed probe, up to `most`. */
const DELAY_MS = { first: 1000, most: 30_000 } as const;

/** Options of {@link EngineHealth}. */
export interface EngineHealthOptions {
  readonly clock: Clock;
  /** Tests, at no cost, whether an engine that is idle can be reached. It may still fail to speak. */
  readonly check: () => Promise<boolean>;
  /** Tests whether an engine that is down works again. */
  readonly probe: () => Promise<boolean>;
  /** Called when the engine goes down, and when it is back. */
  readonly onChange: (available: boolean) => void;
}

/**
 * Tracks whether an external engine works: it is down after three consecutive failures, and back after the first
 * success. While it is down, it is probed after 1 s, 2 s, 4 s and so on, then every 30 s.
 *
 * It is checked at the start and whenever it was idle for 30 s, so that one that is broken is down before anybody speaks.
 * Three checks in a row that fail, a second after one another, count as three failures. Main thread.
 */
export class EngineHealth {
  readonly #options: EngineHealthOptions;
  #failures = 0;
  #failedChecks = 0;
  #delayMs: number = DELAY_MS.first;
  #closed = false;
  /** Cancels the next check or probe. */
  #cancelNext = (): void => {};

  constructor(options: EngineHealthOptions) {
    this.#options = options;
    void this.#check();
  }

  get available(): boolean {
    return this.#failures < FAILURES_MAX;
  }

  succeeded(): void {
    const wasDown = !this.available;
    this.#failures = 0;
    this.#failedChecks = 0;
    this.#delayMs = DELAY_MS.first;
    this.#checkAfter(IDLE_MS);
    if (wasDown) this.#options.onChange(true);
  }

  failed(): void {
    this.#failures++;
    if (this.#failures === FAILURES_MAX) this.#goDown();
  }

  /** Stops checking and probing. */
  close(): void {
    this.#closed = true;
    this.#cancelNext();
  }

  #goDown(): void {
    this.#options.onChange(false);
    this.#probeLater();
  }

  #checkAfter(ms: number): void {
    this.#cancelNext();
    if (!this.#closed) this.#cancelNext = this.#options.clock.after(ms, () => void this.#check());
  }

  async #check(): Promise<void> {
    const works = await this.#options.check();
    if (!this.available || this.#closed) return;
    this.#failedChecks = works ? 0 : this.#failedChecks + 1;
    if (this.#failedChecks < FAILURES_MAX) return this.#checkAfter(works ? IDLE_MS : DELAY_MS.first);
    this.#failures = FAILURES_MAX;
    this.#goDown();
  }

  #probeLater(): void {
    this.#cancelNext();
    if (this.#closed) return;
    this.#cancelNext = this.#options.clock.after(this.#delayMs, () => void this.#probe());
    this.#delayMs = Math.min(2 * this.#delayMs, DELAY_MS.most);
  }

  async #probe(): Promise<void> {
    const works = await this.#options.probe();
    if (this.available || this.#closed) return;
    if (works) this.succeeded();
    else this.#probeLater();
  }
}
