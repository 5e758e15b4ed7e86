import type { Queries } from '../store/database.js';
import { msToCredits } from './credits.js';

/** Users that a summary names; the others share one row per day. */
const USERS_MAX = 8;

/** Credits used on one day by one user. */
export interface UsageRow {
  /** Day on which the sockets were opened, in UTC, such as `2026-11-22`. */
  readonly day: string;
  /** The user; `null` for all users that are not among the {@link USERS_MAX} who used most. */
  readonly user: string | null;
  /** Seconds of open sockets. */
  readonly credits: number;
  readonly sockets: number;
}

/** Usage of some days up to now. */
export interface Usage {
  /** First day, in UTC. */
  readonly from: string;
  /** Today, in UTC. */
  readonly to: string;
  /** By day, then by user. A day without usage has no row. */
  readonly rows: readonly UsageRow[];
}

/**
 * Sums the ledger by day and user. At most `days * (USERS_MAX + 1)` rows.
 *
 * @param days - Days to sum, today included; 1 or more.
 * @param user - Only this user; by default all.
 */
export async function readUsage(queries: Queries, days: number, user?: string): Promise<Usage> {
  const [range] = await queries.query<{ from: string; to: string }>(
    `select to_char(day, 'YYYY-MM-DD') as to, to_char(day - $1 * interval '1 day', 'YYYY-MM-DD') as from
       from (select date_trunc('day', svc_now() at time zone 'UTC') as day) as today`,
    [days - 1],
  );
  const { from, to } = range!;
  const rows = await queries.query<{ day: string; user: string | null; ms: number; sockets: number }>(
    `with used as (
       select to_char(created_at at time zone 'UTC', 'YYYY-MM-DD') as day, account_id,
              -sum(amount_ms) as ms, count(*) as sockets
         from ledger
        where kind = 'usage' and created_at >= ($1::timestamp at time zone 'UTC')
          and ($2::text is null or account_id = $2)
        group by 1, 2),
     top as (select account_id from used group by account_id order by sum(ms) desc, account_id limit $3)
     select day, top.account_id as user, sum(ms)::bigint as ms, sum(sockets)::integer as sockets
       from used left join top using (account_id)
      group by 1, 2 order by 1, top.account_id collate "C" nulls last`,
    [from, user ?? null, USERS_MAX],
  );
  return { from, to, rows: rows.map(({ ms, ...row }) => ({ ...row, credits: msToCredits(ms) })) };
}
