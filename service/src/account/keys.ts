import type { Queries } from '../store/database.js';
import { msToCredits } from './credits.js';
import type { Page } from './page.js';
import type { PlanName } from './plans.js';

/** A key in a list. The key itself is not stored, so it cannot be shown. */
export interface KeyRow {
  readonly id: string;
  readonly user: string;
  readonly plan: PlanName;
  /** Credits of the user, in seconds. */
  readonly credits: number;
  readonly from_environment: boolean;
  readonly created_at: Date;
  readonly revoked_at: Date | null;
}

type StoredKey = Omit<KeyRow, 'credits'> & { readonly balance_ms: number };

const KEYS = `
  select api_key.id, account_id as user, plan, balance_ms, from_environment, api_key.created_at, revoked_at
    from api_key join account on account.id = account_id`;

/** Reads all keys, including revoked ones, oldest first. */
export async function readKeys(queries: Queries): Promise<KeyRow[]> {
  return (await queries.query<StoredKey>(`${KEYS} order by api_key.created_at, api_key.id`)).map(toRow);
}

/** Reads a page of the keys. `before` and `after` are ids of keys. */
export async function readKeyPage(queries: Queries, { user, before, after, limit }: Page): Promise<KeyRow[]> {
  const order = after === undefined ? 'desc' : 'asc';
  const place = (id: string): string => `(select created_at, id from api_key where id = ${id})`;
  const rows = await queries.query<StoredKey>(
    `${KEYS} where ($1::text is null or account_id = $1)
       and ($2::text is null or (api_key.created_at, api_key.id) < ${place('$2')})
       and ($3::text is null or (api_key.created_at, api_key.id) > ${place('$3')})
     order by api_key.created_at ${order}, api_key.id ${order} limit $4`,
    [user ?? null, before ?? null, after || null, limit],
  );
  return rows.map(toRow);
}

function toRow({ id, user, plan, balance_ms, ...rest }: StoredKey): KeyRow {
  return { id, user, plan, credits: msToCredits(balance_ms), ...rest };
}
