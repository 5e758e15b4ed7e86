import { StoreError } from './store-error.js';

/** Oldest PostgreSQL that the SQL is tested with, as `server_version_num`. */
const OLDEST = 130_000;

/** Properties that a PostgreSQL server reports. */
export interface PostgresServer {
  /** `server_version_num`, such as 150018. */
  readonly number: number;
  /** `server_version`, such as `15.18`. */
  readonly version: string;
  /** `server_encoding` of the database. */
  readonly encoding: string;
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
