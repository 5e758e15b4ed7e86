import type { Queries } from '../store/database.js';
import { AccountError } from './account-error.js';
import { msToCredits } from './credits.js';
import type { PlanName } from './plans.js';
import { checkUserId } from './user-id.js';

/** A row of the list of users. */
export interface UserRow {
  readonly id: string;
  readonly plan: PlanName;
  /** Credits left, in seconds of an open socket. */
  readonly credits: number;
  /** Keys that are not revoked. */
  readonly keys: number;
  readonly created_at: Date;
}

/** Selects users. */
export interface UserPage {
  /** Text that the id contains, in any case; every user by default. */
  readonly search?: string | undefined;
  /** Id after which the page begins. */
  readonly after?: string | undefined;
  readonly limit: number;
}

/** Reads a page of the users, in order of their ids. */
export async function readUsers(queries: Queries, { search = '', after, limit }: UserPage): Promise<UserRow[]> {
  const rows = await queries.query<Omit<UserRow, 'credits'> & { balance_ms: number }>(
    `select id, plan, balance_ms, created_at,
            (select count(*)::integer from api_key where account_id = account.id and revoked_at is null) as keys
       from account
      where position(lower($1) in lower(id)) > 0 and ($2::text is null or id collate "C" > $2)
      order by id collate "C" limit $3`,
    [search, after ?? null, limit],
  );
  return rows.map(({ balance_ms, ...row }) => ({ ...row, credits: msToCredits(balance_ms) }));
}

/** @throws {AccountError} If the user does not exist. */
export async function requireUser(queries: Queries, user: string): Promise<void> {
  checkUserId(user);
  const found = await queries.query('select id from account where id = $1', [user]);
  if (found.length > 0) return;
  throw new AccountError(`There is no user ${user}: see svc-service keys list.`, { isMissing: true });
}
