/** Assumed time to make one piece of speech, in ms. */
const PIECE_MS = 100;

/** A client of an engine. */
export interface Client {
  /** Identity of the client, compared by reference. */
  readonly client: object;
  /** Account that the client belongs to; unknown if omitted. */
  readonly account?: string;
}

/** A job in the queue. */
interface Waiting<Job> {
  readonly by: Client;
  readonly job: Job;
  /** When the job counts as having arrived, in ms, on the scale of `#now`. */
  readonly arrival: number;
}

/**
 * Queue that decides whose job comes next, so that no client delays the others, however much it requests.
 *
 * Each client is assumed to play its speech in real time while it is made. The job of the client whose speech finishes
 * playing first comes next. That favours clients that wait for their first sound, then those with the least speech in
 * advance. A client that requests an hour of speech is soon far ahead, and gets only idle time.
 *
 * Clients without speech in advance are served in order of arrival. Jobs of one account count as having arrived at least
 * {@link PIECE_MS} apart while they wait, so an account that opens many sockets at once delays mostly itself.
 */
export class TurnQueue<Job> {
  readonly #now: () => number;
  readonly #waiting: Waiting<Job>[] = [];
  /** Time at which the speech of each client finishes playing, in ms, on the scale of `#now`. */
  readonly #heardBy = new WeakMap<object, number>();

  /** @param now - Returns milliseconds since an arbitrary instant. */
  constructor(now: () => number) {
    this.#now = now;
  }

  get length(): number {
    return this.#waiting.length;
  }

  push(by: Client, job: Job): void {
    const previous = this.#waiting.findLast((waiting) => waiting.by.account === by.account);
    const arrival = Math.max(this.#now(), previous ? previous.arrival + PIECE_MS : 0);
    this.#waiting.push({ by, job, arrival });
  }

  /** Removes and returns the next job. Linear in the number of jobs; a client has one or two. */
  shift(): Job | undefined {
    // Read the time once: if it advanced between two comparisons, a later job could win.
    const now = this.#now();
    let next = 0;
    for (let at = 1; at < this.#waiting.length; at++) {
      const dueBy = this.#dueAt(at, now) - this.#dueAt(next, now);
      if (dueBy < 0 || (dueBy === 0 && this.#waiting[at]!.arrival < this.#waiting[next]!.arrival)) next = at;
    }
    return this.#waiting.splice(next, 1)[0]?.job;
  }

  /** Removes a job that is no longer needed. */
  remove(job: Job): void {
    const at = this.#waiting.findIndex((waiting) => waiting.job === job);
    if (at >= 0) this.#waiting.splice(at, 1);
  }

  /** Removes and returns all jobs. */
  clear(): Job[] {
    return this.#waiting.splice(0).map((waiting) => waiting.job);
  }

  /** Records speech that was made for a client. */
  made(client: object, durationMs: number): void {
    this.#heardBy.set(client, Math.max(this.#heardBy.get(client) ?? 0, this.#now()) + durationMs);
  }

  #dueAt(at: number, now: number): number {
    return Math.max(this.#heardBy.get(this.#waiting[at]!.by.client) ?? 0, now);
  }
}
