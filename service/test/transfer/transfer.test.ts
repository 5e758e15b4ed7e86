import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { createAccounts } from '../../src/account/accounts.js';
import { demoAvatar } from '../../src/avatar/demo-avatar.js';
import { createAvatars } from '../../src/avatar/avatars.js';
import type { Database } from '../../src/store/database.js';
import { SCHEMA_VERSION } from '../../src/store/migrations.js';
import { DATA_TABLES, LEFT_OUT } from '../../src/transfer/data-tables.js';
import { exportData } from '../../src/transfer/export-data.js';
import { openDatabase } from '../support/open-database.js';
import { askPostgres, createDatabase } from '../support/postgres.js';
import { NO_POSTGRES } from '../support/postgres-server.js';
import { failureOf, rowsOf, runMain } from '../support/run-main.js';

let folder: string;
const at = (name: string): string => join(folder, name);
const rows = async (line: string) => rowsOf(await runMain(line));
const failure = async (line: string) => failureOf(await runMain(line), 1);

/** API key of the user `ada` in the data folder `source`, and the names of its tables. */
let key: string;
let tablesOfSource: string[];
/** Output of the export of `source` to `export.jsonl`. */
let exported: Record<string, unknown>;

before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'svc-transfer-'));
  const source = await openDatabase({ dataDir: at('source') });
  key = await fill(source);
  const names = await source.query<{ name: string }>(
    `select tablename as name from pg_tables where schemaname = current_schema() and tablename <> 'migration'`,
  );
  tablesOfSource = names.map(({ name }) => name).sort();
  await source.close();
  [exported] = (await rows(`data export ${at('export.jsonl')} --data ${at('source')}`)) as [Record<string, unknown>];
});
after(() => rm(folder, { recursive: true }));

/** Adds rows to every table that an export contains, and to some that it does not. Returns the key of `ada`. */
async function fill(database: Database): Promise<string> {
  const accounts = createAccounts(database);
  const made = await accounts.createKey({ user: 'ada', plan: 'pro', credits: 7.5 });
  await accounts.createKey({ user: 'bob' });
  await accounts.revokeKey((await accounts.createKey({ user: 'bob' })).id);
  // More rows than one batch has.
  await database.query(
    `insert into ledger (account_id, kind, amount_ms, session_id, node)
     select 'ada', 'usage', -1, 'session ' || number, 'node "1"' from generate_series(1, 1200) as number`,
  );
  await database.query(`update account set balance_ms = balance_ms - 1200 where id = 'ada'`);
  await createAvatars(database).add({ owner: 'ada', isPublic: true, status: 'available', bundle: demoAvatar });
  await database.query(`insert into room (name, account_id, used_at) values ('a \n "room"', 'ada', svc_now())`);
  await database.query(`insert into secret (name, kid, value) values ('session-token', 'initial', 'secret')`);
  await database.query(`insert into used_token (id, expires_at) values ('token', svc_now())`);
  await database.query(
    `insert into audit (via, name, action, details, outcome)
     values ('command', 'ann', 'credits add', '{"user": "ada", "text": "a \\n \\"text\\""}', 'done')`,
  );
  await database.query(`insert into idempotency_key (hash, request, result) values ('a', 'b', '{"credits": 7.5}')`);
  // Rows that an export leaves out.
  await database.query(`insert into admin_session (id, name, expires_at) values ('a login', 'ann', svc_now())`);
  await database.query(`insert into rate_window (client, hits, ends_at) values ('1.2.3.4', 3, svc_now())`);
  return made.key;
}

/** Lines of an export, without the first, which contains the time, and without the checksum, which depends on it. */
async function contentsOf(file: string): Promise<string[]> {
  const lines = (await readFile(file, 'utf8')).trimEnd().split('\n');
  assert.equal((JSON.parse(lines[0]!) as { schema: number }).schema, SCHEMA_VERSION);
  return lines.slice(1).map((line) => line.replace(/"sha256":.*/, ''));
}

