import { openEmbeddedDatabase as openEmbedded } from '../../src/store/embedded-database.js';
import type { Database } from '../../src/store/database.js';
import { migrate } from '../../src/store/migrations.js';
import { openDatabase as open } from '../../src/store/open-database.js';
import { openPostgres } from '../../src/store/postgres-database.js';
import { compiledOnce } from './webassembly.js';

const HOUR_MS = 3_600_000;

/** The service's `openDatabase`, but the embedded database starts faster. */
export const openDatabase = compiledOnce(open);

/** The service's `openEmbeddedDatabase`, but it starts faster. */
export const openEmbeddedDatabase = compiledOnce(openEmbedded);

/** Opens PostgreSQL as `openDatabase` does, but without time limits, so that a test can delay it. */
export async function openPatiently(databaseUrl: string): Promise<Database> {
  const database = await openPostgres(databaseUrl, { connectMs: HOUR_MS, statementMs: HOUR_MS, silenceMs: HOUR_MS });
  await migrate(database);
  return database;
}
