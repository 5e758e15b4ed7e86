import { openDatabase } from '../../src/store/open-database.js';
import type { Database } from '../../src/store/database.js';

const url = process.env.SVC_TEST_DATABASE_URL;

/** The databases that tests of accounts run on, each with a way to open an empty one. */
export const STORES: readonly (readonly [name: string, open: () => Promise<Database>])[] = [
  ['the embedded database', () => openDatabase()],
  ...(url ? ([['PostgreSQL', () => openDatabase({ databaseUrl: url })]] as const) : []),
];

/** Takes everything out of the tables that accounts are kept in. */
export async function emptyAccounts(database: Database): Promise<void> {
  await database.query('truncate account, api_key, ledger, lease, avatar');
}
