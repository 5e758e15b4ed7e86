import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { createAccounts } from '../../src/account/accounts.js';
import type { Database } from '../../src/store/database.js';
import { migrate, SCHEMA_VERSION } from '../../src/store/migrations.js';
import { openPostgres } from '../../src/store/postgres-database.js';
import { describeOnEveryDatabase } from '../support/every-database.js';
import { HeldLock } from '../support/held-lock.js';
import { openDatabase, openPatiently } from '../support/open-database.js';
import { askPostgres, createDatabase } from '../support/postgres.js';
import { NO_POSTGRES } from '../support/postgres-server.js';

describeOnEveryDatabase('the schema', (databases) => {
  let database: Database;
  before(async () => {
    database = await databases.open();
  });

  it('is left as it is when it is there', async () => {
    await database.query(`insert into account (id, plan) values ('a', 'none')`);
    assert.equal(await migrate(database), SCHEMA_VERSION);
    assert.deepEqual(await database.query('select id from account'), [{ id: 'a' }]);
    const versions = await database.query('select version from migration order by version');
    assert.deepEqual(
      versions,
      Array.from({ length: SCHEMA_VERSION }, (_, index) => ({ version: index + 1 })),
    );
  });

  it('is used if it is of a newer service and only adds to the known one, as after a rollback', async () => {
    const newer = SCHEMA_VERSION + 1;
    await database.query('insert into migration (version, minimum) values ($1, $2)', [newer, SCHEMA_VERSION]);
    assert.equal(await migrate(database), newer);
    await createAccounts(database).createKey({ user: 'ada', credits: 1 });
  });

  it('is refused if it is of a newer service, and cannot be used by this one', async () => {
    await database.query('insert into migration (version, minimum) values (999, 998)');
    await assert.rejects(migrate(database), {
      name: 'StoreError',
      message:
        'The database is of a newer svc-service (schema 999, for services that know 998; this one knows ' +
        `${SCHEMA_VERSION}). Update svc-service.`,
    });
  });
});

describe('an index of a large table', { skip: NO_POSTGRES }, () => {
  let url: string;
  let database: Database;
  before(async () => {
    url = await createDatabase();
    database = await openPatiently(url);
    await createAccounts(database).createKey({ user: 'ada', credits: 1 });
  });
  after(() => database.close());

  const insertUsage = `insert into ledger (account_id, kind, amount_ms) values ('ada', 'usage', 0)`;
  const isValid = async (): Promise<boolean | undefined> => {
    const [index] = await database.query<{ valid: boolean }>(
      `select indisvalid as valid from pg_index where indexrelid = to_regclass('ledger_created')`,
    );
    return index?.valid;
  };

  it('is built while others write, for one node after the other', async () => {
    await database.query('drop index ledger_created');
    const writer = await HeldLock.take(url, insertUsage);
    const nodes = [openDatabase({ databaseUrl: url }), openDatabase({ databaseUrl: url })];
    try {
      await writer.waiters(1); // the build waits for the writer
      await database.query(insertUsage);
      assert.equal(await isValid(), false);
    } finally {
      await writer.release();
    }
    await Promise.all(nodes.map(async (node) => (await node).close()));
    assert.equal(await isValid(), true);
  });

  it('is built again if its build was interrupted', async () => {
    await database.query('drop index ledger_created');
    const writer = await HeldLock.take(url, insertUsage);
    try {
      const starting = assert.rejects(openDatabase({ databaseUrl: url }), /\(unreachable\)/);
      await writer.waiters(1);
      await database.query(
        `select pg_terminate_backend(pid) from pg_stat_activity
          where datname = current_database() and wait_event_type = 'Lock'`,
      );
      await starting;
    } finally {
      await writer.release();
    }
    assert.equal(await isValid(), false);
    assert.equal(await migrate(database), SCHEMA_VERSION);
    assert.equal(await isValid(), true);
  });
});

describe('a migration', { skip: NO_POSTGRES }, () => {
  it('lets the statements of other nodes pass while it waits for the lock of a table', async () => {
    const url = await createDatabase();
    const node = await openPostgres(url, { connections: 1 });
    await migrate(node, 7);
    const reader = await HeldLock.take(url, 'select from migration'); // the next migration changes this table
    const migrating = migrate(node);
    try {
      await reader.waiters(1);
      await askPostgres(url, 'select from migration');
    } finally {
      await reader.release();
    }
    assert.equal(await migrating, SCHEMA_VERSION);
    await node.close();
  });
});
