import type { Database } from './database.js';
import { createPooledDatabase } from './pooled-database.js';
import { explainConnection } from './postgres-errors.js';
import { readPostgresUrl } from './postgres-url.js';
import { StoreError } from './store-error.js';

/** Default number of connections per node. Transactions are short; further connections would wait for the same rows. */
const CONNECTIONS = 10;

/** Oldest PostgreSQL that the SQL is tested with, as `server_version_num`. */
const OLDEST = 130_000;

const SERVER = `select current_setting('server_version_num')::int as number,
  current_setting('server_version') as version, current_setting('server_encoding') as encoding`;

/** Time limits, in milliseconds; 0 for none. Tests shorten them. */
export interface PostgresTimes {
  /** For a connection, new or free; 10 000 by default. */
  readonly connectMs?: number;
  /** For a statement on the server, including waits for locks; 10 000 by default. */
  readonly statementMs?: number;
  /** For an answer of the server; 20 000 by default. A cut network reports nothing for a quarter of an hour. */
  readonly silenceMs?: number;
}

/** Properties that a PostgreSQL server reports. */
interface PostgresServer {
  /** `server_version_num`, such as 150018. */
  readonly number: number;
  /** `server_version`, such as `15.18`. */
  readonly version: string;
  /** `server_encoding` of the database. */
  readonly encoding: string;
}

/**
 * Connects to PostgreSQL 13 or newer.
 *
 * @param url - `postgres://user:password@host/database`.
 * @throws {StoreError} If the server cannot be reached, refuses the login, is too old, or its database is not in UTF-8.
 *   The message never contains the password.
 */
export async function openPostgres(
  url: string,
  { connections = CONNECTIONS, ...times }: PostgresTimes & { readonly connections?: number | undefined } = {},
): Promise<Database> {
  const { connectMs = 10_000, statementMs = 10_000, silenceMs = 20_000 } = times;
  const address = readPostgresUrl(url);
  const where = `${address.host || 'localhost'}${address.pathname}`;
  address.searchParams.set('uselibpqcompat', 'true'); // `sslmode=require` encrypts and checks nothing, as in libpq
  // In the address, 0 lifts the limits of the role and of the database, too. The driver ignores a 0 in its options.
  address.searchParams.set('statement_timeout', String(statementMs));
  address.searchParams.set('idle_in_transaction_session_timeout', String(statementMs));
  const database = createPooledDatabase(
    {
      connectionString: address.href,
      application_name: 'svc-service',
      max: connections,
      connectionTimeoutMillis: connectMs,
      query_timeout: silenceMs,
      keepAlive: true,
      keepAliveInitialDelayMillis: 60_000, // migrations have no other limit
    },
    where,
  );
  try {
    const [server] = await database.query<PostgresServer>(SERVER);
    requirePostgres(server!, where);
  } catch (error) {
    await database.close();
    throw explainConnection(error, where, address.username);
  }
  return database;
}

/**
 * Checks that a server is supported.
 *
 * @param where - Host and database, for the message.
 * @throws {StoreError} If it is too old, or its database is not in UTF-8.
 */
export function requirePostgres({ number, version, encoding }: PostgresServer, where: string): void {
  if (number < OLDEST) {
    throw new StoreError(`PostgreSQL at ${where} is version ${version}. svc-service needs 13 or newer.`);
  }
  if (encoding !== 'UTF8') {
    throw new StoreError(
      `The database at ${where} is in ${encoding}. svc-service needs one in UTF8 (createdb --template=template0 --encoding=UTF8).`,
    );
  }
}
