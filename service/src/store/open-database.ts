import type { Database } from './database.js';
import { openEmbeddedDatabase } from './embedded-database.js';
import { migrate } from './migrations.js';
import { openPostgres } from './postgres-database.js';

/** Where the data is; embedded and in memory if nothing is said. */
export interface StoreOptions {
  /** PostgreSQL, `postgres://user:password@host/database`; wins over `dataDir`. */
  readonly databaseUrl?: string;
  /** Folder of the embedded database. */
  readonly dataDir?: string;
}

/**
 * Opens the database and brings its schema up to date.
 *
 * @throws {Error} If it cannot be reached, is in use by another process, or is of a newer version; says which.
 */
export async function openDatabase({ databaseUrl, dataDir }: StoreOptions = {}): Promise<Database> {
  const database = databaseUrl
    ? openPostgres(databaseUrl)
    : await openEmbeddedDatabase(dataDir === undefined ? {} : { folder: dataDir });
  try {
    await migrate(database);
  } catch (error) {
    await database.close();
    throw error;
  }
  return database;
}
