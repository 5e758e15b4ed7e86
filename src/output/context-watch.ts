/** Time between two checks. The clock of a rendering context advances every 3 to 100 ms. */
const INTERVAL_MS = 500;
const INTERVALS_UNTIL_FROZEN = 3;

/**
 * Detects a context that renders nothing although its state is `running`: its clock does not advance.
 *
 * Quirk `webkit-frozen-clock`: after an interruption by another program, WebKit may report `running` while
 * `currentTime` does not advance. https://bugs.webkit.org/show_bug.cgi?id=263627 Any engine does the same when its
 * device hangs. No test can cause this in an engine; test/page/moving.test.ts imitates it.
 *
 * Main thread. It compares the clock several times, so that a blocked page is not mistaken for a frozen context.
 */
export class ContextWatch {
  readonly #context: BaseAudioContext;
  readonly #onFrozen: () => void;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #lastTime = -1;
  #intervalsWithoutProgress = 0;

  /** @param onFrozen - Called when the clock has stopped, at most once per `start`. */
  constructor(context: BaseAudioContext, onFrozen: () => void) {
    this.#context = context;
    this.#onFrozen = onFrozen;
  }

  /** Watches until `stop` or until the clock has stopped. */
  start(): void {
    this.stop();
    this.#lastTime = -1;
    this.#check();
  }

  stop(): void {
    clearTimeout(this.#timer);
  }

  #check(): void {
    const { currentTime, state } = this.#context;
    const isStill = state === 'running' && currentTime === this.#lastTime;
    this.#intervalsWithoutProgress = isStill ? this.#intervalsWithoutProgress + 1 : 0;
    this.#lastTime = currentTime;
    if (this.#intervalsWithoutProgress < INTERVALS_UNTIL_FROZEN) {
      this.#timer = setTimeout(() => this.#check(), INTERVAL_MS);
    } else {
      this.#onFrozen();
    }
  }
}
