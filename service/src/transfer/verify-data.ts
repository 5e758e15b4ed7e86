import { AdminError } from '../admin/admin-command.js';
import type { Queries } from '../store/database.js';

/** Returns the sum of the whole ledger, in milliseconds of an open socket. */
export async function sumOfLedger(queries: Queries): Promise<number> {
  const [ledger] = await queries.query<{ ms: number }>('select coalesce(sum(amount_ms), 0)::bigint as ms from ledger');
  return ledger!.ms;
}

/**
 * Checks that every balance equals the sum of its ledger.
 *
 * @throws {AdminError} If one does not; the message names the account.
 */
export async function requireBalances(queries: Queries): Promise<void> {
  const [wrong] = await queries.query<{ id: string; balance_ms: number; sum_ms: number }>(
    `select id, balance_ms, coalesce(ms, 0)::bigint as sum_ms
       from account left join (select account_id, sum(amount_ms) as ms from ledger group by account_id) as total
         on account_id = id
      where balance_ms <> coalesce(ms, 0) order by id limit 1`,
  );
  if (!wrong) return;
  throw new AdminError(
    `The user ${wrong.id} has ${wrong.balance_ms} ms, but the ledger adds up to ${wrong.sum_ms} ms. ` +
      'See svc-service ledger --user, and correct one of the two in the database.',
  );
}
