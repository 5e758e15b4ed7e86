import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, before, beforeEach, describe, it } from 'node:test';
import { createAccounts } from '../../src/account/accounts.js';
import { startAdmin } from '../../src/admin/start-admin.js';
import { demoAvatar } from '../../src/avatar/demo-avatar.js';
import type { Database } from '../../src/store/database.js';
import { openDatabase } from '../../src/store/open-database.js';
import { NO_POSTGRES, startPostgres } from '../support/postgres.js';
import { Program } from '../support/program.js';

const FOLDER = 'svc-service-data';

let cwd: string;
beforeEach(async () => {
  cwd = await mkdtemp(join(tmpdir(), 'svc-commands-'));
});
afterEach(() => rm(cwd, { recursive: true }));

const run = (line: string, environment: Record<string, string> = {}) =>
  new Program(line.split(' '), { cwd, environment });

/** Everything that can be done, and what it must print; on whichever way to the data. */
async function useEveryCommand(options = ''): Promise<void> {
  const rows = (line: string) => run(line + options).rows();
  const created = run(`keys create --user ada --plan pro --credits 7.5${options}`);
  const [made] = await created.rows();
  assert.match(
    created.lines.join('\n'),
    /^\{"id":"key_[0-9a-f]{18}","key":"svc_[\w-]{43}","user":"ada"\}$/,
    'one line, these members',
  );
  const [key] = await rows('keys list');
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
  assert.deepEqual(await rows('credits add ada 0.25'), [{ user: 'ada', credits: 7.75 }]);
  const ledger = await rows('ledger --user ada');
  assert.deepEqual(
    ledger.map(({ user, kind, credits, ms }) => [user, kind, credits, ms]),
    [
      ['ada', 'grant', 7.5, 7500],
      ['ada', 'grant', 0.25, 250],
    ],
  );
  assert.deepEqual(await rows('ledger'), ledger);

  await writeFile(join(cwd, 'fox.json'), JSON.stringify({ ...demoAvatar, avatar: { id: 'fox', name: 'Fox' } }));
  assert.deepEqual(await rows('avatars add fox.json --owner ada --public'), [{ id: 'fox' }]);
  assert.deepEqual(await rows('avatars status fox disabled'), [{ id: 'fox', status: 'disabled' }]);
  const [avatar] = await rows('avatars list');
  assert.deepEqual(
    [avatar!.id, avatar!.owner, avatar!.public, avatar!.status, avatar!.name],
    ['fox', 'ada', true, 'disabled', 'Fox'],
  );
  assert.deepEqual(
    (await rows(`keys revoke ${String(made!.id)}`)).map(({ id, user }) => [id, user]),
    [[made!.id, 'ada']],
  );
  assert.notEqual((await rows('keys list'))[0]!.revoked_at, null);
}

/** What cannot be done, and how it is said: with the exit code 1, in one line. */
async function failInEveryWay(options = ''): Promise<void> {
  await writeFile(join(cwd, 'not.json'), '{');
  await writeFile(join(cwd, 'no-bundle.json'), '{}');
  for (const [line, said] of [
    ['keys revoke key_1', 'There is no key "key_1": svc-service keys list shows the ids of all.'],
    ['credits add nobody 5', 'There is no user nobody: make one with svc-service keys create.'],
    ['ledger --user nobody', 'There is no user nobody: see svc-service keys list.'],
    ['avatars status nothing disabled', 'There is no avatar "nothing": svc-service avatars list shows the ids of all.'],
    ['avatars add not.json --owner ada', 'not.json is not JSON'],
    ['avatars add nowhere.json --owner ada', 'nowhere.json cannot be read: ENOENT'],
    ['avatars add no-bundle.json --owner ada --id x', ''],
  ] as const) {
    const message = await run(line + options).failure(1);
    assert.ok(message.startsWith(said), message);
  }
}

