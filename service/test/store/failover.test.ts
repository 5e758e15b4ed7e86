import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import type { Database } from '../../src/store/database.js';
import { openPostgres } from '../../src/store/postgres-database.js';
import { readPostgresUrl } from '../../src/store/postgres-url.js';
import { StoreError } from '../../src/store/store-error.js';
import { host, KEY } from '../support/host.js';
import { eventually } from '../support/eventually.js';
import { freePort } from '../support/free-port.js';
import { ManualClock } from '../support/manual-clock.js';
import { openPatiently } from '../support/open-database.js';
import { askPostgres } from '../support/postgres.js';
import { NO_POSTGRES, PASSWORD, PostgresServer } from '../support/postgres-server.js';

/** Limits with which nothing times out, even on a busy machine. */
const PATIENT = { connectMs: 3_600_000, statementMs: 3_600_000, silenceMs: 3_600_000 };

/** Makes a server read-only, or writable again, also for open sessions. */
async function setReadOnly(server: PostgresServer, isReadOnly: boolean): Promise<void> {
  const value = isReadOnly ? 'on' : 'off';
  await askPostgres(server.url, `alter system set default_transaction_read_only = ${value}`);
  await askPostgres(server.url, 'select pg_reload_conf()');
  await eventually(`the server is read-only: ${value}`, async () => {
    const [row] = await askPostgres<{ value: string }>(
      server.url,
      `select current_setting('default_transaction_read_only') as value`,
    );
    return row!.value === value;
  });
}

const portOf = (server: PostgresServer): number => Number(new URL(server.url).port);

describe('PostgreSQL on several hosts', { skip: NO_POSTGRES }, () => {
  let one: PostgresServer;
  let other: PostgresServer;
  before(async () => {
    [one, other] = await Promise.all([PostgresServer.start(), PostgresServer.start()]);
    for (const { url } of [one, other]) {
      await askPostgres(url, 'create table note (text text)');
      await (await openPatiently(url)).close(); // makes the tables of the service
    }
  });
  after(() => Promise.all([one, other].map((server) => server.stop())));
  beforeEach(async () => {
    await setReadOnly(one, false);
    await setReadOnly(other, true);
  });

  const both = (target = 'read-write'): string =>
    `postgres://svc:${PASSWORD}@127.0.0.1:${portOf(one)},127.0.0.1:${portOf(other)}/postgres` +
    (target && `?target_session_attrs=${target}`);
  const portInUse = async (database: Database): Promise<number> => {
    const [row] = await database.query<{ port: number }>(`select current_setting('port')::integer as port`);
    return row!.port;
  };

  it('uses the writable one, whatever its place in the list', async () => {
    for (const [writable, readOnly] of [
      [one, other],
      [other, one],
    ] as const) {
      await setReadOnly(writable, false);
      await setReadOnly(readOnly, true);
      const database = await openPostgres(both(), PATIENT);
      assert.equal(await portInUse(database), portOf(writable));
      await database.close();
    }
  });

  it('goes over to the new primary when roles are swapped, on all connections', async () => {
    const database = await openPostgres(both(), { ...PATIENT, connections: 5 });
    const write = (text: string) => database.query('insert into note values ($1)', [text]);
    const writeOnAll = () => Promise.all(Array.from({ length: 5 }, () => database.query('select pg_sleep(0.1)')));
    await writeOnAll(); // five connections are idle
    await write('before');
    await setReadOnly(one, true);
    await setReadOnly(other, false);
    // At most the query that meets the change fails. The next one uses a new connection.
    await write('lost').catch((error: Error) => assert.match(error.message, /cannot be reached \(25006\)/));
    for (let count = 0; count < 10; count++) await write('after');
    await writeOnAll();
    assert.equal(await portInUse(database), portOf(other));
    assert.equal((await askPostgres(other.url, `select from note where text = 'after'`)).length, 10);
    assert.equal((await askPostgres(one.url, `select from note where text = 'after'`)).length, 0);
    await database.close();
  });

  it('goes over when the primary is gone and the other is promoted', async () => {
    const database = await openPostgres(both(), PATIENT);
    await one.crash();
    await assert.rejects(database.query('insert into note values (1)'), { code: 'unreachable' });
    const message = new RegExp(
      `^PostgreSQL at 127\\.0\\.0\\.1:${portOf(one)},127\\.0\\.0\\.1:${portOf(other)}/postgres has no server for read-write: ` +
        `127\\.0\\.0\\.1:${portOf(one)}/postgres cannot be reached \\(ECONNREFUSED\\), ` +
        `127\\.0\\.0\\.1:${portOf(other)}/postgres is read-only\\.$`,
    );
    // More attempts than there are connections: a failed attempt must not occupy one.
    for (let count = 0; count < 20; count++) await assert.rejects(database.query('select 1'), { message });
    await setReadOnly(other, false);
    assert.equal(await portInUse(database), portOf(other));
    await one.resume();
    assert.equal(await portInUse(database), portOf(other), 'and stays there');
    await database.close();
  });

  it('moves an idle service to the new primary, where it serves as before', async () => {
    const databaseUrl = both();
    for (const server of [other, one]) {
      await setReadOnly(server, false);
      const database = await openPatiently(server.url);
      await (await host({ database })).service.close(); // keeps its key there
      await database.close();
    }
    await setReadOnly(other, true);
    const database = await openPostgres(databaseUrl, PATIENT);
    const clock = new ManualClock();
    const node = await host({ database, clock });
    assert.equal((await node.call()).status, 200);
    await setReadOnly(one, true);
    await setReadOnly(other, false);
    let seconds = 0;
    await eventually('the node is ready', async () => {
      clock.advance(1000); // an answer of the database counts for a second
      assert.ok(++seconds < 60, 'before the purge, which writes once a minute');
      const { status } = await fetch(`${node.service.url}/readyz`);
      return status === 200 && (await portInUse(database)) === portOf(other);
    });
    assert.equal((await node.call({}, { 'X-SVC-Api-Key': KEY })).status, 200);
    await node.close();
    await database.close();
  });

  it('uses the first that answers, read-only or not, for any', async () => {
    await setReadOnly(one, true);
    const database = await openPostgres(both('any'), PATIENT);
    assert.equal(await portInUse(database), portOf(one));
    await database.close();
  });

  it('looks for a writable one by default', async () => {
    await setReadOnly(one, true);
    await setReadOnly(other, false);
    const database = await openPostgres(both(''), PATIENT);
    assert.equal(await portInUse(database), portOf(other));
    await database.close();
  });

  it('does not try a password elsewhere that one of them refuses', async () => {
    await assert.rejects(openPostgres(both().replace(PASSWORD, 'wrong'), PATIENT), (error: Error) => {
      assert.ok(error instanceof StoreError);
      assert.match(error.message, /does not let the user svc in \(28P01\)/);
      return true;
    });
  });

  it('reports why a start finds none, in one line and without the password', async () => {
    await setReadOnly(one, true);
    const url = both().replace(`:${portOf(other)}/`, `:${await freePort()}/`);
    await assert.rejects(openPostgres(url, PATIENT), (error: Error) => {
      assert.ok(error instanceof StoreError);
      assert.match(
        error.message,
        /has no server for read-write: \S+ is read-only, \S+ cannot be reached \(ECONNREFUSED\)\./,
      );
      assert.match(error.message, / Is it running\? Check the address in SVC_DATABASE_URL\.$/);
      assert.doesNotMatch(`${error.message} ${error.stack}`, new RegExp(PASSWORD));
      return true;
    });
  });
});

