import { DatabaseError, type Database } from './database.js';
import { migrate } from './migrations.js';
import { StoreError } from './store-error.js';

/** Where the data is; embedded and in memory if nothing is said. */
export interface StoreOptions {
  /** PostgreSQL, `postgres://user:password@host/database`; wins over `dataDir`. */
  readonly databaseUrl?: string;
  /** Most connections to PostgreSQL; 10 by default. */
  readonly databaseConnections?: number;
  /** Folder of the embedded database. */
  readonly dataDir?: string;
}

/**
 * Opens the database and brings its schema up to date.
 *
 * @throws {StoreError} If it cannot be reached or used, is in use by another process, or is of a newer version; says
 * which, and what to do.
 */
export async function openDatabase(options: StoreOptions = {}): Promise<Database> {
  const database = await open(options);
  try {
    await migrate(database);
  } catch (error) {
    await database.close();
    throw error instanceof DatabaseError ? explain(error) : error;
  }
  return database;
}

/** Loads only the one that is asked for; the embedded one is large. */
async function open({ databaseUrl, databaseConnections, dataDir }: StoreOptions): Promise<Database> {
  if (databaseUrl) {
    const { openPostgres } = await import('./postgres-database.js');
    return openPostgres(databaseUrl, { connections: databaseConnections });
  }
  const { openEmbeddedDatabase } = await import('./embedded-database.js');
  return openEmbeddedDatabase(dataDir === undefined ? {} : { folder: dataDir });
}

function explain({ code, message }: DatabaseError): StoreError {
  const remedy =
    code === '42501' ? ' Let its user create tables: GRANT CREATE ON SCHEMA public TO …, or make it the owner.' : '';
  return new StoreError(`The tables of svc-service cannot be made (${code}): ${message}.${remedy}`);
}
