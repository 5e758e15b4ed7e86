import type { ConnectionPool } from './connection-pool.js';
import { DatabaseError, type Database, type Queries } from './database.js';
import type { PostgresConnection } from './postgres-connection.js';

/** SQLSTATEs of transactions that can succeed when retried. */
const RETRYABLE = new Set(['40001', '40P01']);

/** Maximum number of attempts for a transaction. */
const TRIES_MAX = 5;

/** Calls `attempt` up to {@link TRIES_MAX} times while it fails because of a conflict with another transaction. */
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
 * Creates a database whose statements and transactions borrow a connection each.
 *
 * @param pool - Closed with the database.
 * @param translate - Converts an error of the driver, which contains the statement's values.
 */
export function createPooledDatabase(pool: ConnectionPool, translate: (error: unknown) => unknown): Database {
  let closing: Promise<void> | undefined;
  const asked = new Set<Promise<unknown>>();
  const unlessClosed = async <Answer>(ask: () => Promise<Answer>): Promise<Answer> => {
    if (closing) throw new DatabaseError('The database is closed.', 'closed');
    const answer = ask();
    asked.add(answer);
    try {
      return await answer;
    } finally {
      asked.delete(answer);
    }
  };
  const close = async (): Promise<void> => {
    await Promise.allSettled(asked);
    await pool.end();
  };
  return {
    query: (text, values) =>
      unlessClosed(() => pool.borrow((connection) => queriesOf(connection, translate).query(text, values))),
    transaction: (work) =>
      unlessClosed(() =>
        retryTransaction(() => pool.borrow((connection) => runTransaction(connection, translate, work))),
      ),
    close: () => (closing ??= close()),
  };
}

async function runTransaction<Result>(
  connection: PostgresConnection,
  translate: (error: unknown) => unknown,
  work: (queries: Queries) => Promise<Result>,
): Promise<Result> {
  const queries = queriesOf(connection, translate);
  await queries.query('begin');
  try {
    const result = await workOn(queries, work);
    await queries.query('commit');
    return result;
  } catch (error) {
    // A connection on which the rollback fails is broken. Its server rolls back, or the next connection does.
    if (!connection.isBroken) await queries.query('rollback').catch(() => {});
    throw error;
  }
}

function queriesOf(connection: PostgresConnection, translate: (error: unknown) => unknown): Queries {
  return {
    async query<Row extends object>(text: string, values: readonly unknown[] = []) {
      const missing = values.indexOf(undefined);
      if (missing >= 0) throw new TypeError(`$${missing + 1} is undefined; null is what means nothing: ${text}`);
      try {
        return (await connection.ask(text, [...values])) as Row[];
      } catch (error) {
        throw translate(error);
      }
    },
  };
}

/**
 * Calls `work`, and throws if one of its queries failed, because the database has aborted the transaction by then.
 *
 * @param queries - Queries of the transaction.
 */
async function workOn<Result>(queries: Queries, work: (queries: Queries) => Promise<Result>): Promise<Result> {
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
