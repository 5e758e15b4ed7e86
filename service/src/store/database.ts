/**
 * A way to ask the database. Values are parameters `$1`, `$2` …; never put one into the text.
 *
 * Types, the same on both databases: `bigint` comes as a number, `timestamptz` as a `Date`, `bytea` as a `Uint8Array`,
 * `jsonb` parsed, `numeric` as text: a sum of `bigint` is one, so ask for `sum(…)::bigint`. Lists of texts or numbers
 * go in as `$1::text[]` and the like, and have no `null`; `jsonb` as an object or as text that is JSON already. What sorts
 * text says `collate "C"`.
 */
export interface Queries {
  /**
   * @param values - What the parameters stand for; `null`, but not `undefined`.
   * @returns The rows, in the order of the statement.
   * @throws {DatabaseError} If the database refuses, or does not answer.
   */
  query<Row extends object>(text: string, values?: readonly unknown[]): Promise<Row[]>;
}

/** PostgreSQL, or what is embedded in this process and speaks the same SQL. Main thread. */
export interface Database extends Queries {
  /**
   * Does work that happens as a whole or not at all. It may be called more than once: a transaction that meets another
   * one on its way (deadlock, serialization failure) is tried again, so it must do nothing but ask `queries`; what asks
   * the database itself meanwhile waits for the transaction, for ever if the transaction waits for it.
   *
   * @throws What `work` throws, or the error of a query in it, even if `work` has caught that.
   */
  transaction<Result>(work: (queries: Queries) => Promise<Result>): Promise<Result>;
  /** Ends what is open, after what is being asked. More than once is harmless; what is asked later is refused. */
  close(): Promise<void>;
}

/** A question that the database refused, or did not answer. Says nothing about the values in it. */
export class DatabaseError extends Error {
  override readonly name = 'DatabaseError';
  /** SQLSTATE, such as `23505`; or `unreachable`, when it may work later and may have happened; or `closed`. */
  readonly code: string;
  /** The constraint that was violated, if it was one. */
  readonly constraint: string | null;

  constructor(message: string, code: string, constraint: string | null = null) {
    super(message);
    this.code = code;
    this.constraint = constraint;
  }
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
      if (tries >= TRIES_MAX || !(error instanceof DatabaseError && RETRYABLE.has(error.code))) throw error;
    }
  }
}

/**
 * Puts what both databases have in common around a driver: no `undefined`, and errors of ours instead of the driver's,
 * which carry the statement's values along.
 *
 * @param ask - Asks the driver.
 * @param translate - Makes one of our errors of one of the driver's.
 */
export function createQueries(
  ask: (text: string, values: unknown[]) => Promise<object[]>,
  translate: (error: unknown) => unknown,
): Queries {
  return {
    async query<Row extends object>(text: string, values: readonly unknown[] = []) {
      const missing = values.indexOf(undefined);
      if (missing >= 0) throw new TypeError(`$${missing + 1} is undefined; null is what means nothing: ${text}`);
      try {
        return (await ask(text, [...values])) as Row[];
      } catch (error) {
        throw translate(error);
      }
    },
  };
}

/**
 * Calls `work`, and fails if one of its queries did, since the database has given the transaction up by then.
 *
 * @param queries - Those of the transaction.
 */
export async function workOn<Result>(queries: Queries, work: (queries: Queries) => Promise<Result>): Promise<Result> {
  let failure: { error: unknown } | undefined;
  const result = await work({
    async query<Row extends object>(text: string, values?: readonly unknown[]) {
      try {
        return await queries.query<Row>(text, values);
      } catch (error) {
        failure ??= { error };
        throw error;
      }
    },
  });
  if (failure) throw failure.error;
  return result;
}
