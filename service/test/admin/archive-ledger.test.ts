import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, beforeEach, describe, it } from 'node:test';
import { runAdminCommand, type AdminCommand } from '../../src/admin/admin-command.js';
import { archiveLedger } from '../../src/admin/archive-ledger.js';
import { startAdmin, type Admin } from '../../src/admin/start-admin.js';
import type { Database } from '../../src/store/database.js';
import { emptyAccounts } from '../account/empty-accounts.js';
import { openDatabase } from '../support/open-database.js';
import { failureOf, rowsOf, runMain } from '../support/run-main.js';

const BEFORE = '2026-01-31T00:00:00.000Z';

/** More rows than one step archives. */
const OLD_ROWS = 301;

describe('ledger archive', () => {
  let folder: string;
  let database: Database;
  let admin: Admin;
  const at = (name: string): string => join(folder, name);
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'svc-archive-'));
    database = await openDatabase({ dataDir: at('data') });
    admin = await startAdmin({ database, folder: at('data'), report: (error) => assert.fail(String(error)) });
  });
  beforeEach(async () => {
    await emptyAccounts(database);
    await database.query(`insert into account (id, plan, balance_ms) values ('ada', 'pro', $1)`, [OLD_ROWS + 5]);
    await database.query(
      `insert into ledger (account_id, kind, amount_ms, created_at, updated_at)
       select 'ada', 'grant', 1, '2025-01-01', '2025-01-01' from generate_series(1, $1)`,
      [OLD_ROWS],
    );
    await database.query(`insert into ledger (account_id, kind, amount_ms) values ('ada', 'grant', 5)`);
  });
  after(async () => {
    await admin.close();
    await database.close();
    await rm(folder, { recursive: true });
  });

  const ledger = async () => {
    const rows = rowsOf(await runMain(`ledger --user ada --data ${at('data')}`));
    return rows.map(({ kind, ms }) => [kind, ms]);
  };

  it('writes rows as ledger prints them, through the service that runs', async () => {
    const [first] = rowsOf(await runMain(`ledger --data ${at('data')}`));
    const [printed] = rowsOf(
      await runMain(`ledger archive --before 2026-01-31 ${at('old.jsonl')} --data ${at('data')}`),
    );
    assert.deepEqual(printed, { archived: at('old.jsonl'), before: BEFORE, rows: OLD_ROWS, ms: OLD_ROWS });
    const lines = (await readFile(at('old.jsonl'), 'utf8')).trimEnd().split('\n');
    assert.equal(lines.length, OLD_ROWS);
    assert.deepEqual(JSON.parse(lines[0]!), first);
    assert.deepEqual(await ledger(), [
      ['grant', 5],
      ['balance', OLD_ROWS],
    ]);
  });

  it('removes only rows from the ledger that are in the file', async () => {
    const path = at('checked.jsonl');
    async function* run(command: AdminCommand): AsyncGenerator<object> {
      if (command.command === 'ledger archive replace') {
        const written = readFileSync(path, 'utf8').trimEnd().split('\n');
        const ids = new Set(written.map((line) => (JSON.parse(line) as { id: number }).id));
        for (const { id } of command.rows as { id: number }[]) assert.ok(ids.has(id));
      }
      yield* runAdminCommand(database, command);
    }
    await archiveLedger(run, { command: 'ledger archive', before: BEFORE, path });
    assert.equal((await ledger()).length, 2);
  });

  it('reports what is in the file if it fails midway', async () => {
    let steps = 0;
    async function* run(command: AdminCommand): AsyncGenerator<object> {
      if (++steps === 4) throw new Error('The service stopped.');
      yield* runAdminCommand(database, command);
    }
    await assert.rejects(
      archiveLedger(run, { command: 'ledger archive', before: BEFORE, path: at('part.jsonl') }),
      /^AdminError: The service stopped\. 100 rows are in .*part\.jsonl and no more in the ledger: keep it\./,
    );
    assert.deepEqual((await ledger()).at(-1), ['balance', 100]);
  });

  it('changes neither the ledger nor an existing file', async () => {
    await writeFile(at('mine'), 'mine');
    const result = await runMain(`ledger archive --before 2026-01-31 ${at('mine')} --data ${at('data')}`);
    assert.match(failureOf(result, 1), /mine exists already, and is left as it is/);
    assert.equal(await readFile(at('mine'), 'utf8'), 'mine');
    assert.equal((await ledger()).length, OLD_ROWS + 1);
  });

  it('refuses dates that are invalid or too recent', async () => {
    const none = await runMain(`ledger archive --before 31.1.2026 ${at('no')} --data ${at('data')}`);
    assert.match(failureOf(none, 2), /^--before must be a date such as 2026-01-31.* not 31\.1\.2026\.$/);
    const missing = await runMain(`ledger archive ${at('no')} --data ${at('data')}`);
    assert.match(failureOf(missing, 2), /^ledger archive needs --before DATE/);
    assert.equal(existsSync(at('no')), false);
    const recent = await runMain(`ledger archive --before 2100-01-01 ${at('recent')} --data ${at('data')}`);
    assert.match(failureOf(recent, 1), /up to a day ago, not up to 2100-01-01.*, such as 2026-01-31\.$/);
    assert.equal(existsSync(at('recent')), false);
    assert.equal((await ledger()).length, OLD_ROWS + 1);
  });
});
