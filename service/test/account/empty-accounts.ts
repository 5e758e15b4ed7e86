import type { Queries } from '../../src/store/database.js';

/** Empties the tables of accounts and of everything that belongs to them. */
export async function emptyAccounts(queries: Queries): Promise<void> {
  await queries.query('truncate account, api_key, ledger, lease, avatar, room');
}
