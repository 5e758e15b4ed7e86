import postgres from 'postgres';
import { retryTransaction, type Database, type Queries } from './database.js';

/** Connections of a node. Transactions are short; more would only wait for the same rows. */
const CONNECTIONS_MAX = 10;

/** Seconds to wait for a connection. */
const CONNECT_SECONDS = 10;

/**
 * Connects to PostgreSQL, 13 or newer; connections are made when they are needed, and again when they break.
 *
 * @param url - `postgres://user:password@host/database`.
 */
export function openPostgres(url: string): Database {
  const sql = postgres(url, {
    max: CONNECTIONS_MAX,
    connect_timeout: CONNECT_SECONDS,
    onnotice: () => {},
    types: { bigint: { to: 20, from: [20], serialize: String, parse: Number } },
  });
  let closing: Promise<void> | undefined;
  const ask = async <Row>(asker: Pick<typeof sql, 'unsafe'>, text: string, values: readonly unknown[] = []) =>
    [...(await asker.unsafe(text, values as never[], { prepare: true }))] as Row[];
  return {
    query: (text, values) => ask(sql, text, values),
    transaction: <Result>(work: (queries: Queries) => Promise<Result>) =>
      retryTransaction(
        () =>
          sql.begin((transaction) =>
            work({ query: (text, values) => ask(transaction, text, values) }),
          ) as Promise<Result>,
      ),
    close: () => (closing ??= sql.end({ timeout: 5 })),
  };
}
