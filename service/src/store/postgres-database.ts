import { createServerChooser } from './choose-server.js';
import { createConnectionPool } from './connection-pool.js';
import type { Database } from './database.js';
import { createPooledDatabase } from './pooled-database.js';
import { createPostgresConnection, type PostgresTimes } from './postgres-connection.js';
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
  const database = createPooledDatabase(pool, (error) => translatePostgres(error, where));
  try {
    const [server] = (await pool.borrow((connection) => connection.ask(SERVER))) as PostgresServer[];
    requirePostgres(server!, where);
  } catch (error) {
    await database.close();
    throw explainConnection(error, address);
  }
  return database;
}
