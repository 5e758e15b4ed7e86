import type { Clock } from '../clock.js';
import type { Database } from '../store/database.js';

/** How often windows that are over are thrown away, in ms. */
const PURGE_EVERY_MS = 60_000;

/** Clients whose window is known to be full, at most; beyond it the database is asked for each request. */
const FULL_MAX = 10_000;

/**
 * One statement, so that it counts exactly however many nodes ask at once. A window begins with a client's first request
 * and lasts for `$2` ms; `excluded` is the row of a window that begins now.
 */
const HIT = `
  insert into rate_window as kept (client, hits, ends_at)
  values ($1, 1, svc_now() + $2::float8 * interval '1 millisecond')
  on conflict (client) do update set
    hits = case when kept.ends_at <= excluded.ends_at - $2::float8 * interval '1 millisecond'
      then 1 else kept.hits + 1 end,
    ends_at = case when kept.ends_at <= excluded.ends_at - $2::float8 * interval '1 millisecond'
      then excluded.ends_at else kept.ends_at end
  returning hits, (extract(epoch from ends_at - svc_now()) * 1000)::float8 as left_ms`;

/** Skips what another node is deleting or counting in: neither waits for the other. */
const PURGE = `
  delete from rate_window where client in
    (select client from rate_window where ends_at <= svc_now() for update skip locked)`;

/** A window of a client. */
export interface RateWindow {
  /** Requests in it, this one included. */
  readonly hits: number;
  /** Until it ends, in ms, 0 or more. */
  readonly leftMs: number;
}

/** Counts requests of clients in windows of time, over all nodes of a database. Main thread. */
export interface RateWindows {
  /** Counts a request. */
  hit(client: string): Promise<RateWindow>;
  /** Stops throwing away what is over. More than once is harmless. */
  stop(): void;
}

/** What windows are made of. */
export interface RateWindowOptions {
  readonly database: Database;
  readonly clock: Clock;
  /** Requests of a window after which there is nothing to count any more. */
  readonly most: number;
  /** Length of a window, in ms. */
  readonly windowMs: number;
  /** Takes errors of the database in the background. */
  readonly report: (error: unknown) => void;
}

/**
 * Counts in the table `rate_window`, by the database's time.
 *
 * A client whose window is full is remembered until it ends, so that one who goes on does not keep the database busy,
 * nor its row locked while the connections of everybody wait for it.
 */
export function createRateWindows({ database, clock, most, windowMs, report }: RateWindowOptions): RateWindows {
  /** When the window of a client that filled it ends, in `clock.elapsed()`. */
  const full = new Map<string, number>();
  let callOff = (): void => {};

  const dropOver = (): void => {
    for (const [client, endsAt] of full) if (endsAt <= clock.elapsed()) full.delete(client);
  };
  const purgeLater = (): void => {
    callOff = clock.after(PURGE_EVERY_MS, () => {
      dropOver();
      purgeLater();
      database.query(PURGE).catch(report);
    });
  };
  purgeLater();

  return {
    async hit(client) {
      const askedAt = clock.elapsed();
      const leftMs = (full.get(client) ?? 0) - askedAt;
      if (leftMs > 0) return { hits: most + 1, leftMs };
      const [row] = await database.query<{ hits: number; left_ms: number }>(HIT, [client, windowMs]);
      const window = { hits: row!.hits, leftMs: Math.max(0, row!.left_ms) };
      // From when the database was asked: so it is never remembered for longer than it lasts.
      if (window.hits > most && full.size < FULL_MAX) full.set(client, askedAt + window.leftMs);
      return window;
    },
    stop: () => callOff(),
  };
}
