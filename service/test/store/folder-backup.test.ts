import assert from 'node:assert/strict';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import type { Database } from '../../src/store/database.js';
import { openDatabase } from '../support/open-database.js';
import { failureOf, rowsOf, RunningMain, runMain } from '../support/run-main.js';

/** Engine that is ready at once: these tests are not about speech. */
const NOISE = { SVC_SPEECH: 'command', SVC_SPEECH_COMMAND: 'head -c 9600 /dev/urandom' };

describe('data backup', () => {
  const root = mkdtempSync(join(tmpdir(), 'svc-backup-'));
  const at = (name: string): string => join(root, name);
  /** A service on the folder `data`, with the user `ada`. */
  let service: RunningMain;
  before(async () => {
    service = new RunningMain(`start --port 0 --data ${at('data')}`, NOISE);
    await service.ready();
    rowsOf(await runMain(`keys create --user ada --credits 0 --data ${at('data')}`));
  });
  after(async () => {
    await service.stop();
    rmSync(root, { recursive: true, force: true });
  });

  /** Opens the database in a folder while `use` works with it. */
  const withDatabase = async <Result>(
    dataDir: string,
    use: (database: Database) => Promise<Result>,
  ): Promise<Result> => {
    const database = await openDatabase({ dataDir });
    try {
      return await use(database);
    } finally {
      await database.close();
    }
  };

  it('copies a folder in use, with every row that was committed before, into one that start can use', async () => {
    const state = { committed: 0, isBackedUp: false };
    const write = async (): Promise<void> => {
      rowsOf(await runMain(`credits add ada 1 --data ${at('data')}`));
      state.committed++;
    };
    const writeOn = async (): Promise<void> => {
      while (!state.isBackedUp) await write();
    };
    for (let count = 0; count < 10; count++) await write();
    const writing = Promise.all([writeOn(), writeOn()]);
    assert.deepEqual(rowsOf(await runMain(`data backup ${at('copy')} --data ${at('data')}`)), [{ backup: at('copy') }]);
    state.isBackedUp = true;
    await writing;

    await withDatabase(at('copy'), async (database) => {
      const [row] = await database.query<{ grants: number; balanceMs: number }>(
        `select (select count(*) from ledger where amount_ms = 1000) as grants, balance_ms as "balanceMs"
           from account where id = 'ada'`,
      );
      assert.ok(row!.grants >= 10 && row!.grants <= state.committed, `${row!.grants} of ${state.committed}`);
      assert.equal(row!.balanceMs, 1000 * row!.grants);
      await database.query('reindex database postgres'); // reads every row of every table
    });
    const restored = new RunningMain(`start --port 0 --data ${at('copy')}`, NOISE);
    await restored.ready();
    assert.deepEqual((await restored.stop()).exitCode, 0);
  });

  it('copies a folder that no service uses, for this user alone', async () => {
    await withDatabase(at('idle'), (database) => database.query('select'));
    rowsOf(await runMain(`data backup ${at('idle-copy')} --data ${at('idle')}`));
    assert.deepEqual(readdirSync(at('idle-copy')).sort(), ['database', 'svc-service.json']);
    if (process.platform !== 'win32') assert.equal(statSync(at('idle-copy')).mode & 0o777, 0o700);
  });

  it('changes no existing folder, and leaves nothing of a backup that fails', async () => {
    const failure = async (line: string) => failureOf(await runMain(`data backup ${line}`), 1);
    mkdirSync(at('mine'));
    assert.match(await failure(`${at('mine')} --data ${at('data')}`), /mine exists already, and is left as it is\./);
    assert.match(await failure(`${at('none/copy')} --data ${at('data')}`), /none\/copy cannot be written: ENOENT/);
    assert.match(await failure(`${at('data/database/copy')} --data ${at('data')}`), /copy is in the data folder/);
    mkdirSync(at('late.incomplete'));
    assert.match(
      await failure(`${at('late')} --data ${at('data')}`),
      /late\.incomplete exists already: another backup/,
    );
    assert.match(await failure(`${at('copy-2')} --data ${at('nowhere')}`), /There is no data in .*nowhere/);
    assert.deepEqual([existsSync(at('none')), existsSync(at('late')), existsSync(at('copy-2'))], [false, false, false]);
  });
});
