import { TurnQueue } from './turn-queue.js';

/** Somebody who waits to be let in. */
interface Visitor {
  enter: (leave: () => void) => void;
}

/** Lets so many in at a time, and says who is next as {@link TurnQueue} does. Main thread. */
export class Turnstile {
  readonly #places: number;
  readonly #turns: TurnQueue<Visitor>;
  #inside = 0;

  /**
   * @param places - How many may be in at a time, from 1.
   * @param now - Milliseconds since any instant.
   */
  constructor(places: number, now: () => number) {
    this.#places = places;
    this.#turns = new TurnQueue(now);
  }

  /**
   * Waits for a place.
   *
   * @param client - Whose turn it is; compared by identity.
   * @returns Gives the place back; harmless more than once. Rejects with the signal's reason once that is aborted.
   */
  enter(client: object, signal: AbortSignal): Promise<() => void> {
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

  /** Notes that speech was made for a client, so that others come first. */
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