describe('readPostgresUrl', () => {
  it('reads several hosts as libpq does, with the port of each', () => {
    const address = readPostgresUrl('postgres://me:p%40ss@a:5433,b/d?sslmode=require&target_session_attrs=primary');
    assert.deepEqual(address, {
      servers: [
        { url: 'postgres://me:p%40ss@a:5433/d?sslmode=require', where: 'a:5433/d' },
        { url: 'postgres://me:p%40ss@b/d?sslmode=require', where: 'b/d' },
      ],
      target: 'primary',
      where: 'a:5433,b/d',
      user: 'me',
    });
  });

  it('leaves one host as it is', () => {
    const url = 'postgresql://me@[::1]:5433/d?options=-c%20search_path%3Dx';
    assert.deepEqual(readPostgresUrl(url), {
      servers: [{ url, where: '[::1]:5433/d' }],
      target: 'any',
      where: '[::1]:5433/d',
      user: 'me',
    });
  });

  for (const [url, message] of [
    ['postgres://u:p@a,/d', /^--database-url is not an address/],
    ['postgres://u:p@,b/d', /^--database-url is not an address/],
    ['postgres://u:p@a:5432,b:x/d', /^--database-url is not an address/],
    ['postgres://u:p@a,b/d with space', /^--database-url is not an address/],
    [
      'postgres://u:p@a,b/d?target_session_attrs=standby',
      /^target_session_attrs in --database-url must be one of read-write, primary, any, not standby: the service writes/,
    ],
  ] as const) {
    it(`refuses ${url}, without repeating it`, () => {
      assert.throws(
        () => readPostgresUrl(url, '--database-url'),
        (error: Error) =>
          error instanceof StoreError && message.test(error.message) && !error.message.includes('u:p@a'),
      );
    });
  }
});
