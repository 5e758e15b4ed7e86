import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, rename, rm, stat, symlink } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, afterEach, before, beforeEach, describe, it } from 'node:test';
import { createAccounts, type Accounts } from '../../src/account/accounts.js';
import { AdminError, runAdminCommand, type AdminCommand } from '../../src/admin/admin-command.js';
import { administer } from '../../src/admin/administer.js';
import { askAdmin } from '../../src/admin/ask-admin.js';
import { COMMAND_MAX_BYTES, startAdmin, type Admin } from '../../src/admin/start-admin.js';
import { demoAvatar } from '../../src/avatar/demo-avatar.js';
import type { Database } from '../../src/store/database.js';
import { openDatabase } from '../support/open-database.js';
import { emptyAccounts } from '../account/empty-accounts.js';

const collect = async (rows: AsyncIterable<object> | null): Promise<Record<string, unknown>[]> => {
  assert.ok(rows, 'somebody listens');
  const all: object[] = [];
  for await (const row of rows) all.push(row);
  return all as Record<string, unknown>[];
};

const failure = (pattern: RegExp) => (error: Error) => error instanceof AdminError && pattern.test(error.message);

let dataDir: string;
/** The database in `dataDir`. */
let database: Database;
before(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'svc-admin-'));
  database = await openDatabase({ dataDir });
});
after(async () => {
  await database.close();
  await rm(dataDir, { recursive: true });
});

describe('a command to a service that is starting', () => {
  const createKey = (startMs?: number) =>
    collect(administer({ store: { dataDir }, command: { command: 'keys create', user: 'ada' } }, startMs));

  it('is carried out once the service takes commands', async () => {
    const made = createKey();
    const admin = await startAdmin({ database, folder: dataDir, report: assert.ifError });
    assert.equal((await made)[0]!.user, 'ada');
    await admin.close();
  });

  it('fails if that takes too long, and names the process', async () => {
    await assert.rejects(createKey(0), new RegExp(`^FolderInUseError: .* is in use by the process ${process.pid}`));
  });
});

