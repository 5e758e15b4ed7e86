import type { Queries } from '../../src/store/database.js';

/** Takes everything out of the tables that accounts are kept in. */
export async function emptyAccounts(queries: Queries): Promise<void> {
  await queries.query('truncate account, api_key, ledger, lease, avatar, room');
}
