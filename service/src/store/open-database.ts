import { DatabaseError, type Database } from './database.js';
import { migrate } from './migrations.js';
import type { PostgresTimes } from './postgres-database.js';
import { StoreError } from './store-error.js';

/** Location of the data; by default an embedded database in memory. */
export interface StoreOptions {
  /** URL of PostgreSQL, `postgres://user:password@host/database`. Takes precedence over `dataDir`. */
  readonly databaseUrl?: string;
  /** Maximum number of connections to PostgreSQL; 10 by default. */
  readonly databaseConnections?: number;
  /** Folder of the embedded database. */
  readonly dataDir?: string;
}

/**
 * Opens the database and migrates its schema to the current version.
 *
 * @param times - Time limits of connections to PostgreSQL; migrations have none.
 * @throws {StoreError} If it cannot be reached or used, is in use by another process, or is from a newer version. The
 *   message gives the reason and what to do.
 */
export async function openDatabase(options: StoreOptions = {}, times: PostgresTimes = {}): Promise<Database> {
  if (options.databaseUrl) {
    const patient = await connectDatabase({ ...options, databaseConnections: 1 }, { ...times, ...PATIENT });
    await bringUpToDate(patient);
    await patient.close();
    return connectDatabase(options, times);
  }
  const database = await connectDatabase(options);
  await bringUpToDate(database);
  return database;
}

/**
 * Time limits of a connection without limits for statements, for example to create an index on a large table. TCP
 * detects a lost server.
 */
const PATIENT: PostgresTimes = { statementMs: 0, silenceMs: 0 };

/**
 * Opens the database without migrating it. Loads only the driver that is needed; the embedded database is large.
 *
 * @param times - Time limits of connections to PostgreSQL.
 * @throws {StoreError} If it cannot be reached or used, or is in use by another process.
 */
async function connectDatabase(
  { databaseUrl, databaseConnections, dataDir }: StoreOptions,
  times: PostgresTimes = {},
): Promise<Database> {
  if (databaseUrl) {
    const { openPostgres } = await import('./postgres-database.js');
    return openPostgres(databaseUrl, { ...times, connections: databaseConnections });
  }
  const { openEmbeddedDatabase } = await import('./embedded-database.js');
  return openEmbeddedDatabase(dataDir === undefined ? {} : { folder: dataDir });
}

async function bringUpToDate(database: Database): Promise<void> {
  try {
    await migrate(database);
  } catch (error) {
    await database.close();
    throw error instanceof DatabaseError ? explain(error) : error;
  }
}

function explain({ code, message }: DatabaseError): StoreError {
  const remedy =
    code === '42501' ? ' Let its user create tables: GRANT CREATE ON SCHEMA public TO …, or make it the owner.' : '';
  return new StoreError(`The tables of svc-service cannot be made (${code}): ${message}.${remedy}`);
}
