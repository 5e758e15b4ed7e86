import type { Random } from '../../src/testing/random.js';
import type { Disturbance } from './disturbance.js';

/** Most bytes that a slow connection passes at a time. */
const SLOW_BYTES = 2000;

/** One direction of a connection. Everything keeps its order. */
export class Way {
  readonly #disturbance: Disturbance;
  readonly #random: Random;
  /** Resolves when everything so far has passed. */
  #last: Promise<void>;
  #dueAt = 0;

  /** @param opened - Resolves when the connection may pass anything. */
  constructor(disturbance: Disturbance, random: Random, opened: Promise<void>) {
    this.#disturbance = disturbance;
    this.#random = random;
    this.#last = opened;
  }

  /** Passes a piece on to `deliver`, at once or late, whole or in parts. */
  pass(piece: Buffer, deliver: (part: Buffer) => void): void {
    const { bytesPerMs, fault } = this.#disturbance;
    const now = performance.now();
    const delayMs = fault.kind === 'delay' ? this.#random.uniform(0, fault.ms) : 0;
    this.#dueAt = Math.max(this.#dueAt, now + delayMs);
    const partBytes =
      fault.kind === 'split' ? Math.ceil(piece.length / 2) : bytesPerMs < Infinity ? SLOW_BYTES : piece.length;
    for (let from = 0; from < piece.length; from += partBytes) {
      const part = piece.subarray(from, from + partBytes);
      if (fault.kind === 'split' && from > 0) this.#dueAt += fault.ms;
      this.#dueAt += part.length / bytesPerMs;
      this.after(() => deliver(part));
    }
  }

  /** Calls `work` after everything so far has passed. */
  after(work: () => void): void {
    const dueAt = this.#dueAt;
    this.#last = this.#last.then(async () => {
      const waitMs = dueAt - performance.now();
      if (waitMs > 0) await new Promise((resolve) => setTimeout(resolve, waitMs));
      work();
    });
  }
}
