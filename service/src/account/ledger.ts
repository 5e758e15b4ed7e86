import type { Queries } from '../store/database.js';
import { msToCredits } from './credits.js';
import type { Page } from './page.js';

/** Rows to read at a time: a ledger may be too long for memory. */
const PAGE_ROWS = 500;

/** Rows that one purge merges at most: more than a busy service adds in a minute, and a statement of less than a second. */
const PURGE_ROWS = 10_000;

/**
 * Merges rows that last changed two years ago into the row of kind `balance` of their account, so that the sum of the
 * ledger stays equal to the balance.
 *
 * Accounts come in the order in which the heartbeat locks them. The row of an open socket changes every few seconds.
 */
export const PURGE_LEDGER = `
  with old as (
    delete from ledger where id in
      (select id from ledger
        where created_at < svc_now() - interval '2 years' and updated_at < svc_now() - interval '2 years'
          and kind <> 'balance'
        limit ${PURGE_ROWS} for update skip locked)
    returning account_id, amount_ms)
  insert into ledger (account_id, kind, amount_ms)
  select account_id, 'balance', sum(amount_ms)::bigint from old group by account_id order by account_id
  on conflict (account_id) where kind = 'balance'
  do update set amount_ms = ledger.amount_ms + excluded.amount_ms, updated_at = svc_now()`;

/** A row of the ledger, as commands and the dashboard show it. */
export interface LedgerRow {
  readonly id: number;
  readonly user: string;
  /**
   * `grant`: credits that were granted. `usage`: credits that one socket used; the row changes while the socket is
   * open. `balance`: the sum of the rows that were older than two years, at most one row per user.
   */
  readonly kind: 'grant' | 'usage' | 'balance';
  /** Seconds of an open socket; below 0 for usage. */
  readonly credits: number;
  /** The same in milliseconds. The balance of an account is the sum of these. */
  readonly ms: number;
  /** Id of the socket's session, if `kind` is `usage`. */
  readonly session: string | null;
  /** The node that held the socket. */
  readonly node: string | null;
  readonly at: Date;
  readonly updated_at: Date;
}

/** A row as the query returns it. */
type StoredLedgerRow = Omit<LedgerRow, 'credits'>;

/** Converts a row of the query to a {@link LedgerRow}. */
function toLedgerRow({ id, user, kind, ms, session, node, at, updated_at }: StoredLedgerRow): LedgerRow {
  return { id, user, kind, credits: msToCredits(ms), ms, session, node, at, updated_at };
}

const LEDGER = `
  select id, account_id as user, kind, amount_ms as ms, session_id as session, node, created_at as at, updated_at
    from ledger`;

/** Reads a page of the ledger. `before` and `after` are ids of rows. */
export async function readLedgerPage(queries: Queries, { user, before, after, limit }: Page): Promise<LedgerRow[]> {
  const order = after === undefined ? 'desc' : 'asc';
  const rows = await queries.query<StoredLedgerRow>(
    `${LEDGER} where ($1::text is null or account_id = $1) and ($2::bigint is null or id < $2)
       and ($3::bigint is null or id > $3) order by id ${order} limit $4`,
    [user ?? null, before ?? null, after ?? null, limit],
  );
  return rows.map(toLedgerRow);
}

/**
 * Iterates over the ledger of one user or of all users, oldest row first.
 *
 * @param limit - Rows to read at a time.
 */
export async function* readLedger(queries: Queries, user?: string, limit = PAGE_ROWS): AsyncGenerator<LedgerRow> {
  for (let after = 0; ;) {
    const rows = await readLedgerPage(queries, { user, after, limit });
    yield* rows;
    if (rows.length < limit) return;
    after = rows.at(-1)!.id;
  }
}
