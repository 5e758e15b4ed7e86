import type { Queries } from '../store/database.js';
import { AccountError } from './account-error.js';
import { CREDITS_MAX } from './credits.js';
import type { PlanName } from './plans.js';
import { checkUserId } from './user-id.js';

/**
 * Opens an account with nothing on it, unless there is one. It is locked until the transaction ends, either way.
 *
 * @returns Whether it is new.
 */
export async function openAccount(queries: Queries, id: string, plan: PlanName): Promise<boolean> {
  // Waits for somebody who is opening the same one; what the next statement sees is then what they committed.
  const opened = await queries.query(
    'insert into account (id, plan) values ($1, $2) on conflict do nothing returning id',
    [id, plan],
  );
  if (opened.length === 0) await queries.query('select id from account where id = $1 for update', [id]);
  return opened.length > 0;
}

/** An error for a user that does not exist. */
export function noSuchUser(id: string): AccountError {
  return new AccountError(`There is no user ${id}: make one with svc-service keys create.`, { isMissing: true });
}

/**
 * Puts credits onto an account and a row into the ledger; nothing into the ledger if there are none.
 *
 * @param queries - Of a transaction: the two belong together.
 * @param amountMs - 0 or more.
 * @returns What is on the account then, in milliseconds.
 * @throws {AccountError} If there is no such account, or it would have more than {@link CREDITS_MAX}.
 */
export async function grantTo(queries: Queries, accountId: string, amountMs: number): Promise<number> {
  checkUserId(accountId);
  // The account first: the ledger's reference to it takes a weaker lock, and two of those that both want more deadlock.
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
