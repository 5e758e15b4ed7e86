import pg from 'pg';
import { DatabaseError, type Database, type Queries } from './database.js';
import { translatePostgres } from './postgres-errors.js';

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
 * Creates a database on the driver's pool. Each statement and transaction borrows a connection, and waits in order for
 * one if all are lent. Lost connections are replaced on demand; what they ran fails with `unreachable`.
 *
 * @param where - Host and database, for messages.
 */
export function createPooledDatabase(config: pg.PoolConfig, where: string): Database {
  const pool = new pg.Pool({ types: TYPES, idleTimeoutMillis: 0, ...config });
  // Without listeners, a lost connection would end the process. The pool has removed it, or its statement fails.
  pool.on('error', () => {});
  pool.on('connect', (client) => client.on('error', () => {}));
  const borrow = async <Result>(use: (queries: Queries) => Promise<Result>): Promise<Result> => {
    const client = await pool.connect().catch((error: unknown) => {
      throw translatePostgres(error, where);
    });
    let lost: { readonly error: unknown } | undefined;
    const query = async <Row extends object>(text: string, values: readonly unknown[] = []): Promise<Row[]> => {
      const missing = values.indexOf(undefined);
      if (missing >= 0) throw new TypeError(`$${missing + 1} is undefined; null is what means nothing: ${text}`);
      if (lost) throw lost.error;
      const statement = { name: nameOf(text), text, values: values.map(writeValue) };
      try {
        return (await client.query<Row>(statement)).rows;
      } catch (reason) {
        const error = translatePostgres(reason, where);
        if (!(error instanceof DatabaseError) || error.code === 'unreachable') lost = { error };
        throw error;
      }
    };
    try {
      return await use({ query });
    } finally {
      client.release(lost !== undefined);
    }
  };

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
    await Promise.allSettled(asked); // the pool would drop those that wait for a connection
    await pool.end();
  };
  return {
    query: (text, values) => unlessClosed(() => borrow(({ query }) => query(text, values))),
    transaction: (work) =>
      unlessClosed(() => retryTransaction(() => borrow((queries) => runTransaction(queries, work)))),
    close: () => (closing ??= close()),
  };
}

async function runTransaction<Result>(queries: Queries, work: (queries: Queries) => Promise<Result>): Promise<Result> {
  await queries.query('begin');
  try {
    const result = await workOn(queries, work);
    await queries.query('commit');
    return result;
  } catch (error) {
    await queries.query('rollback').catch(() => {}); // on a lost connection, the server rolls back
    throw error;
  }
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

/** Names under which connections prepare statements, by their text. */
const names = new Map<string, string>();

function nameOf(text: string): string {
  const name = names.get(text) ?? `s${names.size}`;
  names.set(text, name);
  return name;
}

/** Writes objects as JSON. If that fails, nothing has been sent; the driver would lose the prepared statement. */
function writeValue(value: unknown): unknown {
  return value?.constructor === Object ? JSON.stringify(value) : value;
}

/** Conversions in which {@link Queries} differs from the driver, by the type's OID. */
const PARSERS: Readonly<Record<number, (text: string) => unknown>> = {
  17: (text) => new Uint8Array(Buffer.from(text.slice(2), 'hex')), // bytea
  20: Number, // bigint
  1016: (text) => JSON.parse(`[${text.slice(1, -1)}]`) as number[], // bigint[], such as {1,2}
};

const TYPES = { getTypeParser: (oid: number) => PARSERS[oid] ?? pg.types.getTypeParser(oid) };
