import type { Queries } from '../store/database.js';
import { msToCredits } from './credits.js';

/** Maximum number of users with rows of their own in a summary. The others share one row per day. */
const USERS_MAX = 8;

/** Credits used on one day by one user. */
export interface UsageRow {
  /** Day on which the sockets were opened, in UTC, such as `2026-11-22`. */
  readonly day: string;
  /** The user; `null` for all users except the {@link USERS_MAX} with the highest usage. */
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

const DAY_MS = 86_400_000;

interface Sum {
  readonly user: string;
  readonly ms: number;
  readonly sockets: number;
}

/**
 * Sums the ledger by day and user. Returns at most `days * (USERS_MAX + 1)` rows.
 *
 * Reads one day at a time. The embedded database runs one statement at a time and a month may take seconds, so
 * heartbeats and session calls must get their turn in between.
 *
 * @param days - Number of days, including today; 1 or more.
 * @param user - Only this user; all users by default.
 */
export async function readUsage(queries: Queries, days: number, user?: string): Promise<Usage> {
  const [now] = await queries.query<{ at: Date }>('select svc_now() as at');
  const today = Math.floor(now!.at.getTime() / DAY_MS) * DAY_MS;
  const starts = Array.from({ length: days }, (_, index) => today - (days - 1 - index) * DAY_MS);
  const totals = new Map<string, number>();
  /** Sums over all users, one entry per day. */
  const whole: { ms: number; sockets: number }[] = [];
  for (const start of starts) {
    const sums = await sumDay(queries, start, user === undefined ? null : [user]);
    for (const sum of sums) totals.set(sum.user, (totals.get(sum.user) ?? 0) + sum.ms);
    whole.push(add(sums));
  }
  const top = [...totals]
    .toSorted(([one, oneMs], [other, otherMs]) => otherMs - oneMs || (one < other ? -1 : 1))
    .slice(0, USERS_MAX)
    .map(([name]) => name);
  const rows: UsageRow[] = [];
  for (const [index, start] of starts.entries()) {
    const { ms, sockets } = whole[index]!;
    if (sockets === 0) continue;
    const day = toDay(start);
    const named = (await sumDay(queries, start, top)).toSorted((one, other) => (one.user < other.user ? -1 : 1));
    for (const sum of named) {
      rows.push({ day, user: sum.user, credits: msToCredits(sum.ms), sockets: sum.sockets });
    }
    const rest = add(named);
    // A socket that opens between the two reads appears only in the second one.
    if (sockets > rest.sockets) {
      const others = { credits: msToCredits(Math.max(0, ms - rest.ms)), sockets: sockets - rest.sockets };
      rows.push({ day, user: null, ...others });
    }
  }
  return { from: toDay(starts[0]!), to: toDay(today), rows };
}

/** Sums the sockets that were opened on a day, by user; all users if `users` is `null`. */
function sumDay(queries: Queries, start: number, users: readonly string[] | null): Promise<Sum[]> {
  return queries.query<Sum>(
    `select account_id as user, -sum(amount_ms::float8) as ms, count(*)::integer as sockets from ledger
      where kind = 'usage' and created_at >= $1 and created_at < $2 and ($3::text[] is null or account_id = any($3))
      group by account_id`,
    [new Date(start), new Date(start + DAY_MS), users],
  );
}

function add(sums: readonly Sum[]): { ms: number; sockets: number } {
  return sums.reduce((sum, { ms, sockets }) => ({ ms: sum.ms + ms, sockets: sum.sockets + sockets }), {
    ms: 0,
    sockets: 0,
  });
}

function toDay(time: number): string {
  return new Date(time).toISOString().slice(0, 10);
}
