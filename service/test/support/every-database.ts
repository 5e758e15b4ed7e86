import { after, describe } from 'node:test';
import type { Database } from '../../src/store/database.js';
import type { StoreOptions } from '../../src/store/open-database.js';
import { migrate } from '../../src/store/migrations.js';
import { openPostgres } from '../../src/store/postgres-database.js';
import { openDatabase, openEmbeddedDatabase } from './open-database.js';
import { createDatabase } from './postgres.js';
import { NO_POSTGRES } from './postgres-server.js';

/** Databases for a suite of {@link describeOnEveryDatabase} or {@link describeOnOneDatabase}. */
export interface EmptyDatabases {
  /** Opens an empty database with all tables; it is closed after the suite. */
  open(): Promise<Database>;
  /** Opens an empty database with the tables of an older version. The suite must close it. */
  openOlder(version: number): Promise<Database>;
  /** True if transactions run concurrently and wait for each other's locks. */
  readonly allowsLocks: boolean;
}

/**
 * Describes the same behaviour on the embedded database and on PostgreSQL. Without PostgreSQL, its suite is skipped,
 * with a message on stderr.
 *
 * Opening an embedded database takes half a second, so the tests of a suite should share one where possible.
 */
export function describeOnEveryDatabase(name: string, suite: (databases: EmptyDatabases) => void): void {
  describe(`${name} (embedded)`, () => run(suite, false, async () => ({})));
  describe(`${name} (PostgreSQL)`, { skip: NO_POSTGRES }, () =>
    run(suite, true, async () => ({ databaseUrl: await createDatabase() })),
  );
}

/**
 * Describes behaviour that depends on no database in particular: on PostgreSQL, or on the embedded database if there is
 * no PostgreSQL. With `SVC_LONG`, on both.
 */
export function describeOnOneDatabase(name: string, suite: (databases: EmptyDatabases) => void): void {
  if (process.env.SVC_LONG) return describeOnEveryDatabase(name, suite);
  const place = async () => (NO_POSTGRES ? {} : { databaseUrl: await createDatabase() });
  describe(name, () => run(suite, !NO_POSTGRES, place));
}

function run(
  suite: (databases: EmptyDatabases) => void,
  allowsLocks: boolean,
  place: () => Promise<StoreOptions>,
): void {
  const opened: Database[] = [];
  after(() => Promise.all(opened.map((database) => database.close())));
  suite({
    allowsLocks,
    async open() {
      const database = await openDatabase(await place());
      opened.push(database);
      return database;
    },
    async openOlder(version) {
      const { databaseUrl } = await place();
      const database = await (databaseUrl === undefined
        ? openEmbeddedDatabase()
        : openPostgres(databaseUrl, { connections: 1 }));
      await migrate(database, version);
      return database;
    },
  });
}