describe('commands while no service runs', () => {
  it('work on the folder, and make it for the first key', async () => {
    await useEveryCommand();
    assert.deepEqual((await readdir(cwd)).sort(), ['fox.json', FOLDER]);
  });

  it('say in one line what cannot be done, with exit code 1', async () => {
    await run('keys create').rows();
    await failInEveryWay();
  });

  it('make no folder to find nothing in', async () => {
    const message = await run('keys list').failure(1);
    assert.equal(message, `There is no data in ${join(cwd, FOLDER)}: name the service's folder with --data.`);
    assert.deepEqual(await readdir(cwd), []);
  });

  it('say that another process has the database, with exit code 1', async () => {
    const database = await openDatabase({ dataDir: join(cwd, FOLDER) });
    try {
      assert.match(await run('keys list').failure(1), /svc-service-data/);
    } finally {
      await database.close();
    }
  });

  it('say in one line what is not understood, with exit code 2', async () => {
    assert.match(await run('keys crate').failure(2), /^keys crate is not known/);
    assert.match(await run('keys create --plan gold').failure(2), /^--plan must be one of/);
    assert.match(await run('credits add ada much').failure(2), /^N: Credits are seconds/);
    assert.match(await run('ledger --since 2020').failure(2), /^--since is not known/);
    assert.match(
      await run('keys list --database-url mysql://me:hush@h/d').failure(2),
      /^(?!.*hush)--database-url must/,
    );
    assert.deepEqual(await readdir(cwd), []);
  });

  it('explain themselves', async () => {
    for (const line of ['keys --help', 'ledger --help', 'avatars add -h', 'credits add --help']) {
      const program = run(line);
      assert.equal(await program.exit(), 0);
      assert.match(program.lines[0]!, /^Usage: svc-service/);
    }
  });
});

describe('commands while a service has the database', () => {
  let open: Database;
  let close: () => Promise<void>;
  beforeEach(async () => {
    const folder = join(cwd, FOLDER);
    await mkdir(folder);
    open = await openDatabase({ dataDir: folder });
    const admin = await startAdmin({ database: open, folder, report: (error) => assert.fail(String(error)) });
    close = async () => {
      await admin.close();
      await open.close();
    };
  });
  afterEach(() => close());

  it('work through it', async () => {
    await useEveryCommand();
  });

  it('say the same about what cannot be done', async () => {
    await run('keys create').rows();
    await failInEveryWay();
  });

  it('make a key that the service knows at once, and no more when it is revoked', async () => {
    const accounts = createAccounts(open);
    const [made] = await run('keys create --user ada').rows();
    assert.equal((await accounts.authenticate(made!.key as string))?.accountId, 'ada');
    await run(`keys revoke ${String(made!.id)}`).rows();
    assert.equal(await accounts.authenticate(made!.key as string), null);
  });

  it('do not fail when nobody reads a list to its end', async () => {
    await createAccounts(open).createKey({ user: 'ada', credits: 0 });
    // About 3 MB, of which a pipe holds 64 kB: it is broken while most is still to be written.
    await open.query(
      `insert into ledger (account_id, kind, amount_ms) select 'ada', 'grant', 0 from generate_series(1, 20000)`,
    );
    const program = run('ledger');
    await once(program.child.stdout!, 'data');
    program.child.stdout!.destroy();
    assert.deepEqual([await program.exit(), program.errors], [0, '']);
    assert.ok(program.lines.length < 20_000);
  });
});

describe('commands on PostgreSQL', async () => {
  const cluster = await startPostgres();
  let options = '';
  before(async () => {
    if (cluster) options = ` --database-url ${await cluster.createDatabase()}`;
  });

  it('work, whoever else has it open', { skip: cluster ? false : NO_POSTGRES }, async () => {
    const url = options.split(' ').at(-1)!;
    const other = await openDatabase({ databaseUrl: url });
    try {
      await useEveryCommand(options);
      await failInEveryWay(options);
      const keys = await run('keys list', { SVC_DATABASE_URL: url }).rows();
      assert.equal(keys.length, 1, 'the environment leads to the same');
      assert.deepEqual((await readdir(cwd)).includes(FOLDER), false);
    } finally {
      await other.close();
    }
  });

  it('say in one line that it cannot be reached, without its password', async () => {
    // Port 1 is nobody's: refused at once.
    const message = await run('keys list --database-url postgres://me:hush@127.0.0.1:1/d').failure(1);
    assert.match(message, /127\.0\.0\.1/);
    assert.doesNotMatch(message, /hush/);
  });
});
