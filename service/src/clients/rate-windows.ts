import type { Clock } from '../clock.js';
import type { Queries } from '../store/database.js';

/** Maximum number of remembered clients over the limit; the oldest entry is dropped first. */
const OVER_LIMIT_MAX = 10_000;

/**
 * One statement, so the count stays exact when several nodes count at once. A window begins with a client's first
 * request and lasts `$2` ms; `excluded` is the row of a window that begins now. No window ends later than that one,
 * even if the database's clock was set back.
 */
const HIT = `
  insert into rate_window as kept (client, hits, ends_at)
  values ($1, $3, svc_now() + $2::float8 * interval '1 millisecond')
  on conflict (client) do update set
    hits = case when kept.ends_at <= excluded.ends_at - $2::float8 * interval '1 millisecond'
      then excluded.hits else kept.hits + excluded.hits end,
    ends_at = case when kept.ends_at <= excluded.ends_at - $2::float8 * interval '1 millisecond'
      then excluded.ends_at else least(kept.ends_at, excluded.ends_at) end
  returning hits, (extract(epoch from ends_at - svc_now()) * 1000)::float8 as left_ms`;

/** Deletes windows that have ended. */
export const PURGE_RATE_WINDOWS = `
  delete from rate_window where client in
    (select client from rate_window where ends_at <= svc_now() for update skip locked)`;

/** A window of a client. */
export interface RateWindow {
  /** Number of requests in it, including this one. Not exact above the limit. */
  readonly hits: number;
  /** Time until it ends, in ms, 0 or more. */
  readonly leftMs: number;
}

/** Counts requests of clients in time windows, across all nodes of a database. Main thread. */
export interface RateWindows {
  /**
   * Counts a request.
   *
   * @param amount - 1, or 0 for a request that only waits for those before it and reads their number.
   */
  hit(client: string, amount?: 0 | 1): Promise<RateWindow>;
}

/** Options of {@link createRateWindows}. */
export interface RateWindowOptions {
  readonly database: Queries;
  readonly clock: Clock;
  /** Limit: maximum number of requests in a window. */
  readonly most: number;
  /** Length of a window, in ms. */
  readonly windowMs: number;
}

/**
 * Creates windows in the table `rate_window`, which uses the database's time.
 *
 * A client over the limit is remembered in memory until its window ends. So it cannot keep the database busy, nor make
 * every connection wait for the lock on its row.
 */
export function createRateWindows({ database, clock, most, windowMs }: RateWindowOptions): RateWindows {
  /** Ends of the windows of clients over the limit, on the scale of `clock.elapsed()`. */
  const overLimit = new Map<string, number>();
  return {
    async hit(client, amount = 1) {
      const askedAt = clock.elapsed();
      const leftMs = (overLimit.get(client) ?? 0) - askedAt;
      if (leftMs > 0) return { hits: most + 1, leftMs };
      overLimit.delete(client);
      const [row] = await database.query<{ hits: number; left_ms: number }>(HIT, [client, windowMs, amount]);
      const window = { hits: row!.hits, leftMs: Math.max(0, row!.left_ms) };
      if (window.hits > most) {
        if (overLimit.size >= OVER_LIMIT_MAX) overLimit.delete(overLimit.keys().next().value!);
        // Relative to the start of the query, so that a window is never remembered for longer than it lasts.
        overLimit.set(client, askedAt + window.leftMs);
      }
      return window;
    },
  };
}