describe('startAdmin', { skip: process.platform === 'win32' && 'its tests use sockets in folders' }, () => {
  let accounts: Accounts;
  let folder: string;
  let admin: Admin;
  let reported: unknown[];
  const report = (error: unknown): void => void reported.push(error);

  before(() => {
    accounts = createAccounts(database);
  });
  beforeEach(async () => {
    reported = [];
    await emptyAccounts(database);
    folder = await mkdtemp(join(tmpdir(), 'svc-admin-'));
    admin = await startAdmin({ database, folder, report });
  });
  afterEach(async () => {
    await admin.close();
    await rm(folder, { recursive: true });
  });

  const ask = async (command: AdminCommand) => collect(await askAdmin(folder, command));
  const dial = async (): Promise<Socket> => {
    const socket = connect(join(folder, 'admin.sock'));
    await once(socket, 'connect');
    return socket;
  };
  const hear = async (socket: Socket): Promise<string> => {
    let text = '';
    for await (const chunk of socket) text += String(chunk);
    return text;
  };

  it('carries out commands as they are carried out without it', async () => {
    const [made] = await ask({ command: 'keys create', user: 'ada', plan: 'pro', credits: 5 });
    assert.deepEqual(Object.keys(made!), ['id', 'key', 'user']);
    assert.equal((await accounts.authenticate(made!.key as string))?.balanceMs, 5000);
    assert.deepEqual(await ask({ command: 'credits add', user: 'ada', credits: 0.5 }), [{ user: 'ada', credits: 5.5 }]);
    const id = demoAvatar.avatar.id;
    assert.deepEqual(
      await ask({ command: 'avatars add', owner: 'ada', isPublic: true, status: 'available', bundle: demoAvatar }),
      [{ id }],
    );
    assert.deepEqual(await ask({ command: 'avatars status', id, status: 'disabled' }), [{ id, status: 'disabled' }]);
    for (const command of ['keys list', 'ledger', 'avatars list'] as const) {
      const direct = await collect(runAdminCommand(database, { command }));
      assert.ok(direct.length > 0);
      assert.deepEqual(await ask({ command }), JSON.parse(JSON.stringify(direct)));
    }
    const [avatar] = await ask({ command: 'avatars list' });
    assert.deepEqual(Object.keys(avatar!), ['id', 'owner', 'public', 'status', 'name', 'bytes', 'created_at']);
    await ask({ command: 'keys revoke', id: made!.id as string });
    assert.equal(await accounts.authenticate(made!.key as string), null);
    assert.deepEqual(reported, []);
  });

  it('reports why a command fails, with the same message as without it', async () => {
    for (const [command, pattern] of [
      [{ command: 'keys revoke', id: 'key_0' }, /^There is no key "key_0"/],
      [{ command: 'credits add', user: 'nobody', credits: 1 }, /^There is no user nobody/],
      [{ command: 'ledger', user: 'nobody' }, /^There is no user nobody/],
      [{ command: 'keys create', credits: -1 }, /^Credits are seconds/],
      [{ command: 'avatars status', id: 'x', status: 'disabled' }, /^There is no avatar "x"/],
      [
        { command: 'avatars add', owner: 'nobody', isPublic: false, status: 'available', bundle: demoAvatar },
        /^There is no user nobody/,
      ],
      [{ command: 'avatars add', owner: 'x', isPublic: false, status: 'available', bundle: [] }, /./],
    ] as [AdminCommand, RegExp][]) {
      await assert.rejects(ask(command), failure(pattern));
      await assert.rejects(collect(runAdminCommand(database, command)), failure(pattern));
    }
    assert.deepEqual(reported, [], 'none of it is a failure of the service');
  });

  it('listens on a socket that only its user can open', async () => {
    assert.deepEqual(await readdir(folder), ['admin.sock']);
    const { mode } = await stat(join(folder, 'admin.sock'));
    assert.equal(mode & 0o777, 0o600);
  });

  it('listens in a folder whose path is longer than a socket’s may be', async () => {
    const deep = join(folder, ...Array.from({ length: 5 }, () => 'deep'.repeat(15)));
    assert.ok(Buffer.byteLength(deep) > 300);
    await mkdir(deep, { recursive: true });
    const other = await startAdmin({ database, folder: deep, report });
    try {
      const rows = await collect(await askAdmin(deep, { command: 'keys create', user: 'deep' }));
      assert.equal(rows[0]!.user, 'deep');
      assert.deepEqual(await readdir(deep), ['admin.sock']);
    } finally {
      await other.close();
    }
    assert.deepEqual(await readdir(deep), []);
    assert.equal(await askAdmin(deep, { command: 'keys list' }), null);
  });

  it('replaces the socket of a service that died', async () => {
    const dead = join(folder, 'dead');
    await mkdir(dead);
    // Simulates what kill -9 leaves behind: a socket file that nothing listens on. Renaming it keeps `close` from
    // deleting it.
    const first = await startAdmin({ database, folder: dead, report });
    const left = join(folder, 'left.sock');
    await rename(join(dead, 'admin.sock'), left);
    await first.close();
    await rename(left, join(dead, 'admin.sock'));
    assert.equal(await askAdmin(dead, { command: 'keys list' }), null, 'nobody listens');
    const second = await startAdmin({ database, folder: dead, report });
    assert.deepEqual(await collect(await askAdmin(dead, { command: 'keys list' })), []);
    await second.close();
  });

  it('finds no service in a folder without one, or in a missing folder', async () => {
    const empty = join(folder, 'empty');
    await mkdir(empty);
    assert.equal(await askAdmin(empty, { command: 'keys list' }), null);
    assert.equal(await askAdmin(join(folder, 'nowhere'), { command: 'keys list' }), null);
    await symlink(folder, join(folder, 'other-name'));
    assert.deepEqual(await collect(await askAdmin(join(folder, 'other-name'), { command: 'keys list' })), []);
  });

  for (const [what, bytes, said] of [
    ['text', 'hello\n', 'A command is a line of JSON.'],
    ['an empty line', '\n', 'A command is a line of JSON.'],
    ['bytes', Buffer.from([0xff, 0, 0x0a]), 'A command is a line of JSON.'],
    ['null', 'null\n', 'The running service does not know this command'],
    ['a member of every object', '{"command":"constructor"}\n', 'The running service does not know this command'],
    ['another type', '{"command":"keys revoke","id":7}\n', 'id of keys revoke must be a string.'],
    ['a list for a user', '{"command":"keys create","user":["a"]}\n', 'user of keys create must be a string.'],
    ['no bundle', '{"command":"avatars add","owner":"a","isPublic":true,"status":"available"}\n', ''],
    ['NUL in an id', '{"command":"keys revoke","id":"\\u0000"}\n', 'There is no key'],
    ['NUL in a user', '{"command":"ledger","user":"\\u0000"}\n', 'The id of a user'],
  ] as const) {
    it(`refuses ${what}, and goes on`, async () => {
      const socket = await dial();
      socket.end(bytes);
      const lines = (await hear(socket)).trimEnd().split('\n');
      assert.equal(lines.length, 1);
      const { error } = JSON.parse(lines[0]!) as { error: string };
      assert.ok(error.startsWith(said), error);
      assert.deepEqual(await ask({ command: 'keys list' }), []);
      assert.deepEqual(reported, []);
    });
  }

  it('refuses a command without an end before it fills the memory, and goes on', async () => {
    const socket = await dial();
    socket.on('error', () => {});
    const megabyte = 'x'.repeat(2 ** 20);
    let written = 0;
    let said = '';
    socket.on('data', (chunk) => (said += String(chunk)));
    const answered = once(socket, 'data');
    // Four times the limit. Without a refusal, the service would have to hold all of it.
    while (written < 4 * COMMAND_MAX_BYTES) {
      if (said) break;
      written += megabyte.length;
      if (!socket.write(megabyte)) await Promise.race([once(socket, 'drain'), answered]);
    }
    socket.end();
    await Promise.race([answered, once(socket, 'close')]);
    assert.match(said, /^\{"error":"A command has at most 16777216 bytes\."\}\n$/);
    assert.ok(written <= COMMAND_MAX_BYTES + 8 * 2 ** 20, `${written}`);
    socket.destroy();
    assert.deepEqual(await ask({ command: 'keys list' }), []);
  });

  it('disconnects a client that sends nothing', async () => {
    const quiet = join(folder, 'quiet');
    await mkdir(quiet);
    // Long enough to connect, and short enough for a test to wait.
    const other = await startAdmin({ database, folder: quiet, report, clientMs: 50 });
    const socket = connect(join(quiet, 'admin.sock'));
    assert.equal(await hear(socket), '');
    await other.close();
    assert.deepEqual(reported, []);
  });

  it('tolerates a client that disconnects in the middle of a command or of an answer', async () => {
    const early = await dial();
    early.write('{"comm');
    early.destroy();
    const late = await dial();
    late.end('{"command":"keys create","user":"ada"}\n');
    late.destroy();
    // Nothing reads the answer, but the command is carried out completely or not at all.
    assert.deepEqual(await ask({ command: 'keys list' }).then((rows) => rows.length <= 1), true);
    assert.deepEqual(reported, []);
  });

  it('reports the cause of an internal error to its log, not to the client', async () => {
    const broken: Database = {
      ...database,
      query: () => Promise.reject(new Error('relation "api_key" has a secret')),
    };
    const other = await mkdtemp(join(tmpdir(), 'svc-admin-'));
    const second = await startAdmin({ database: broken, folder: other, report });
    await assert.rejects(
      askAdmin(other, { command: 'keys list' }).then(collect),
      failure(/^The service failed to do it; its log says why\.$/),
    );
    assert.equal((reported[0] as Error).message, 'relation "api_key" has a secret');
    await second.close();
    await rm(other, { recursive: true });
  });

  it('finishes a running command when it is closed, and accepts no new one', async () => {
    let release!: () => void;
    const held = new Promise<void>((resolve) => (release = resolve));
    let begun!: () => void;
    const beginning = new Promise<void>((resolve) => (begun = resolve));
    const slow: Database = {
      ...database,
      async transaction(work) {
        begun();
        await held;
        return await database.transaction(work);
      },
    };
    const other = await mkdtemp(join(tmpdir(), 'svc-admin-'));
    const second = await startAdmin({ database: slow, folder: other, report });
    const idle = connect(join(other, 'admin.sock'));
    await once(idle, 'connect');
    const answer = askAdmin(other, { command: 'keys create', user: 'ada' }).then(collect);
    await beginning;
    const closed = second.close();
    assert.equal(await hear(idle), '');
    assert.equal(await askAdmin(other, { command: 'keys list' }), null);
    release();
    assert.equal((await answer)[0]!.user, 'ada');
    await closed;
    await rm(other, { recursive: true });
  });

  it('does not wait for a client that does not take a long answer', async () => {
    // A row of the ledger has about 150 bytes, so 20 000 rows exceed the buffers of the sockets.
    await accounts.createKey({ user: 'ada', credits: 0 });
    await database.query(
      `insert into ledger (account_id, kind, amount_ms) select 'ada', 'grant', 0 from generate_series(1, 20000)`,
    );
    const lazy = await dial();
    lazy.pause();
    lazy.write('{"command":"ledger"}\n');
    // Meanwhile, another client receives its complete answer.
    assert.equal((await ask({ command: 'ledger', user: 'ada' })).length, 20_000);
    await admin.close();
    lazy.destroy();
    assert.deepEqual(reported, []);
  });
});
