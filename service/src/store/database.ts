/**
 * Access to the database. Values are parameters `$1`, `$2` …; never insert one into the text.
 *
 * Types are the same on both databases. `bigint` is returned as a number, `timestamptz` as a `Date`, `bytea` as a
 * `Uint8Array`, `jsonb` parsed, and `numeric` as text. A sum of `bigint` is `numeric`, so write `sum(…)::bigint`. Pass
 * lists as `$1::text[]` or `$1::bigint[]`, the only types of lists, without `null`. Pass `jsonb` as an object or as JSON
 * text. Sort text with `collate "C"`.
 */
export interface Queries {
  /**
   * Runs a statement.
   *
   * @param values - Values of the parameters; `null` is allowed, `undefined` is not.
   * @returns The rows, in the order of the statement.
   * @throws {DatabaseError} If the database refuses the statement, or does not answer.
   */
  query<Row extends object>(text: string, values?: readonly unknown[]): Promise<Row[]>;
}

/** PostgreSQL, or the embedded database, which has the same SQL. Main thread. */
export interface Database extends Queries {
  /**
   * Runs work in a transaction. `work` may be called more than once: a transaction that conflicts with another one
   * (deadlock, serialization failure) is retried. So `work` must have no effects other than through `queries`. It must
   * not use the database directly: such a query may wait for the transaction, and both would wait forever.
   *
   * @throws The error of `work`, or of one of its queries, even if `work` has caught that.
   */
  transaction<Result>(work: (queries: Queries) => Promise<Result>): Promise<Result>;
  /**
   * Copies the data, while it is used, into a new data folder. Other statements wait until the files are copied. Missing
   * on PostgreSQL, which has backups of its own, and on a database in memory.
   *
   * @throws {StoreError} If the folder exists already, or cannot be written.
   */
  backUp?(folder: string): Promise<void>;
  /** Closes the database after pending statements. May be called more than once; later statements are refused. */
  close(): Promise<void>;
}

/** Error for a statement that the database refused or did not answer. Contains none of the statement's values. */
export class DatabaseError extends Error {
  override readonly name = 'DatabaseError';
  /** SQLSTATE, such as `23505`; `unreachable` if a retry may work, but the statement may have run; or `closed`. */
  readonly code: string;
  /** Name of the violated constraint, if any. */
  readonly constraint: string | null;

  constructor(message: string, code: string, constraint: string | null = null) {
    super(message);
    this.code = code;
    this.constraint = constraint;
  }
}
