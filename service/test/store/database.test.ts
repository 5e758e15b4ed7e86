import assert from 'node:assert/strict';
import { before, it } from 'node:test';
import { DatabaseError, type Database, type Queries } from '../../src/store/database.js';
import { describeOnEveryDatabase } from '../support/every-database.js';

describeOnEveryDatabase('Database', (databases) => {
  let database: Database;
  before(async () => {
    database = await databases.open();
    await database.query('create table thing (id text primary key, n bigint not null default 0)');
  });

  const one = async (text: string, values?: unknown[], queries: Queries = database): Promise<unknown> =>
    (await queries.query<{ value: unknown }>(text, values))[0]?.value;

  it('takes and gives every type in the same way', async () => {
    const at = new Date('2026-11-20T12:34:56.789Z');
    const cases: [type: string, value: unknown, expected?: unknown][] = [
      ['bigint', Number.MAX_SAFE_INTEGER],
      ['bigint', -1],
      ['integer', 7],
      ['double precision', 0.1],
      ['numeric', '12345678901234567890.5'],
      ['boolean', true],
      ['boolean', false],
      ['text', ''],
      ['text', 'Grüße, 🎈 \\ \' " {a,b} $1'],
      ['text', null],
      ['timestamptz', at],
      ['bytea', Uint8Array.from({ length: 256 }, (_, i) => i)],
      ['bytea', new Uint8Array()],
      ['bytea', Buffer.from([1, 2]), Uint8Array.of(1, 2)],
      ['jsonb', { a: [1, null, 'x'], b: { c: true } }],
      ['jsonb', '{"a": 1}', { a: 1 }],
      ['jsonb', '[1, 2]', [1, 2]],
      ['text[]', []],
      ['text[]', ['a', 'b"c', 'd,e', '{f}', 'null', '']],
      ['bigint[]', [1, 2 ** 40]],
    ];
    for (const [type, value, expected = value] of cases) {
      assert.deepEqual(await one(`select $1::${type} as value`, [value]), expected, type);
    }
    assert.equal(await one('select count(*) as value from generate_series(1, 3)'), 3);
    assert.equal(await one('select sum(n)::bigint as value from unnest($1::bigint[]) as n', [[1, 2]]), 3);
  });

  it('stores a moment to the millisecond, and gives the clock of the database', async () => {
    const now = await one('select svc_now() as value');
    assert.ok(now instanceof Date);
    assert.equal(await one('select $1::timestamptz = $2::timestamptz as value', [now, now.toISOString()]), true);
  });

  it('refuses undefined, and says which parameter it is', async () => {
    await assert.rejects(database.query('select $1::text, $2::text', ['a', undefined]), /\$2 is undefined/);
  });

  it('carries an SQLSTATE and a constraint in its errors, and never a value', async () => {
    await database.query(`insert into thing values ('very-secret')`);
    const error = await fails(database.query('insert into thing values ($1)', ['very-secret']));
    assert.equal(error.code, '23505');
    assert.equal(error.constraint, 'thing_pkey');
    assert.doesNotMatch(inspectDeeply(error), /very-secret/);
    assert.equal((await fails(database.query('select nothing_there'))).code, '42703');
    assert.equal((await fails(database.query('selct'))).code, '42601');
    assert.equal((await fails(database.query('select nothing_there, $1::text', ['very-secret']))).code, '42703');
    assert.equal(await one('select $1::int as value', [1]), 1);
  });

  it('survives text that PostgreSQL cannot store', async () => {
    assert.equal((await fails(database.query('select $1::text', ['a\0b']))).code, '22021');
    assert.equal(await one('select $1::text as value', ['still here']), 'still here');
    assert.equal(await one('select $1::text as value', ['\ud800']), '\ufffd');
  });

  it('answers a thousand concurrent queries, each with its own result', async () => {
    const numbers = Array.from({ length: 1000 }, (_, i) => i);
    assert.deepEqual(await Promise.all(numbers.map((n) => one('select $1::int as value', [n]))), numbers);
  });

  it('commits a transaction as a whole or not at all', async () => {
    const failing = database.transaction(async (queries) => {
      await queries.query(`insert into thing values ('half')`);
      throw new Error('changed my mind');
    });
    await assert.rejects(failing, /changed my mind/);
    assert.equal(await one(`select count(*) as value from thing where id = 'half'`), 0);
    const result = await database.transaction(async (queries) => {
      await queries.query(`insert into thing values ('whole')`);
      return one(`select id as value from thing where id = 'whole'`, [], queries);
    });
    assert.equal(result, 'whole');
    assert.equal(await one(`select count(*) as value from thing where id = 'whole'`), 1);
  });

  it('fails a transaction that has caught the error of a query, with that error', async () => {
    const error = await fails(
      database.transaction(async (queries) => {
        await queries.query(`insert into thing values ('swallowed')`);
        await queries.query('select 1 / 0').catch(() => {});
      }),
    );
    assert.equal(error.code, '22012');
    assert.equal(await one(`select count(*) as value from thing where id = 'swallowed'`), 0);
  });

  it('keeps transactions apart that run at the same time', async () => {
    await database.query(`insert into thing values ('counter')`);
    const increment = () =>
      database.transaction(async (queries) => {
        const n = await one(`select n as value from thing where id = 'counter' for update`, [], queries);
        await queries.query(`update thing set n = $1 where id = 'counter'`, [Number(n) + 1]);
      });
    await Promise.all([...Array.from({ length: 50 }, increment), ...Array.from({ length: 50 }, () => one('select 1'))]);
    assert.equal(await one(`select n as value from thing where id = 'counter'`), 50);
  });

  it('completes queries from before it is closed, refuses later ones, and closes once', async () => {
    const other = await databases.open();
    const asked = Array.from({ length: 20 }, (_, n) => one('select $1::int as value', [n], other));
    const inTransaction = other.transaction((queries) => one('select 42 as value', [], queries));
    const closed = [other.close(), other.close()];
    assert.deepEqual(await Promise.all([...asked, inTransaction]), [...Array.from({ length: 20 }, (_, n) => n), 42]);
    await Promise.all(closed);
    assert.equal((await fails(other.query('select 1'))).code, 'closed');
    assert.equal((await fails(other.transaction(async () => {}))).code, 'closed');
  });
});

async function fails(work: Promise<unknown>): Promise<DatabaseError> {
  const error = await work.then(
    () => assert.fail('it did not fail'),
    (reason: unknown) => reason,
  );
  assert.ok(error instanceof DatabaseError, String(error));
  return error;
}

/** Everything that a log would show of an error. */
function inspectDeeply(error: Error): string {
  const names = Object.getOwnPropertyNames(error) as (keyof Error)[];
  return JSON.stringify(names.map((name) => [name, error[name]])) + String(error.stack);
}
