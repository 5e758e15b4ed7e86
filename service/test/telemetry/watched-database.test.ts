import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { watchDatabase } from '../../src/telemetry/watched-database.js';
import type { Database } from '../../src/store/database.js';
import { openDatabase } from '../support/open-database.js';

let database: Database;
let watched: Database;
let failures: unknown[];
before(async () => {
  database = await openDatabase();
});
after(() => database.close());
beforeEach(() => {
  failures = [];
  watched = watchDatabase(database, (error) => failures.push(error));
});

describe('watchDatabase', () => {
  it('passes results on, and reports no success', async () => {
    assert.deepEqual(await watched.query('select $1::int as n', [7]), [{ n: 7 }]);
    assert.equal(await watched.transaction(async (queries) => (await queries.query('select 1')).length), 1);
    assert.deepEqual(failures, []);
  });

  it('reports a statement that fails, and throws its error', async () => {
    const error = await watched.query('select nothing').catch((thrown: unknown) => thrown);
    assert.equal((error as { code?: string }).code, '42703'); // undefined_column
    assert.deepEqual(failures, [error]);
  });

  it('reports a statement that fails in a transaction once', async () => {
    const error = await watched
      .transaction((queries) => queries.query('select nothing'))
      .catch((thrown: unknown) => thrown);
    assert.deepEqual(failures, [error]);
  });

  it('does not report an error that the work of a transaction throws itself', async () => {
    const own = new Error('no credits');
    await assert.rejects(
      watched.transaction(async () => {
        throw own;
      }),
      (error) => error === own,
    );
    assert.deepEqual(failures, []);
  });

  it('reports a transaction that cannot begin', async () => {
    const down = new Error('connection refused');
    const own = watchDatabase({ ...database, transaction: () => Promise.reject(down) }, (error) =>
      failures.push(error),
    );
    await assert.rejects(
      own.transaction(async () => {}),
      down,
    );
    assert.deepEqual(failures, [down]);
  });
});
