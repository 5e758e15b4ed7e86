import assert from 'node:assert/strict';
import { before, it } from 'node:test';
import type { Database } from '../../src/store/database.js';
import { migrate, SCHEMA_VERSION } from '../../src/store/migrations.js';
import { StoreError } from '../../src/store/store-error.js';
import { describeOnEveryDatabase } from '../support/every-database.js';

describeOnEveryDatabase('the schema', (databases) => {
  let database: Database;
  before(async () => {
    database = await databases.open();
  });

  it('is made once, and left as it is when it is there', async () => {
    await database.query(`insert into account (id, plan) values ('a', 'none')`);
    await Promise.all([migrate(database), migrate(database)]);
    assert.deepEqual(await database.query('select id from account'), [{ id: 'a' }]);
    const versions = await database.query('select version from migration');
    assert.deepEqual(
      versions,
      Array.from({ length: SCHEMA_VERSION }, (_, index) => ({ version: index + 1 })),
    );
  });

  it('is refused if it is of a newer service', async () => {
    await database.query('insert into migration (version) values (999)');
    await assert.rejects(migrate(database), (error: Error) => {
      assert.ok(error instanceof StoreError);
      assert.match(error.message, /of a newer svc-service \(schema 999, this one knows \d+\)\. Update svc-service\./);
      return true;
    });
  });
});
