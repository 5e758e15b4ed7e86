/** Work that waits for its turn. */
interface Waiting<Job> {
  readonly client: object;
  readonly job: Job;
}

/**
 * Says whose work comes next, so that no client holds up another, however much it asks for.
 *
 * Each client's speech is thought to be heard as it is made. The client that is heard to its end first comes first: that
 * is one who waits for a first sound, then those who are the least ahead. Whoever asked for an hour of speech is soon
 * far ahead, and gets what the others leave. Among equals it is first come, first served; so clients who all ask for a
 * lot take turns.
 */
export class TurnQueue<Job> {
  readonly #now: () => number;
  readonly #waiting: Waiting<Job>[] = [];
  /** When what was made for a client has been heard, in ms. */
  readonly #heardBy = new WeakMap<object, number>();

  /** @param now - Milliseconds since any instant. */
  constructor(now: () => number) {
    this.#now = now;
  }

  get length(): number {
    return this.#waiting.length;
  }

  push(client: object, job: Job): void {
    this.#waiting.push({ client, job });
  }

  /** Takes out the job whose turn it is. Linear in the number of jobs, of which a client has one or two. */
  shift(): Job | undefined {
    // Read once: time that passes between two comparisons would let the later one go first.
    const now = this.#now();
    let next = 0;
    for (let at = 1; at < this.#waiting.length; at++) {
      if (this.#dueAt(at, now) < this.#dueAt(next, now)) next = at;
    }
    return this.#waiting.splice(next, 1)[0]?.job;
  }

  /** Takes out a job that is no longer wanted. */
  remove(job: Job): void {
    const at = this.#waiting.findIndex((waiting) => waiting.job === job);
    if (at >= 0) this.#waiting.splice(at, 1);
  }

  /** Takes out every job. */
  clear(): Job[] {
    return this.#waiting.splice(0).map((waiting) => waiting.job);
  }

  /** Notes that speech was made for a client. */
  made(client: object, durationMs: number): void {
    this.#heardBy.set(client, Math.max(this.#heardBy.get(client) ?? 0, this.#now()) + durationMs);
  }

  #dueAt(at: number, now: number): number {
    return Math.max(this.#heardBy.get(this.#waiting[at]!.client) ?? 0, now);
  }
}
