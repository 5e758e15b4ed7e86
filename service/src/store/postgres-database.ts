import { createServerChooser } from './choose-server.js';
import { createConnectionPool } from './connection-pool.js';
import { createQueries, DatabaseError, retryTransaction, workOn, type Database } from './database.js';
import { createPostgresConnection, type PostgresConnection, type PostgresTimes } from './postgres-connection.js';
import { explainConnection, translatePostgres } from './postgres-errors.js';
import { readPostgresUrl } from './postgres-url.js';
import { requirePostgres, type PostgresServer } from './postgres-server.js';

/** Default number of connections per node. Transactions are short; further connections would wait for the same rows. */
const CONNECTIONS = 10;

const SERVER = `select current_setting('server_version_num')::int as number,
  current_setting('server_version') as version, current_setting('server_encoding') as encoding`;

/**
 * Connects to PostgreSQL 13 or newer. Broken connections are replaced on demand; their pending statements fail with
 * `unreachable`.
 *
 * @param url - `postgres://user:password@host/database`, with several hosts and `target_session_attrs` as in libpq.
 * @throws {StoreError} If the server cannot be reached, refuses the login, is too old, or its database is not in UTF-8.
 *   The message never contains the password.
 */
export async function openPostgres(
  url: string,
  { connections = CONNECTIONS, ...times }: PostgresTimes & { readonly connections?: number | undefined } = {},
): Promise<Database> {
  const address = readPostgresUrl(url);
  const { where } = address;
  const connect = createServerChooser(address, (server) => createPostgresConnection(server.url, server.where, times));
  const pool = createConnectionPool(connections, connect);
  const queriesOf = (connection: PostgresConnection) =>
    createQueries(
      (text, values) => connection.ask(text, values),
      (error) => translatePostgres(error, where),
    );
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
  const database: Database = {
    query: (text, values) => unlessClosed(() => pool.borrow((connection) => queriesOf(connection).query(text, values))),
    transaction: (work) =>
      unlessClosed(() =>
        retryTransaction(() =>
          pool.borrow(async (connection) => {
            const queries = queriesOf(connection);
            await queries.query('begin');
            try {
              const result = await workOn(queries, work);
              await queries.query('commit');
              return result;
            } catch (error) {
              // A connection on which the rollback fails is broken; the server then rolls back itself.
              if (!connection.isBroken) await queries.query('rollback').catch(() => {});
              throw error;
            }
          }),
        ),
      ),
    close: () => (closing ??= close()),
  };
  try {
    const [server] = (await pool.borrow((connection) => connection.ask(SERVER))) as PostgresServer[];
    requirePostgres(server!, where);
  } catch (error) {
    await database.close();
    throw explainConnection(error, address);
  }
  return database;
}
