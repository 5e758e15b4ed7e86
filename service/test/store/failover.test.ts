import assert from 'node:assert/strict';
import { after, afterEach, before, beforeEach, describe, it } from 'node:test';
import type { Database, DatabaseError } from '../../src/store/database.js';
import { openPostgres } from '../../src/store/postgres-database.js';
import { host, KEY } from '../support/host.js';
import { eventually } from '../support/eventually.js';
import { ManualClock } from '../support/manual-clock.js';
import { openPatiently } from '../support/open-database.js';
import { askPostgres } from '../support/postgres.js';
import { NO_POSTGRES, PostgresServer } from '../support/postgres-server.js';
import { relayToDatabase, type Relay } from '../support/relay.js';

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

describe('a name of PostgreSQL that leads to another server', { skip: NO_POSTGRES }, () => {
  let one: PostgresServer;
  let other: PostgresServer;
  let relay: Relay;
  let url: string;
  before(async () => {
    [one, other] = await Promise.all([PostgresServer.start(), PostgresServer.start()]);
    for (const server of [one, other]) {
      await askPostgres(server.url, 'create table note (text text)');
      await (await openPatiently(server.url)).close(); // makes the tables of the service
    }
  });
  after(() => Promise.all([one, other].map((server) => server.stop())));
  beforeEach(async () => {
    await setReadOnly(one, false);
    await setReadOnly(other, false);
    ({ relay, url } = await relayToDatabase(one.url));
  });
  afterEach(() => relay.stop());

  const portInUse = async (database: Database): Promise<number> => {
    const [row] = await database.query<{ port: number }>(`select current_setting('port')::integer as port`);
    return row!.port;
  };

  it('takes all connections along when they are cut', async () => {
    const database = await openPostgres(url, { ...PATIENT, connections: 5 });
    const useAll = () => Promise.all(Array.from({ length: 5 }, () => database.query('select pg_sleep(0.1)')));
    await useAll(); // five connections are idle
    relay.leadTo(portOf(other));
    relay.reset();
    const port = await eventually('it answers', () => portInUse(database).catch(() => null));
    assert.equal(port, portOf(other));
    await useAll();
    for (let count = 0; count < 10; count++) await database.query(`insert into note values ('after')`);
    assert.equal((await askPostgres(other.url, `select from note where text = 'after'`)).length, 10);
    assert.equal((await askPostgres(one.url, `select from note where text = 'after'`)).length, 0);
    await database.close();
  });

  it('takes along a connection that stays open, once its server is read-only', async () => {
    const database = await openPostgres(url, { ...PATIENT, connections: 1 });
    relay.leadTo(portOf(other));
    await setReadOnly(one, true);
    await eventually('a statement fails', () =>
      database.query(`insert into note values ('lost')`).then(
        () => null, // its session has not noticed yet
        ({ code, message }: DatabaseError) => {
          assert.equal(code, 'unreachable');
          assert.match(message, /cannot be reached \(25006\)/);
          return true;
        },
      ),
    );
    assert.equal(await portInUse(database), portOf(other));
    await database.close();
  });

  it('refuses statements while no server is there, and holds no connection for them', async () => {
    const database = await openPostgres(url, PATIENT);
    await relay.stop();
    // More attempts than there are connections. The first ones may find that theirs are lost.
    for (let count = 0; count < 20; count++) await assert.rejects(database.query('select 1'), { code: 'unreachable' });
    await assert.rejects(database.query('select 1'), {
      message: /^PostgreSQL at \S+ cannot be reached \(ECONNREFUSED\)\.$/,
    });
    relay.leadTo(portOf(other));
    await relay.listen();
    assert.equal(await portInUse(database), portOf(other));
    await database.close();
  });

  it('takes an idle service along, which serves as before', async () => {
    for (const server of [other, one]) {
      const database = await openPatiently(server.url);
      await (await host({ database })).service.close(); // keeps its key there
      await database.close();
    }
    const database = await openPostgres(url, PATIENT);
    const clock = new ManualClock();
    const node = await host({ database, clock });
    assert.equal((await node.call()).status, 200);
    relay.leadTo(portOf(other));
    relay.reset();
    await eventually('the node is ready', async () => {
      clock.advance(1000); // an answer of the database counts for a second
      const { status } = await fetch(`${node.service.url}/readyz`);
      return status === 200 && (await portInUse(database)) === portOf(other);
    });
    assert.equal((await node.call({}, { 'X-SVC-Api-Key': KEY })).status, 200);
    await node.close();
    await database.close();
  });
});
