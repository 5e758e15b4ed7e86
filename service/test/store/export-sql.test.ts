import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { promisify } from 'node:util';
import { findServers } from '../../../scripts/servers.mjs';
import { createAccounts } from '../../src/account/accounts.js';
import { createAvatars } from '../../src/avatar/avatars.js';
import { demoAvatar } from '../../src/avatar/demo-avatar.js';
import type { Database, Queries } from '../../src/store/database.js';
import { TABLES } from '../../src/store/export-sql.js';
import { SCHEMA_VERSION } from '../../src/store/migrations.js';
import { host } from '../support/host.js';
import { openDatabase } from '../support/open-database.js';
import { askPostgres, createDatabase } from '../support/postgres.js';
import { NO_POSTGRES } from '../support/postgres-server.js';
import { failureOf, rowsOf, runMain } from '../support/run-main.js';

/** Number of rows in each table of the data folder `source`. */
const ROWS = {
  account: 2,
  api_key: 2,
  ledger: 1202,
  lease: 0,
  used_token: 1,
  rate_window: 1,
  secret: 1,
  avatar: 2,
  room: 1,
  admin_session: 1,
  audit: 1,
  idempotency_key: 1,
};

describe('data export', () => {
  let folder: string;
  /** API key of the user `ada`. */
  let key: string;
  let tablesOfSource: string[];
  let contentsOfSource: unknown[][];
  let exported: Record<string, unknown>;
  const at = (name: string): string => join(folder, name);
  const failure = async (line: string) => failureOf(await runMain(line), 1);
  const load = (file: string, url: string) =>
    promisify(execFile)(join((findServers as () => { postgres: string })().postgres, 'psql'), ['--file', file, url]);

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'svc-export-'));
    const source = await openDatabase({ dataDir: at('source') });
    key = await fill(source);
    tablesOfSource = await tablesOf(source);
    contentsOfSource = await contentsOf(source);
    await source.close();
    [exported] = rowsOf(await runMain(`data export ${at('data.sql')} --data ${at('source')}`)) as [typeof exported];
  });
  after(() => rm(folder, { recursive: true }));

  /** Adds rows to the tables. Returns a key of `ada`. */
  async function fill(database: Database): Promise<string> {
    const accounts = createAccounts(database);
    const made = await accounts.createKey({ user: 'ada', plan: 'pro', credits: 7.5 });
    await accounts.revokeKey((await accounts.createKey({ user: 'bob' })).id);
    // More rows than one statement has.
    await database.query(
      `insert into ledger (account_id, kind, amount_ms, session_id, node)
       select 'ada', 'usage', -1, 'session ' || number, 'node "1"' from generate_series(1, 1200) as number`,
    );
    await database.query(`update account set balance_ms = balance_ms - 1200 where id = 'ada'`);
    const avatars = createAvatars(database);
    await avatars.add({ owner: 'ada', isPublic: true, status: 'available', bundle: demoAvatar });
    const other = { ...demoAvatar, avatar: { id: 'fox', name: `Fox's \\ "é" :name` } };
    await avatars.add({ owner: 'ada', isPublic: false, status: 'disabled', bundle: other });
    for (const statement of [
      `insert into room (name, account_id, used_at) values (E'a \\n "room''s" \\\\. $$', 'ada', svc_now())`,
      `insert into secret (name, kid, value) values ('session-token', 'initial', 'secret')`,
      `insert into used_token (id, expires_at) values ('token', svc_now())`,
      `insert into rate_window (client, hits, ends_at) values ('1.2.3.4', 3, svc_now())`,
      `insert into admin_session (id, name, expires_at) values ('a login', 'ann', svc_now())`,
      `insert into audit (via, name, action, details) values ('command', 'ann', 'credits add', '{"a": "\\n \\"''b''\\""}')`,
      `insert into idempotency_key (hash, request, result) values ('a', 'b', '{"credits": 7.5}')`,
    ]) {
      await database.query(statement);
    }
    return made.key;
  }

  async function tablesOf(queries: Queries): Promise<string[]> {
    const tables = await queries.query<{ name: string }>(
      'select tablename as name from pg_tables where schemaname = current_schema() order by 1',
    );
    return tables.map(({ name }) => name);
  }

  /** The rows of every table, and its columns, constraints and indexes. */
  function contentsOf(queries: Queries): Promise<unknown[][]> {
    return Promise.all([
      ...[...TABLES, 'migration'].map((table) =>
        queries.query(`select to_jsonb(item)::text as row from ${table} item order by 1`),
      ),
      queries.query(
        `select table_name, column_name, data_type, is_nullable, column_default from information_schema.columns
          where table_schema = current_schema() order by 1, 2`,
      ),
      queries.query(
        'select indexname, indexdef from pg_indexes where schemaname = current_schema() order by indexname',
      ),
    ]);
  }

  it('has every table, and the number of its rows', () => {
    assert.deepEqual(tablesOfSource, [...TABLES, 'migration'].toSorted());
    assert.deepEqual(exported, { exported: at('data.sql'), rows: ROWS });
  });

  it('writes a file that only its user can read', { skip: process.platform === 'win32' }, async () => {
    assert.equal((await stat(at('data.sql'))).mode & 0o777, 0o600);
  });

  it(
    'moves a service to PostgreSQL, where its keys work and new rows get new numbers',
    { skip: NO_POSTGRES },
    async () => {
      const url = await createDatabase();
      await load(at('data.sql'), url);
      const database = await openDatabase({ databaseUrl: url });
      try {
        assert.deepEqual(await contentsOf(database), contentsOfSource);
        assert.deepEqual(await createAccounts(database).grant('ada', 1), { user: 'ada', credits: 7.3 });
        assert.deepEqual(await database.query('select max(id) as id from ledger'), [{ id: ROWS.ledger + 1 }]);
        const { call, close } = await host({ database });
        assert.equal((await call(undefined, { 'X-SVC-Api-Key': key })).status, 200);
        await close();
      } finally {
        await database.close();
      }
    },
  );

  it('changes nothing in a database with tables, or if the file is not complete', { skip: NO_POSTGRES }, async () => {
    const url = await createDatabase();
    const text = await readFile(at('data.sql'), 'utf8');
    await writeFile(at('half.sql'), text.slice(0, text.length / 2));
    const tables = () => askPostgres(url, `select tablename from pg_tables where schemaname = 'public'`);
    await load(at('half.sql'), url).catch(() => {});
    assert.deepEqual(await tables(), []);
    await askPostgres(url, 'create table room (name text)');
    await assert.rejects(load(at('data.sql'), url), /relation "room" already exists/);
    assert.deepEqual(await tables(), [{ tablename: 'room' }]);
  });

  it('leaves an existing file as it is', async () => {
    await writeFile(at('mine'), 'mine');
    assert.match(await failure(`data export ${at('mine')} --data ${at('source')}`), /mine exists already/);
    assert.equal(await readFile(at('mine'), 'utf8'), 'mine');
  });

  it('creates neither a missing data folder nor a file', async () => {
    assert.match(await failure(`data export ${at('none.sql')} --data ${at('none')}`), /There is no data in .*none/);
    assert.deepEqual([existsSync(at('none')), existsSync(at('none.sql'))], [false, false]);
  });

  it('refuses a folder in use, PostgreSQL, and data of a newer service', async () => {
    const database = await openDatabase({ dataDir: at('newer') });
    assert.match(await failure(`data export ${at('no.sql')} --data ${at('newer')}`), /in use by the process/);
    await database.query('insert into migration (version, minimum) values ($1, 1)', [SCHEMA_VERSION + 1]);
    await database.close();
    assert.match(await failure(`data export ${at('no.sql')} --data ${at('newer')}`), /of a newer svc-service \(schema/);
    const message = await failure(`data export ${at('no.sql')} --database-url postgres://h/d`);
    assert.equal(message, 'data export reads a data folder (--data). Copy PostgreSQL with pg_dump.');
    assert.equal(existsSync(at('no.sql')), false);
  });
});