describe('data export', () => {
  it('has every table, or leaves it out on purpose', () => {
    assert.deepEqual(tablesOfSource, [...Object.keys(DATA_TABLES), ...LEFT_OUT].sort());
  });

  it('reports what is in the file, which only its user can read', async () => {
    const counts = { account: 2, api_key: 3, ledger: 1202, used_token: 1, secret: 1, avatar: 1, room: 1, audit: 1 };
    assert.deepEqual(
      { ...exported, sha256: '' },
      {
        exported: at('export.jsonl'),
        rows: { ...counts, idempotency_key: 1 },
        ledger_ms: 36_006_300,
        sha256: '',
      },
    );
    assert.match(exported.sha256 as string, /^[0-9a-f]{64}$/);
    if (process.platform !== 'win32') assert.equal((await stat(at('export.jsonl'))).mode & 0o777, 0o600);
  });

  it('does not change an existing file', async () => {
    await writeFile(at('mine'), 'mine');
    assert.match(await failure(`data export ${at('mine')} --data ${at('source')}`), /mine exists already/);
    assert.equal(await readFile(at('mine'), 'utf8'), 'mine');
  });

  it('creates neither a missing data folder nor a file', async () => {
    assert.match(await failure(`data export ${at('none.jsonl')} --data ${at('none')}`), /There is no data in .*none/);
    assert.deepEqual([existsSync(at('none')), existsSync(at('none.jsonl'))], [false, false]);
  });

  it('refuses a folder in use', async () => {
    const other = await openDatabase({ dataDir: at('used') });
    try {
      assert.match(await failure(`data export ${at('used.jsonl')} --data ${at('used')}`), /in use by the process/);
      assert.match(await failure(`data import ${at('export.jsonl')} --data ${at('used')}`), /in use by the process/);
      assert.equal(existsSync(at('used.jsonl')), false);
    } finally {
      await other.close();
    }
  });

  it('refuses data of a newer service, of which a part would be missing', async () => {
    const database = await openDatabase({ dataDir: at('newer') });
    await database.query('insert into migration (version, minimum) values ($1, 1)', [SCHEMA_VERSION + 1]);
    await database.close();
    const message = await failure(`data export ${at('of-newer.jsonl')} --data ${at('newer')}`);
    assert.match(message, /^The database is of a newer svc-service \(schema \d+, .* Export with the newer one\.$/);
    assert.equal(existsSync(at('of-newer.jsonl')), false);
  });

  it('refuses data with open sockets, and balances that are not the sum of the ledger', async () => {
    const database = await openDatabase();
    const { id } = await createAccounts(database).createKey({ user: 'ada', credits: 1 });
    await database.query(
      `insert into lease values ('session', 'ada', $1, 'node-7', true, svc_now() + interval '1 hour')`,
      [id],
    );
    const refuses = (message: RegExp) =>
      assert.rejects(exportData(database, at('wrong.jsonl')), { name: 'AdminError', message });
    await refuses(/^1 sockets are open .* node-7\. Stop all nodes/);
    await database.query('delete from lease');
    await database.query('update account set balance_ms = 999');
    await refuses(/^The user ada has 999 ms, but the ledger adds up to 1000 ms\./);
    assert.equal(existsSync(at('wrong.jsonl')), false);
    await database.close();
  });
});

describe('data import', () => {
  it('takes a data folder into PostgreSQL, whose export has the same lines', { skip: NO_POSTGRES }, async () => {
    const url = await createDatabase();
    const [imported] = await rows(`data import ${at('export.jsonl')} --database-url ${url}`);
    assert.deepEqual([imported!.imported, imported!.ledger_ms], [at('export.jsonl'), 36_006_300]);
    await rows(`data export ${at('from-postgres.jsonl')} --database-url ${url}`);
    assert.deepEqual(await contentsOf(at('from-postgres.jsonl')), await contentsOf(at('export.jsonl')));
  });

  it('takes it into a data folder, keeps keys good, and numbers new rows of the ledger after the old ones', async () => {
    await rows(`data import ${at('export.jsonl')} --data ${at('target')}`);
    const database = await openDatabase({ dataDir: at('target') });
    try {
      await exportData(database, at('from-target.jsonl'));
      assert.deepEqual(await contentsOf(at('from-target.jsonl')), await contentsOf(at('export.jsonl')));
      const accounts = createAccounts(database);
      assert.equal((await accounts.authenticate(key))?.accountId, 'ada');
      assert.deepEqual(await accounts.grant('ada', 1), { user: 'ada', credits: 7.3 });
      const [last] = await database.query('select max(id) as id, count(*)::integer as count from ledger');
      assert.deepEqual(last, { id: 1203, count: 1203 });
    } finally {
      await database.close();
    }
  });

  it('refuses a database that is not empty', async () => {
    const message = await failure(`data import ${at('export.jsonl')} --data ${at('source')}`);
    assert.match(message, /^The database is not empty: the table account has rows\. Nothing was imported\./);
    assert.deepEqual(
      (await rows(`keys list --data ${at('source')}`)).map(({ user }) => user),
      ['ada', 'bob', 'bob'],
    );
  });

  it('refuses a file that is no export, or of a newer service, before it creates a folder', async () => {
    await writeFile(at('other.jsonl'), '{"format":"other"}\n');
    await writeFile(at('empty.jsonl'), '');
    const [header, ...others] = (await readFile(at('export.jsonl'), 'utf8')).split('\n');
    const newer = JSON.stringify({ ...(JSON.parse(header!) as object), schema: SCHEMA_VERSION + 1 });
    await writeFile(at('newer.jsonl'), [newer, ...others].join('\n'));
    const refusals = {
      'other.jsonl': /other\.jsonl is not an export of svc-service/,
      'empty.jsonl': /empty\.jsonl is not an export of svc-service/,
      'absent.jsonl': /absent\.jsonl cannot be read: ENOENT/,
      'newer.jsonl': /newer\.jsonl is of a newer svc-service \(schema \d+, this one knows \d+\)\. Update/,
    };
    for (const [name, message] of Object.entries(refusals)) {
      assert.match(await failure(`data import ${at(name)} --data ${at('untouched')}`), message);
    }
    assert.equal(existsSync(at('untouched')), false);
  });

  it('leaves no table behind when the file is damaged', { skip: NO_POSTGRES }, async () => {
    const url = await createDatabase();
    const text = await readFile(at('export.jsonl'), 'utf8');
    const lines = text.split('\n');
    const spoilt = {
      'half a line': text.slice(0, -20),
      'no last line': `${lines.slice(0, -2).join('\n')}\n`,
      'a row less': lines.toSpliced(3, 1).join('\n'),
      'another amount': text.replace('"amount_ms":-1,', '"amount_ms":-2,'),
      'a line more': `${text}{"table":"room","row":{}}\n`,
      'not JSON': text.replace('{"table":"ledger"', '{"table":ledger'),
    };
    for (const [name, contents] of Object.entries(spoilt)) {
      await writeFile(at('spoilt.jsonl'), contents);
      const message = await failure(`data import ${at('spoilt.jsonl')} --database-url ${url}`);
      assert.match(message, /spoilt\.jsonl is damaged or not complete: .* Nothing was imported\./, name);
      const tables = await askPostgres(url, `select tablename from pg_tables where schemaname = 'public'`);
      assert.deepEqual([...tables], [], name);
    }
    await rows(`data import ${at('export.jsonl')} --database-url ${url}`);
  });

  it('refuses a file whose balances are not the sums of its ledger', async () => {
    const body = [
      { format: 'svc-service-data', version: 1, schema: SCHEMA_VERSION, exported_at: '2026-01-01T00:00:00.000Z' },
      { table: 'account', row: { id: 'ada', plan: 'pro', balance_ms: 5, created_at: '2026-01-01T00:00:00Z' } },
    ];
    await writeFile(at('sums.jsonl'), seal(body, { rows: { account: 1 }, ledger_ms: 0 }));
    const message = await failure(`data import ${at('sums.jsonl')} --data ${at('sums')}`);
    assert.match(message, /^The user ada has 5 ms, but the ledger adds up to 0 ms\./);
  });

  it('brings an export of an older service up to date', async () => {
    const then = '2026-01-01T00:00:00+00:00';
    const entry = { id: 4, account_id: 'ada', kind: 'grant', amount_ms: 5, created_at: then, updated_at: then };
    const body = [
      { format: 'svc-service-data', version: 1, schema: 1, exported_at: then },
      { table: 'account', row: { id: 'ada', plan: 'pro', balance_ms: 5, created_at: then } },
      { table: 'ledger', row: entry },
    ];
    await writeFile(at('older.jsonl'), seal(body, { rows: { account: 1, ledger: 1 }, ledger_ms: 5 }));
    await rows(`data import ${at('older.jsonl')} --data ${at('older')}`);
    const database = await openDatabase({ dataDir: at('older') });
    try {
      assert.deepEqual(await database.query('select max(version) as version from migration'), [
        { version: SCHEMA_VERSION },
      ]);
      assert.deepEqual(await database.query('select name from room'), []);
      await createAccounts(database).grant('ada', 1);
      assert.deepEqual(await database.query('select id from ledger order by id'), [{ id: 4 }, { id: 5 }]);
    } finally {
      await database.close();
    }
  });
});

/** Returns the text of an export with these lines, and a trailer with a valid checksum. */
function seal(lines: readonly object[], trailer: object): string {
  const body = lines.map((line) => `${JSON.stringify(line)}\n`).join('');
  const sha256 = createHash('sha256').update(body).digest('hex');
  return `${body}${JSON.stringify({ ...trailer, sha256 })}\n`;
}
