import type { Database, Queries } from '../store/database.js';
import { AccountError } from './account-error.js';
import { toLedgerRow, type LedgerRow, type StoredLedgerRow } from './ledger.js';

/** Rows that are read and replaced at a time. The service does other work in between. */
const PAGE_ROWS = 100;

/** Rows of the ledger that may be archived. */
export interface ArchivePage {
  readonly rows: readonly LedgerRow[];
  /** Id to pass as `after` for the next page; `null` if this page is the last. */
  readonly next: number | null;
}

/** A row that was read from a page and is now stored elsewhere. */
export interface ArchivedRow {
  readonly id: number;
  readonly ms: number;
}

/** SQL condition for rows that no longer change. The row of a socket with a lease still grows. */
const SETTLED = `kind <> 'balance' and not exists (select from lease where lease.session_id = ledger.session_id)`;

/**
 * Reads rows that last changed before an instant, without balance rows and the rows of open sockets.
 *
 * The instant must be at least a day ago: a node that has lost the database for less than a day still bills its
 * sockets.
 *
 * @param before - Instant in ISO 8601.
 * @param after - `next` of the previous page, or 0.
 * @param pageRows - Rows to scan; the page may have fewer.
 * @throws {AccountError} If `before` is not an instant, or too recent.
 */
export async function readArchivePage(
  queries: Queries,
  before: string,
  after: number,
  pageRows = PAGE_ROWS,
): Promise<ArchivePage> {
  await requireLongAgo(queries, before);
  // Limit before filtering, so that no page reads the whole table to find its rows.
  const page = await queries.query<StoredLedgerRow & { isOld: boolean; isLater: boolean }>(
    `select id, account_id as user, kind, amount_ms as ms, session_id as session, node, created_at as at, updated_at,
            updated_at < $1::timestamptz and ${SETTLED} as "isOld",
            created_at >= $1::timestamptz and kind <> 'balance' as "isLater"
       from ledger where id > $2 order by id limit $3`,
    [before, after, pageRows],
  );
  // Ids increase with time: a page that has only rows created after the instant is followed by no older ones.
  const isLast = page.length < pageRows || page.every(({ isLater }) => isLater);
  return {
    rows: page.filter(({ isOld }) => isOld).map(toLedgerRow),
    next: isLast ? null : page.at(-1)!.id,
  };
}

/**
 * Removes rows from the ledger and adds their amounts to the balance row of each account. Removes all of them or none.
 *
 * @throws {AccountError} If one of the rows has changed or no longer exists.
 */
export async function replaceArchived(database: Database, rows: readonly ArchivedRow[]): Promise<void> {
  await database.transaction(async (queries) => {
    const [gone] = await queries.query<{ count: number }>(
      `with gone as (
         delete from ledger using unnest($1::bigint[], $2::bigint[]) as archived (id, ms)
          where ledger.id = archived.id and amount_ms = archived.ms and ${SETTLED}
         returning account_id, amount_ms
       ), balance as (
         insert into ledger (account_id, kind, amount_ms)
         select account_id, 'balance', sum(amount_ms)::bigint from gone group by account_id order by account_id
         on conflict (account_id) where kind = 'balance'
         do update set amount_ms = ledger.amount_ms + excluded.amount_ms, updated_at = svc_now()
       )
       select count(*)::integer as count from gone`,
      [rows.map(({ id }) => id), rows.map(({ ms }) => ms)],
    );
    if (gone!.count === rows.length) return;
    throw new AccountError(
      `Of ${rows.length} rows of the ledger that were to be replaced, ${rows.length - gone!.count} changed meanwhile, ` +
        'or are gone. These rows are all left as they are. Archive once at a time, and try again.',
    );
  });
}

async function requireLongAgo(queries: Queries, before: string): Promise<void> {
  if (/^\d{4}-/.test(before) && !Number.isNaN(Date.parse(before))) {
    const [answer] = await queries.query<{ isLongAgo: boolean }>(
      `select $1::timestamptz <= svc_now() - interval '1 day' as "isLongAgo"`,
      [before],
    );
    if (answer!.isLongAgo) return;
  }
  throw new AccountError(
    `The ledger can be archived up to a day ago, not up to ${before.slice(0, 40)}. Give an earlier date, such as 2026-01-31.`,
  );
}
