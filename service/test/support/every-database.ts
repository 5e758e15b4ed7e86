import { after, describe } from 'node:test';
import { openDatabase, type StoreOptions } from '../../src/store/open-database.js';
import type { Database } from '../../src/store/database.js';
import { NO_POSTGRES, startPostgres } from './postgres.js';

/** What a suite of {@link describeOnEveryDatabase} gets. */
export interface EmptyDatabases {
  /** Opens an empty database with all tables; it is closed after the suite. */
  open(): Promise<Database>;
  /** Where an empty database can be opened; more than once at the same time if {@link isShared}. */
  place(): Promise<StoreOptions>;
  /** Whether several processes can have it: PostgreSQL. */
  readonly isShared: boolean;
}

/**
 * Describes the same behaviour of the embedded database and of PostgreSQL. The latter is skipped, loudly, where there is
 * none.
 *
 * An embedded database takes half a second to open: let the tests of a suite share one where they can.
 */
export function describeOnEveryDatabase(name: string, suite: (databases: EmptyDatabases) => void): void {
  const run = (place: () => Promise<StoreOptions>, isShared: boolean): void => {
    const opened: Database[] = [];
    after(() => Promise.all(opened.map((database) => database.close())));
    suite({
      place,
      isShared,
      async open() {
        const database = await openDatabase(await place());
        opened.push(database);
        return database;
      },
    });
  };
  describe(`${name} (embedded)`, () => run(async () => ({}), false));
  describe(`${name} (PostgreSQL)`, { skip: hasPostgres ? false : NO_POSTGRES }, () =>
    run(async () => ({ databaseUrl: await (await startPostgres())!.createDatabase() }), true),
  );
}

const hasPostgres = (await startPostgres()) !== null;
