/** A client of an engine. */
export interface Client {
  /** Identity of the client, compared by reference. */
  readonly client: object;
  /** Account that the client belongs to; by default one of its own. */
  readonly account?: string;
}

/** A job in the queue. */
interface Waiting<Job> {
  readonly by: Client;
  readonly job: Job;
}

/**
 * Queue that decides whose job comes next, so that no client delays the others, however much it requests.
 *
 * Each client is assumed to play its speech in real time while it is made. The job of the client whose speech finishes
 * playing first comes next. That favours clients that wait for their first sound, then those with the least speech in
 * advance. A client that requests an hour of speech is soon far ahead, and gets only idle time.
 *
 * Clients without speech in advance are served in order of arrival, but accounts take turns: when a job is taken, the
 * other jobs of its account go to the end of the queue. So an account that opens many sockets delays mostly itself.
 */
export class TurnQueue<Job> {
  readonly #now: () => number;
  /** In order of arrival, with the jobs of an account behind all others when it has had its turn. */
  #waiting: Waiting<Job>[] = [];
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
    this.#waiting.push({ by, job });
  }

  /** True if a job waits whose client has less than `withinMs` of speech in advance. */
  hasNext(withinMs: number): boolean {
    return this.#next().inMs < withinMs;
  }

  /**
   * Removes and returns the next job. Linear in the number of jobs; a client has one or two.
   *
   * @param withinMs - Only if its client has less speech in advance than this.
   */
  shift(withinMs = Infinity): Job | undefined {
    const { at, inMs } = this.#next();
    if (inMs >= withinMs) return undefined;
    const taken = this.#waiting.splice(at, 1)[0]!;
    const isOfAccount = ({ by }: Waiting<Job>): boolean => accountOf(by) === accountOf(taken.by);
    this.#waiting = [...this.#waiting.filter((waiting) => !isOfAccount(waiting)), ...this.#waiting.filter(isOfAccount)];
    return taken.job;
  }

  /** Returns the place of the next job, and its client's speech in advance; `Infinity` if no job waits. */
  #next(): { at: number; inMs: number } {
    // Read the time once: if it advanced between two comparisons, a later job could win.
    const now = this.#now();
    const inMs = this.#waiting.map(({ by }) => Math.max(0, (this.#heardBy.get(by.client) ?? 0) - now));
    const least = Math.min(...inMs);
    return { at: inMs.indexOf(least), inMs: least };
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
}

function accountOf({ account, client }: Client): unknown {
  return account ?? client;
}
