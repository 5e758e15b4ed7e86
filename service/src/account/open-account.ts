import type { Queries } from '../store/database.js';
import { AccountError } from './account-error.js';
import { CREDITS_MAX } from './credits.js';
import type { PlanName } from './plans.js';
import { checkUserId } from './user-id.js';

/**
 * Opens an account with no credits, unless it exists. In both cases it stays locked until the transaction ends.
 *
 * @returns True if the account is new.
 */
export async function openAccount(queries: Queries, id: string, plan: PlanName): Promise<boolean> {
  // The insert waits for a transaction that is opening the same account. The next statement then sees its commit.
  const opened = await queries.query(
    'insert into account (id, plan) values ($1, $2) on conflict do nothing returning id',
    [id, plan],
  );
  if (opened.length === 0) await queries.query('select id from account where id = $1 for update', [id]);
  return opened.length > 0;
}

/** Returns the error for a user that does not exist. */
export function noSuchUser(id: string): AccountError {
  return new AccountError(`There is no user ${id}: make one with svc-service keys create.`, { isMissing: true });
}

/**
 * Adds credits to an account, and a row to the ledger if `amountMs` is above 0.
 *
 * @param queries - Queries of a transaction, since both changes belong together.
 * @param amountMs - Milliseconds of an open socket, 0 or more.
 * @returns The new balance, in milliseconds.
 * @throws {AccountError} If the account does not exist, or would have more than {@link CREDITS_MAX}.
 */
export async function grantTo(queries: Queries, accountId: string, amountMs: number): Promise<number> {
  checkUserId(accountId);
  // Update the account first. The ledger's foreign key takes a weaker lock on the account; two transactions that hold
  // it and both need the stronger one deadlock.
  const [account] = await queries.query<{ balance: number }>(
    'update account set balance_ms = balance_ms + $2 where id = $1 returning balance_ms as balance',
    [accountId, amountMs],
  );
  if (!account) throw noSuchUser(accountId);
  if (account.balance > CREDITS_MAX * 1000) {
    throw new AccountError(`An account holds up to ${CREDITS_MAX} credits; this would be more.`);
  }
  if (amountMs > 0) {
    await queries.query(`insert into ledger (account_id, kind, amount_ms) values ($1, 'grant', $2)`, [
      accountId,
      amountMs,
    ]);
  }
  return account.balance;
}
