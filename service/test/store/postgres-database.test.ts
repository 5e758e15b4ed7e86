import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { after, before, describe, it } from 'node:test';
import { DatabaseError, type Database } from '../../src/store/database.js';
import { openDatabase } from '../support/open-database.js';
import { openPostgres, requirePostgres } from '../../src/store/postgres-database.js';
import { StoreError } from '../../src/store/store-error.js';
import { SCHEMA_VERSION } from '../../src/store/migrations.js';
import { freePort } from '../support/free-port.js';
import { eventually } from '../support/eventually.js';
import { HeldLock } from '../support/held-lock.js';
import { askPostgres, createDatabase } from '../support/postgres.js';
import { NO_POSTGRES } from '../support/postgres-server.js';
import { relayToDatabase } from '../support/relay.js';

const END_SLEEPERS = `select pid, pg_terminate_backend(pid) from pg_stat_activity
  where datname = current_database() and query = 'select pg_sleep(30)' and state = 'active'`;

describe('openPostgres', { skip: NO_POSTGRES }, () => {
  let url: string;
  let database: Database;
  before(async () => {
    url = await createDatabase();
    database = await openPostgres(url);
    await database.query('create table pair (id int primary key, n int not null)');
    await database.query('insert into pair values (1, 0), (2, 0)');
  });
  after(() => database.close());

  it('retries a transaction that was the victim of a deadlock', async () => {
    let inFirst = 0;
    let tries = 0;
    let meet = (): void => {};
    const met = new Promise<void>((resolve) => (meet = resolve));
    const lockBoth = (first: number, second: number) =>
      database.transaction(async (queries) => {
        tries++;
        await queries.query('update pair set n = n + 1 where id = $1', [first]);
        if (++inFirst === 2) meet();
        await met; // now each holds what the other wants
        await queries.query('update pair set n = n + 1 where id = $1', [second]);
      });
    await Promise.all([lockBoth(1, 2), lockBoth(2, 1)]);
    assert.ok(tries >= 3, `${tries} tries`);
    assert.deepEqual(await database.query('select n from pair'), [{ n: 2 }, { n: 2 }]);
  });

  it('fails what was asked on a connection that broke, and connects again for the next', async () => {
    const asleep = [
      rejectsWith('unreachable', database.query('select pg_sleep(30)')),
      rejectsWith(
        'unreachable',
        database.transaction(async (queries) => {
          await queries.query('update pair set n = 99');
          await queries.query('select pg_sleep(30)');
        }),
      ),
    ];
    // A connection may be listed for a while after it was ended.
    const ended = new Set<number>();
    await until(async () => {
      for (const { pid } of await askPostgres<{ pid: number }>(url, END_SLEEPERS)) ended.add(pid);
      return ended.size === 2;
    });
    await Promise.all(asleep);
    assert.deepEqual(await database.query('select n from pair'), [{ n: 2 }, { n: 2 }]);
  });

  it('fails while the server is away, without naming the password, and works when it is back', async () => {
    const { relay, url: relayed } = await relayToDatabase(url);
    const client = await openPostgres(relayed);
    const inTransaction = client.transaction(async (queries) => {
      await queries.query('update pair set n = 99');
      await relay.stop();
      await queries.query('select 1');
    });
    const error = await rejectsWith('unreachable', inTransaction);
    assert.match(error.message, /PostgreSQL at 127\.0\.0\.1:\d+\/test_\w+ cannot be reached/);
    assert.doesNotMatch(error.message, /not-to-be-seen/);
    await rejectsWith('unreachable', client.query('select 1'));
    await relay.listen();
    await until(async () => (await client.query('select 1').catch(() => [])).length === 1);
    assert.deepEqual(await client.query('select n from pair'), [{ n: 2 }, { n: 2 }]);
    await client.close();
    await relay.stop();
  });

  it('makes the server cancel a statement that takes too long', async () => {
    // The limit also applies to the statements with which it is opened.
    const hasty = await eventually('it is open', () => openPostgres(url, { statementMs: 500 }).catch(() => null));
    await rejectsWith('57014', hasty.query('select pg_sleep(30)'));
    await hasty.close();
  });

  it('times out while the server does not answer, and asks again on new connections', async () => {
    const { relay, url: relayed } = await relayToDatabase(url);
    // On a busy machine, an answer may take longer than 200 ms.
    const client = await eventually('it is open', () => openPostgres(relayed, { silenceMs: 200 }).catch(() => null));
    relay.hold();
    const error = await rejectsWith('unreachable', client.query('select 1'));
    assert.match(error.message, /cannot be reached/);
    relay.release();
    await until(async () => (await client.query('select 1').catch(() => [])).length === 1);
    await client.close();
    await relay.stop();
  });

  it('survives connections that break at any moment while connecting', async () => {
    const { relay, url: relayed } = await relayToDatabase(url);
    const client = await openPostgres(relayed, { silenceMs: 3_600_000 }); // each break is noticed, none times out
    // Before its first answer, a server sends about 400 bytes. An uncaught error fails the test.
    for (let bytes = 0; bytes < 800; bytes += 40) {
      relay.resetAfter(bytes);
      await Promise.allSettled(Array.from({ length: 3 }, () => client.query('select 1')));
    }
    relay.resetAfter(Infinity);
    await until(async () => (await client.query('select 1').catch(() => [])).length === 1);
    await client.close();
    await relay.stop();
  });

  it('refuses a user with a wrong password, and does not tell the password', async () => {
    const wrong = url.replace('not-to-be-seen', 'quite%2Fwrong');
    await refuses(wrong, /does not let the user svc in \(28P01\)\. Check user and password in SVC_DATABASE_URL/);
  });

  it('refuses a database that does not exist', async () => {
    await refuses(url.replace(/test_\w+$/, 'nowhere'), /has no such database \(3D000\)\. Create it \(createdb\)/);
  });

  it('refuses a server that is not there', async () => {
    await refuses(
      `postgres://u:not-to-be-seen@127.0.0.1:${await freePort()}/x`,
      /cannot be reached \(ECONNREFUSED\)\. Is it running/,
    );
  });

  it('refuses a server that does not answer at all', async (test) => {
    const mute = createServer(() => {}).listen(0, '127.0.0.1');
    test.after(() => mute.close());
    await once(mute, 'listening');
    const { port } = mute.address() as AddressInfo;
    const opening = openPostgres(`postgres://u:p@127.0.0.1:${port}/x`, { connectMs: 100 });
    await assert.rejects(opening, /cannot be reached \(.*timeout.*\)\. Is it running/);
  });

  it('refuses a database in another encoding', async () => {
    const plain = `${new URL(url).pathname.slice(1)}_plain`;
    await askPostgres(url, `create database ${plain} encoding 'SQL_ASCII' template template0`);
    await refuses(url.replace(/test_\w+$/, plain), /is in SQL_ASCII\. svc-service needs one in UTF8/);
  });

  it('refuses a user who may not make tables, and says what to grant', async () => {
    await askPostgres(url, `create role reader login password 'reader'`);
    const theirs = await createDatabase();
    const admin = await openPostgres(theirs);
    await admin.query('revoke create on schema public from public');
    await admin.close();
    await refuses(theirs.replace('svc:not-to-be-seen', 'reader:reader'), /\(42501\).*GRANT CREATE ON SCHEMA public/);
  });

  it('lets a migration take longer than any other statement may', async () => {
    const empty = await createDatabase();
    const limits = { statementMs: 4000, silenceMs: 4000 };
    // The first statement of a migration takes as long as the test holds this lock.
    const lock = await HeldLock.take(empty, 'create table migration (version integer primary key)');
    const opening = openDatabase({ databaseUrl: empty }, limits);
    await lock.waiters(1);
    const other = await openPostgres(empty, { ...limits, silenceMs: 3_600_000 });
    await rejectsWith('57014', other.query('select pg_sleep(30)')); // the limits are over
    await other.close();
    await lock.release();
    const migrated = await opening;
    await rejectsWith('42P07', migrated.query('create table account ()'));
    const [limit] = await migrated.query<{ value: string }>(`select current_setting('statement_timeout') as value`);
    assert.equal(limit!.value, '4s', 'only migrations have no limit');
    await migrated.close();
  });

  it('makes the tables once when several nodes start at the same time', async () => {
    const empty = await createDatabase();
    const nodes = await Promise.all(Array.from({ length: 4 }, () => openDatabase({ databaseUrl: empty })));
    assert.deepEqual(await nodes[0]!.query('select count(*) from migration'), [{ count: SCHEMA_VERSION }]);
    await Promise.all(nodes.map((node) => node.close()));
  });
});

