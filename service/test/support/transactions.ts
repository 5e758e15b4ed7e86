import type { Database } from '../../src/store/database.js';

/** Returns a database that counts its transactions. */
export function countTransactions(database: Database, counts: { all: number; mostAtOnce: number }): Database {
  let open = 0;
  return {
    ...database,
    async transaction(work) {
      counts.all++;
      counts.mostAtOnce = Math.max(counts.mostAtOnce, ++open);
      return database.transaction(work).finally(() => open--);
    },
  };
}

/**
 * Locks the rows of accounts, as a transaction that takes long.
 *
 * @returns A function that ends the transaction, and resolves once the rows are unlocked.
 */
export async function lockAccounts(database: Database, ...accountIds: string[]): Promise<() => Promise<void>> {
  let unlock = (): void => {};
  const unlocked = new Promise<void>((resolve) => (unlock = resolve));
  let locking: Promise<void> | undefined;
  await new Promise<void>((resolve, reject) => {
    locking = database.transaction(async (queries) => {
      await queries.query('select id from account where id = any($1::text[]) for update', [accountIds]);
      resolve();
      await unlocked;
    });
    locking.catch(reject);
  });
  return async () => {
    unlock();
    await locking;
  };
}
