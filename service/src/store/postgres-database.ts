import postgres from 'postgres';
import { createQueries, DatabaseError, retryTransaction, workOn, type Database } from './database.js';
import { explainConnection, hostOf, isUnreachable } from './postgres-errors.js';
import { StoreError } from './store-error.js';

/** Connections of a node. Transactions are short; more would only wait for the same rows. */
const CONNECTIONS_MAX = 10;

/** Oldest PostgreSQL that understands our SQL, as `server_version_num`. */
const OLDEST = 130_000;

/** Times of {@link openPostgres}, in milliseconds. Tests shorten them. */
export interface PostgresTimes {
  /** For a connection to come about; 10 000 by default. */
  readonly connectMs?: number;
  /** After which the server gives up a statement, waiting for others included; 10 000 by default. */
  readonly statementMs?: number;
  /** After which we give up a server that says nothing, and connect anew; 20 000 by default. */
  readonly silenceMs?: number;
}

/**
 * Connects to PostgreSQL, 13 or newer. Connections that break are made again when they are needed; what was asked on them
 * fails with `unreachable`.
 *
 * @param url - `postgres://user:password@host/database`.
 * @throws {StoreError} If it cannot be reached, lets us not in, is too old, or is not in UTF-8; never names the password.
 */
export async function openPostgres(url: string, times: PostgresTimes = {}): Promise<Database> {
  const { connectMs = 10_000, statementMs = 10_000, silenceMs = 20_000 } = times;
  const host = hostOf(url);
  const connect = () => createPool(url, connectMs, statementMs);
  let sql = connect();
  let closing: Promise<void> | undefined;

  const translate = (error: unknown): unknown => {
    if (error instanceof DatabaseError) return error;
    if (isUnreachable(error)) {
      if (closing) return new DatabaseError('The database is closed.', 'closed');
      const { code } = error as { code: string };
      return new DatabaseError(`PostgreSQL at ${host} cannot be reached (${code}).`, 'unreachable');
    }
    if (!(error instanceof postgres.PostgresError)) return error;
    return new DatabaseError(error.message, error.code, error.constraint_name ?? null);
  };
  /** Waits for an answer, but not for ever: a network that is cut says nothing for a quarter of an hour. */
  const answered = async <Answer>(ask: (pool: Pool) => Promise<Answer>): Promise<Answer> => {
    const pool = sql;
    let timer: NodeJS.Timeout | undefined;
    const silence = new Promise<never>((_, reject) => {
      timer = setTimeout(() => {
        if (sql === pool && !closing) {
          sql = connect();
          void pool.end({ timeout: 0 });
        }
        reject(new DatabaseError(`PostgreSQL at ${host} does not answer.`, 'unreachable'));
      }, silenceMs);
    });
    try {
      return await Promise.race([ask(pool), silence]);
    } catch (error) {
      throw translate(error);
    } finally {
      clearTimeout(timer);
    }
  };
  const queriesOf = (asker: Pick<Pool, 'unsafe'>) =>
    createQueries(
      async (text, values) => [...(await asker.unsafe(text, values as never[], { prepare: true }))],
      translate,
    );

  const database: Database = {
    query: (text, values) => answered((pool) => queriesOf(pool).query(text, values)),
    transaction: <Result>(work: Parameters<typeof workOn<Result>>[1]) =>
      retryTransaction(() =>
        answered((pool) => pool.begin((asker) => workOn(queriesOf(asker), work)) as Promise<Result>),
      ),
    close: () => (closing ??= sql.end({ timeout: 5 })),
  };
  try {
    await checkServer(sql, host);
  } catch (error) {
    await database.close();
    throw explainConnection(error, url);
  }
  return database;
}

type Pool = ReturnType<typeof createPool>;

function createPool(url: string, connectMs: number, statementMs: number) {
  return postgres(url, {
    max: CONNECTIONS_MAX,
    connect_timeout: connectMs / 1000,
    // In seconds; the driver's own goes up to 20, for which time everybody would wait after the server is back.
    backoff: (tries: number) => Math.min(0.02 * 2 ** tries, 1),
    connection: {
      application_name: 'svc-service',
      statement_timeout: statementMs,
      idle_in_transaction_session_timeout: statementMs,
    },
    onnotice: () => {},
    types: {
      bigint: { to: 20, from: [20], serialize: String, parse: Number },
      // Text is JSON already, as it is for what is embedded.
      json: {
        to: 114,
        from: [114, 3802],
        serialize: (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value)),
        parse: JSON.parse,
      },
      // A `Buffer` would not equal what the embedded one gives.
      bytea: {
        to: 17,
        from: [17],
        serialize: (value: Uint8Array) => `\\x${Buffer.from(value).toString('hex')}`,
        parse: (text: string) => new Uint8Array(Buffer.from(text.slice(2), 'hex')),
      },
    },
  });
}

async function checkServer(sql: Pool, host: string): Promise<void> {
  const [server] = await sql<{ version: number; name: string; encoding: string }[]>`
    select current_setting('server_version_num')::int as version, current_setting('server_version') as name,
      current_setting('server_encoding') as encoding`;
  if (server!.version < OLDEST) {
    throw new StoreError(`PostgreSQL at ${host} is version ${server!.name}; svc-service needs 13 or newer.`);
  }
  if (server!.encoding !== 'UTF8') {
    throw new StoreError(
      `The database at ${host} is in ${server!.encoding}; svc-service needs one in UTF8 (createdb --encoding=UTF8).`,
    );
  }
}
