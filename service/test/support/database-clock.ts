import type { Queries } from '../../src/store/database.js';

/**
 * Clock of a database that stands still until a test advances it. It replaces `svc_now()`, which leases, bills and rate
 * windows use, for all nodes.
 */
export class DatabaseClock {
  readonly #queries: Queries;

  /** Stops the clock of a database that has the service's tables. */
  static async stop(queries: Queries): Promise<DatabaseClock> {
    await queries.query('create table if not exists test_clock (at timestamptz not null)');
    await queries.query('delete from test_clock');
    await queries.query(`insert into test_clock values ('2026-11-21T12:00:00Z')`);
    await queries.query(
      `create or replace function svc_now() returns timestamptz language sql volatile as 'select at from test_clock'`,
    );
    return new DatabaseClock(queries);
  }

  private constructor(queries: Queries) {
    this.#queries = queries;
  }

  async advance(ms: number): Promise<void> {
    await this.#queries.query(`update test_clock set at = at + $1::float8 * interval '1 millisecond'`, [ms]);
  }
}