describe('the address of a PostgreSQL', () => {
  const wrong = ['', 'localhost', 'mysql://u:p@h/d', 'postgres://u:p%@h/d', 'postgres://u:p@h:port/d'];
  const severalHosts = ['postgres://u:p@h,h/d', 'postgres://u:p@h:5432,h:5433/d'];
  for (const address of [...wrong, ...severalHosts]) {
    it(`is not ${address || 'empty'}, which is refused without repeating it`, async () => {
      await assert.rejects(openPostgres(address), (error: Error) => {
        assert.ok(error instanceof StoreError);
        assert.match(error.message, /^SVC_DATABASE_URL is not an address such as postgres:/);
        assert.doesNotMatch(error.message, /u:p%?@h/);
        return true;
      });
    });
  }
});

describe('requirePostgres', () => {
  it('takes 13, and nothing older', () => {
    requirePostgres({ number: 130_000, version: '13.0', encoding: 'UTF8' }, 'h');
    assert.throws(
      () => requirePostgres({ number: 120_022, version: '12.22', encoding: 'UTF8' }, 'h:5432/d'),
      /PostgreSQL at h:5432\/d is version 12\.22\. svc-service needs 13 or newer/,
    );
  });
});

async function refuses(databaseUrl: string, message: RegExp): Promise<void> {
  await assert.rejects(openDatabase({ databaseUrl }), (error: Error) => {
    assert.ok(error instanceof StoreError, String(error));
    assert.match(error.message, message);
    assert.doesNotMatch(`${error.message} ${error.stack}`, /not-to-be-seen|quite/);
    return true;
  });
}

async function rejectsWith(code: string, work: Promise<unknown>): Promise<DatabaseError> {
  const error = await work.then(
    () => assert.fail('it did not fail'),
    (reason: unknown) => reason,
  );
  assert.ok(error instanceof DatabaseError, String(error));
  assert.equal(error.code, code, error.message);
  return error;
}

/** Repeats `ask` until it resolves with true. Does not wait in between, because `ask` takes time. */
async function until(ask: () => Promise<boolean>): Promise<void> {
  while (!(await ask())) await new Promise((resolve) => setImmediate(resolve));
}
