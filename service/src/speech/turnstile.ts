import { TurnQueue, type Client } from './turn-queue.js';

/** A client that waits for a place. */
interface Visitor {
  enter: (leave: () => void) => void;
}

/** Limits the number of concurrent tasks. {@link TurnQueue} decides which client is next. Main thread. */
export class Turnstile {
  readonly #places: number;
  readonly #turns: TurnQueue<Visitor>;
  #inside = 0;

  /**
   * @param places - Maximum number of tasks at a time, from 1.
   * @param now - Returns milliseconds since an arbitrary instant.
   */
  constructor(places: number, now: () => number) {
    this.#places = places;
    this.#turns = new TurnQueue(now);
  }

  /**
   * Waits for a place.
   *
   * @returns A function that releases the place; further calls have no effect. Rejects with the signal's reason once
   *   that is aborted.
   */
  enter(client: Client, signal: AbortSignal): Promise<() => void> {
    return new Promise((resolve, reject) => {
      if (signal.aborted) return reject(signal.reason as Error);
      const giveUp = (): void => {
        this.#turns.remove(visitor);
        reject(signal.reason as Error);
      };
      const visitor: Visitor = {
        enter: (leave) => {
          signal.removeEventListener('abort', giveUp);
          resolve(leave);
        },
      };
      signal.addEventListener('abort', giveUp, { once: true });
      this.#turns.push(client, visitor);
      this.#admit();
    });
  }

  /** Records speech that was made for a client, so that other clients come first. */
  made(client: object, durationMs: number): void {
    this.#turns.made(client, durationMs);
  }

  #admit(): void {
    while (this.#inside < this.#places) {
      const visitor = this.#turns.shift();
      if (!visitor) return;
      this.#inside++;
      let left = false;
      visitor.enter(() => {
        if (left) return;
        left = true;
        this.#inside--;
        this.#admit();
      });
    }
  }
}
