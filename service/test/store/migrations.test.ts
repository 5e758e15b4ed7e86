import assert from 'node:assert/strict';
import { before, it } from 'node:test';
import type { Database } from '../../src/store/database.js';
import { migrate } from '../../src/store/migrations.js';
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
    assert.deepEqual(await database.query('select version from migration'), [
      { version: 1 },
      { version: 2 },
      { version: 3 },
    ]);
  });

  it('is refused if it is of a newer service', async () => {
    await database.query('insert into migration (version) values (999)');
    await assert.rejects(migrate(database), (error: Error) => {
      assert.ok(error instanceof StoreError);
      assert.match(error.message, /of a newer svc-service \(schema 999, this one knows 3\)\. Update svc-service\./);
      return true;
    });
  });
});
