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

const DAY_MS = 86_400_000;

interface Sum {
  readonly user: string;
  readonly ms: number;
  readonly sockets: number;
}

/**
 * Sums the ledger by day and user. At most `days * (USERS_MAX + 1)` rows.
 *
 * It reads one day at a time, so that heartbeats and session calls get their turn in between: the embedded database
 * carries out one statement after the other, and a month may take seconds.
 *
 * @param days - Days to sum, today included; 1 or more.
 * @param user - Only this user; by default all.
 */
export async function readUsage(queries: Queries, days: number, user?: string): Promise<Usage> {
  const [now] = await queries.query<{ at: Date }>('select svc_now() as at');
  const today = Math.floor(now!.at.getTime() / DAY_MS) * DAY_MS;
  const starts = Array.from({ length: days }, (_, index) => today - (days - 1 - index) * DAY_MS);
  const totals = new Map<string, number>();
  /** Sums over all users, a day each. */
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
    // A socket that opens between the two readings is in the second one only.
    if (sockets > rest.sockets) {
      const others = { credits: msToCredits(Math.max(0, ms - rest.ms)), sockets: sockets - rest.sockets };
      rows.push({ day, user: null, ...others });
    }
  }
  return { from: toDay(starts[0]!), to: toDay(today), rows };
}

/** Sums the sockets that were opened on a day, by user; of all users, or of some. */
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
