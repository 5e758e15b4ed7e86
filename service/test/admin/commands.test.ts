import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, afterEach, before, beforeEach, describe, it } from 'node:test';
import { createAccounts } from '../../src/account/accounts.js';
import { demoAvatar } from '../../src/avatar/demo-avatar.js';
import { listenInFolder } from '../../src/dashboard/admin-socket.js';
import type { Database } from '../../src/store/database.js';
import { emptyAccounts } from '../account/empty-accounts.js';
import { openDatabase } from '../support/open-database.js';
import { createDatabase } from '../support/postgres.js';
import { NO_POSTGRES } from '../support/postgres-server.js';
import { Program } from '../support/program.js';
import { failureOf, rowsOf, runMain } from '../support/run-main.js';

const FOLDER = 'svc-service-data';

const home = process.cwd();
let cwd: string;
describe('commands', () => {
  beforeEach(async () => {
    cwd = await mkdtemp(join(tmpdir(), 'svc-commands-'));
    process.chdir(cwd);
  });
  afterEach(async () => {
    process.chdir(home);
    await rm(cwd, { recursive: true });
  });

  const rows = async (line: string, environment = {}) => rowsOf(await runMain(line, environment));
  const failure = async (line: string, exitCode: number) => failureOf(await runMain(line), exitCode);

  /** Runs every command and asserts its output; `options` select the database. */
  async function useEveryCommand(options = ''): Promise<void> {
    const on = (line: string) => rows(line + options);
    const created = await runMain(`keys create --user ada --plan pro --credits 7.5${options}`);
    const [made] = rowsOf(created);
    assert.match(
      created.lines.join('\n'),
      /^\{"id":"key_[0-9a-f]{18}","key":"svc_[\w-]{43}","user":"ada"\}$/,
      'one line, these members',
    );
    const [key] = await on('keys list');
    assert.deepEqual(
      { ...key, created_at: 'then' },
      {
        id: made!.id,
        user: 'ada',
        plan: 'pro',
        credits: 7.5,
        from_environment: false,
        created_at: 'then',
        revoked_at: null,
      },
    );
    assert.deepEqual(await on('users plan ada starter'), [{ user: 'ada', plan: 'starter' }]);
    assert.equal((await on('keys list'))[0]!.plan, 'starter');
    assert.deepEqual(await on('credits add ada 0.25'), [{ user: 'ada', credits: 7.75 }]);
    const ledger = await on('ledger --user ada');
    assert.deepEqual(
      ledger.map(({ user, kind, credits, ms }) => [user, kind, credits, ms]),
      [
        ['ada', 'grant', 7.5, 7500],
        ['ada', 'grant', 0.25, 250],
      ],
    );
    assert.deepEqual(await on('ledger'), ledger);

    await writeFile('fox.json', JSON.stringify({ ...demoAvatar, avatar: { id: 'fox', name: 'Fox' } }));
    assert.deepEqual(await on('avatars add fox.json --owner ada --public'), [{ id: 'fox' }]);
    assert.deepEqual(await on('avatars status fox disabled'), [{ id: 'fox', status: 'disabled' }]);
    const [avatar] = await on('avatars list');
    assert.deepEqual(
      [avatar!.id, avatar!.owner, avatar!.public, avatar!.status, avatar!.name],
      ['fox', 'ada', true, 'disabled', 'Fox'],
    );
    assert.deepEqual(
      (await on(`keys revoke ${String(made!.id)}`)).map(({ id, user }) => [id, user]),
      [[made!.id, 'ada']],
    );
    assert.notEqual((await on('keys list'))[0]!.revoked_at, null);
  }

  /** Asserts that commands that fail print the reason in one line, with exit code 1. */
  async function failInEveryWay(): Promise<void> {
    await writeFile('not.json', '{');
    await writeFile('no-bundle.json', '{}');
    for (const [line, said] of [
      ['keys revoke key_1', 'There is no key "key_1": svc-service keys list shows the ids of all.'],
      ['credits add nobody 5', 'There is no user nobody: make one with svc-service keys create.'],
      ['users plan nobody pro', 'There is no user nobody: make one with svc-service keys create.'],
      ['ledger --user nobody', 'There is no user nobody: see svc-service keys list.'],
      [
        'avatars status nothing disabled',
        'There is no avatar "nothing": svc-service avatars list shows the ids of all.',
      ],
      ['avatars add not.json --owner ada', 'not.json is not JSON'],
      ['avatars add nowhere.json --owner ada', 'nowhere.json cannot be read: ENOENT'],
      ['avatars add no-bundle.json --owner ada --id x', ''],
      ['secrets rotate session-token', 'session-token cannot be rotated: the store has no such secret.'],
      ['secrets rotate room-token', 'room-token cannot be rotated: the store has no such secret.'],
    ] as const) {
      const message = await failure(line, 1);
      assert.ok(message.startsWith(said), message);
    }
  }

  describe('commands while no service runs', () => {
    it('work on the folder, and make it for the first key', async () => {
      const [made] = await rows('keys create --user ada');
      const [listed] = await rows('keys list');
      assert.deepEqual([listed!.id, listed!.user], [made!.id, 'ada']);
      assert.equal(
        await failure('keys revoke key_1', 1),
        'There is no key "key_1": svc-service keys list shows the ids of all.',
      );
      assert.deepEqual(await readdir(cwd), [FOLDER]);
    });

    it('create no data folder to read from', async () => {
      const message = await failure('keys list', 1);
      assert.equal(
        message,
        `There is no data in ${join(process.cwd(), FOLDER)}: name the service's folder with --data.`,
      );
      assert.deepEqual(await readdir(cwd), []);
    });

    it('say in one line what is not understood, with exit code 2', async () => {
      assert.match(await failure('keys crate', 2), /^keys crate is not known/);
      assert.match(await failure('ledger --since 2020', 2), /^--since is not known/);
      assert.match(
        await failure('keys list --database-url mysql://me:hush@h/d', 2),
        /^(?!.*hush)--database-url is not an address/,
      );
      assert.deepEqual(await readdir(cwd), []);
    });

    it('print their help', async () => {
      for (const [line, usage] of [
        ['keys --help', 'Usage: svc-service keys create [--user ID] [--plan none|starter|pro] [--credits N]'],
        ['credits add ada --help', 'Usage: svc-service credits add USER N'],
        ['ledger -h', 'Usage: svc-service ledger [--user ID]'],
      ] as const) {
        const { exitCode, lines, errors } = await runMain(line);
        assert.deepEqual([exitCode, errors, lines[0]], [0, '', usage]);
      }
    });
  });

  describe('commands while a service has the database', () => {
    let serviceFolder: string;
    let open: Database;
    let stop: () => Promise<void>;
    before(async () => {
      serviceFolder = await mkdtemp(join(tmpdir(), 'svc-commands-'));
      const folder = join(serviceFolder, FOLDER);
      open = await openDatabase({ dataDir: folder });
      stop = await listenInFolder(folder, { database: open, report: (error) => assert.fail(String(error)) });
    });
    beforeEach(async () => {
      await emptyAccounts(open);
      process.chdir(serviceFolder);
    });
    after(async () => {
      await stop();
      await open.close();
      await rm(serviceFolder, { recursive: true });
    });

    it('work through it', async () => {
      await useEveryCommand();
    });

    it('report failures in the same way', async () => {
      await rows('keys create');
      await failInEveryWay();
    });

    it('make a key that the service knows at once, and no more when it is revoked', async () => {
      const accounts = createAccounts(open);
      const [made] = await rows('keys create --user ada');
      assert.equal((await accounts.authenticate(made!.key as string))?.accountId, 'ada');
      await rows(`keys revoke ${String(made!.id)}`);
      assert.equal(await accounts.authenticate(made!.key as string), null);
    });

    it('do not fail if the reader of a list stops early', async () => {
      await createAccounts(open).createKey({ user: 'ada', credits: 0 });
      // About 3 MB, of which a pipe holds 64 kB: most is not yet written when the reader stops.
      await open.query(
        `insert into ledger (account_id, kind, amount_ms) select 'ada', 'grant', 0 from generate_series(1, 20000)`,
      );
      const program = new Program(['ledger'], { cwd: serviceFolder });
      await once(program.child.stdout!, 'data');
      program.child.stdout!.destroy();
      assert.deepEqual([await program.exit(), program.errors], [0, '']);
      assert.ok(program.lines.length < 20_000);
    });
  });

  describe('commands on PostgreSQL', () => {
    it('work while another process has it open', { skip: NO_POSTGRES }, async () => {
      const url = await createDatabase();
      const other = await openDatabase({ databaseUrl: url });
      try {
        await useEveryCommand(` --database-url ${url}`);
        const message = await failure(`users plan nobody pro --database-url ${url}`, 1);
        assert.equal(message, 'There is no user nobody: make one with svc-service keys create.');
        assert.equal((await rows('keys list', { SVC_DATABASE_URL: url })).length, 1);
        assert.deepEqual((await readdir(cwd)).includes(FOLDER), false);
      } finally {
        await other.close();
      }
    });

    it('say in one line that it cannot be reached, without its password', async () => {
      // Nothing listens on port 1, so the connection is refused at once.
      const message = await failure('keys list --database-url postgres://me:hush@127.0.0.1:1/d', 1);
      assert.match(message, /127\.0\.0\.1/);
      assert.doesNotMatch(message, /hush/);
    });
  });
});
