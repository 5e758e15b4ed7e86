/**
 * A way to ask the database. Values are parameters `$1`, `$2` …; never put one into the text.
 *
 * Types, the same on both databases: `bigint` comes as a number, `timestamptz` as a `Date`, `bytea` as a `Uint8Array`,
 * `jsonb` parsed. Lists go in as `$1::text[]` and the like.
 */
export interface Queries {
  /** @returns The rows, in the order of the statement. */
  query<Row extends object>(text: string, values?: readonly unknown[]): Promise<Row[]>;
}

/** PostgreSQL, or what is embedded in this process and speaks the same SQL. Main thread. */
export interface Database extends Queries {
  /**
   * Does work that happens as a whole or not at all. It may be called more than once: a transaction that meets another
   * one on its way (deadlock, serialization failure) is tried again, so it must do nothing but ask `queries`.
   */
  transaction<Result>(work: (queries: Queries) => Promise<Result>): Promise<Result>;
  /** Ends what is open, after what is being asked. More than once is harmless. */
  close(): Promise<void>;
}

/** SQLSTATEs of transactions that would succeed if they were tried again. */
const RETRYABLE = new Set(['40001', '40P01']);

/** Tries of a transaction before its error is passed on. */
const TRIES_MAX = 5;

/** Runs `attempt` again as long as it fails for no fault of its own, a few times. */
export async function retryTransaction<Result>(attempt: () => Promise<Result>): Promise<Result> {
  for (let tries = 1; ; tries++) {
    try {
      return await attempt();
    } catch (error) {
      if (tries >= TRIES_MAX || !RETRYABLE.has((error as { code?: string }).code ?? '')) throw error;
    }
  }
}
