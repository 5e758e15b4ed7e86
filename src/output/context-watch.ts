/** The clock of a context that renders goes on every 3 to 100 ms; one that stood still for as many looks does not render. */
const LOOK_MS = 500;
const LOOKS = 3;

/**
 * Watches a context that is to be heard: one whose clock stands still while it says that it is running plays nothing any
 * more, and says nothing of it. (WebKit after an interruption by another program; any engine after its device has hung.)
 *
 * Main thread. Looks twice a second, so that a page that is busy for a while is not taken for a context that stands still.
 */
export class ContextWatch {
  readonly #context: BaseAudioContext;
  readonly #onFrozen: () => void;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #last = -1;
  #still = 0;

  /** @param onFrozen - Called once; the watch is over then. */
  constructor(context: BaseAudioContext, onFrozen: () => void) {
    this.#context = context;
    this.#onFrozen = onFrozen;
  }

  /** Watches until `stop`. */
  start(): void {
    this.stop();
    this.#last = -1;
    this.#look();
  }

  stop(): void {
    clearTimeout(this.#timer);
  }

  #look(): void {
    const { currentTime, state } = this.#context;
    this.#still = state === 'running' && currentTime === this.#last ? this.#still + 1 : 0;
    this.#last = currentTime;
    if (this.#still < LOOKS) this.#timer = setTimeout(() => this.#look(), LOOK_MS);
    else this.#onFrozen();
  }
}
