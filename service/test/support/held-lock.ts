import pg from 'pg';
import { eventually } from './eventually.js';
import { askPostgres } from './postgres.js';

/** Locks in a PostgreSQL database that a test holds, to decide when the transactions that wait for them continue. */
export class HeldLock {
  readonly #client: pg.Client;
  readonly #databaseUrl: string;

  /** Begins a transaction with a statement that takes locks. */
  static async take(databaseUrl: string, statement: string): Promise<HeldLock> {
    const lock = new HeldLock(databaseUrl);
    await lock.#client.connect();
    await lock.#client.query('begin');
    await lock.#client.query(statement);
    return lock;
  }

  private constructor(databaseUrl: string) {
    this.#databaseUrl = databaseUrl;
    this.#client = new pg.Client(databaseUrl);
  }

  /** Resolves when this many connections to the database wait for a lock. */
  async waiters(count: number): Promise<void> {
    await eventually(`${count} connections wait for a lock`, async () => {
      const [row] = await askPostgres<{ count: number }>(
        this.#databaseUrl,
        `select count(*)::integer as count from pg_stat_activity
          where datname = current_database() and wait_event_type = 'Lock'`,
      );
      return row!.count >= count;
    });
  }

  /** Rolls back the transaction, so that the waiting ones continue. */
  async release(): Promise<void> {
    await this.#client.query('rollback');
    await this.#client.end();
  }
}
