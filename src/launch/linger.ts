/** Time that an unused context or worker is kept, in ms. A new one delays the next speaker's first sound by 50 ms. */
export const LINGER_MS = 30_000;

/**
 * Decides when a resource that speakers share ends: `LINGER_MS` after its last user has gone, or at once when the page
 * is left, because a page in the back/forward cache must hold neither a socket nor a sound device.
 *
 * Main thread.
 */
export class Linger {
  readonly #end: () => void;
  readonly #page: EventTarget;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #pageLeft = false;

  /**
   * @param end - Ends the resource, and calls `close`.
   * @param page - Dispatches `pagehide`; another target in tests.
   */
  constructor(end: () => void, page: EventTarget = globalThis) {
    this.#end = end;
    this.#page = page;
    page.addEventListener('pagehide', this.#onPageHide);
  }

  /** The last user has gone. Calls `end` later, unless `stop` comes first; at once if the page has been left. */
  start(): void {
    this.stop();
    if (this.#pageLeft) this.#end();
    else this.#timer = setTimeout(this.#end, LINGER_MS);
  }

  /** Notes that there is a user again. */
  stop(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  /** Frees timer and listener. */
  close(): void {
    this.stop();
    this.#page.removeEventListener('pagehide', this.#onPageHide);
  }

  readonly #onPageHide = (): void => {
    this.#pageLeft = true;
    if (this.#timer !== undefined) this.#end();
  };
}
