import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, rename, rm, stat, symlink } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, afterEach, before, beforeEach, describe, it } from 'node:test';
import { createAccounts, type Accounts } from '../../src/account/accounts.js';
import { administer } from '../../src/admin/administer.js';
import { AdminError, askService, type HttpRequest } from '../../src/admin/ask-service.js';
import { readAdminArguments } from '../../src/admin/read-admin-arguments.js';
import { listenInFolder } from '../../src/dashboard/admin-socket.js';
import type { Database } from '../../src/store/database.js';
import { openDatabase } from '../support/open-database.js';
import { emptyAccounts } from '../account/empty-accounts.js';

/** Carries out a command line on a folder. */
const run = async (folder: string, line: string, startMs?: number): Promise<Record<string, unknown>[]> => {
  const all: object[] = [];
  const typed = readAdminArguments([...line.split(' '), '--data', folder], {})!;
  for await (const row of administer(typed, startMs)) all.push(row);
  return all as Record<string, unknown>[];
};

const failure = (pattern: RegExp) => (error: Error) => error instanceof AdminError && pattern.test(error.message);

const LIST: HttpRequest = { method: 'GET', url: '/admin/api/keys' };

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
  it('is carried out once the service takes commands', async () => {
    const made = run(dataDir, 'keys create --user ada');
    const stop = await listenInFolder(dataDir, { database, report: assert.ifError });
    assert.equal((await made)[0]!.user, 'ada');
    await stop();
  });

  it('fails if that takes too long, and names the process', async () => {
    await assert.rejects(
      run(dataDir, 'keys list', 0),
      new RegExp(`^FolderInUseError: .* is in use by the process ${process.pid}`),
    );
  });
});

describe(
  'the admin API on the socket of a data folder',
  { skip: process.platform === 'win32' && 'its tests use sockets in folders' },
  () => {
    let accounts: Accounts;
    let folder: string;
    let stop: () => Promise<void>;
    let reported: unknown[];
    const report = (error: unknown): void => void reported.push(error);

    before(() => {
      accounts = createAccounts(database);
    });
    beforeEach(async () => {
      reported = [];
      await emptyAccounts(database);
      folder = await mkdtemp(join(tmpdir(), 'svc-admin-'));
      stop = await listenInFolder(folder, { database, report });
    });
    afterEach(async () => {
      await stop();
      await rm(folder, { recursive: true });
    });

    /** Sends a request, and returns the status and the body of the answer. */
    const ask = async (request: HttpRequest, from = folder): Promise<[number, Record<string, unknown>]> => {
      const answer = await askService(from, request);
      assert.ok(answer, 'somebody listens');
      return [answer.status, JSON.parse(answer.body) as Record<string, unknown>];
    };
    const post = (path: string, body?: object): HttpRequest => ({ method: 'POST', url: `/admin/api${path}`, body });
    const goesOn = async (): Promise<void> => {
      assert.deepEqual(await ask(LIST), [200, { keys: [] }]);
      assert.deepEqual(reported, []);
    };
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

    it('needs no token, and records each change as one of the command line', async () => {
      const [status, made] = await ask(post('/keys', { user: 'ada', plan: 'pro', credits: 5 }));
      assert.deepEqual([status, Object.keys(made)], [201, ['id', 'key', 'user']]);
      assert.equal((await accounts.authenticate(made.key as string))?.balanceMs, 5000);
      const [, { audit }] = await ask({ method: 'GET', url: '/admin/api/audit?limit=1' });
      const [{ id: _id, at: _at, ...entry }] = audit as [Record<string, unknown>];
      assert.deepEqual(entry, {
        via: 'command',
        name: 'command line',
        client: null,
        action: 'keys create',
        details: { user: 'ada', plan: 'pro', credits: 5, id: made.id },
        outcome: 'done',
      });
    });

    it('says that it does not know a command of another version', async () => {
      const [status, { detail }] = await ask(post('/from/the/future'));
      assert.equal(status, 404);
      assert.match(detail as string, /^The running service does not know this command: it may be of another version\./);
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
      const stopOther = await listenInFolder(deep, { database, report });
      try {
        assert.deepEqual(await ask(LIST, deep), [200, { keys: [] }]);
        assert.deepEqual(await readdir(deep), ['admin.sock']);
      } finally {
        await stopOther();
      }
      assert.deepEqual(await readdir(deep), []);
      assert.equal(await askService(deep, LIST), null);
    });

    it('replaces the socket of a service that died', async () => {
      const dead = join(folder, 'dead');
      await mkdir(dead);
      // Simulates what kill -9 leaves behind: a socket file that nothing listens on. Renaming it keeps `close` from
      // deleting it.
      const stopFirst = await listenInFolder(dead, { database, report });
      const left = join(folder, 'left.sock');
      await rename(join(dead, 'admin.sock'), left);
      await stopFirst();
      await rename(left, join(dead, 'admin.sock'));
      assert.equal(await askService(dead, LIST), null, 'nobody listens');
      const stopSecond = await listenInFolder(dead, { database, report });
      assert.deepEqual(await ask(LIST, dead), [200, { keys: [] }]);
      await stopSecond();
    });

    it('finds no service in a folder without one, or in a missing folder', async () => {
      const empty = join(folder, 'empty');
      await mkdir(empty);
      assert.equal(await askService(empty, LIST), null);
      assert.equal(await askService(join(folder, 'nowhere'), LIST), null);
      await symlink(folder, join(folder, 'other-name'));
      assert.deepEqual(await ask(LIST, join(folder, 'other-name')), [200, { keys: [] }]);
    });

    for (const [what, request, said] of [
      ['another type', post('/users/ada/credits', { credits: '7' }), 'credits must be number'],
      ['a list for a user', post('/keys', { user: ['a'] }), 'user must be string'],
      ['no bundle', post('/avatars', { owner: 'a' }), 'bundle is required'],
      ['an unknown secret', post('/secrets/rotate', { isLeaked: true, name: 'x' }), 'name must be equal to one of'],
      ['NUL in an id', post('/keys/%00/revoke'), 'There is no key'],
      ['NUL in a user', { method: 'GET', url: '/admin/api/ledger?user=%00' }, 'The id of a user'],
    ] as [string, HttpRequest, string][]) {
      it(`refuses ${what}, and goes on`, async () => {
        const [status, { detail }] = await ask(request);
        assert.ok(status >= 400 && status < 500 && (detail as string).startsWith(said), `${status} ${String(detail)}`);
        await goesOn();
      });
    }

    it('refuses a body that would fill the memory before it arrives, and goes on', async () => {
      const socket = await dial();
      socket.write('POST /admin/api/keys HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n');
      socket.write(`Content-Length: ${2 ** 30}\r\n\r\n{`);
      assert.match(await hear(socket), /^HTTP\/1\.1 413 [^]*Request body is too large/);
      await goesOn();
    });

    it('refuses what is not HTTP, and goes on', async () => {
      const socket = await dial();
      socket.end('{"command":"keys list"}\n');
      assert.match(await hear(socket), /^HTTP\/1\.1 400 /);
      await goesOn();
    });

    it('disconnects a client that sends nothing', async () => {
      const quiet = join(folder, 'quiet');
      await mkdir(quiet);
      // Long enough to connect, and short enough for a test to wait.
      const stopOther = await listenInFolder(quiet, { database, report, clientMs: 50 });
      const socket = connect(join(quiet, 'admin.sock'));
      assert.equal(await hear(socket), '');
      await stopOther();
      assert.deepEqual(reported, []);
    });

    it('tolerates a client that disconnects in the middle of a request or of an answer', async () => {
      const early = await dial();
      early.write('POST /admin/api/ke');
      early.destroy();
      const late = await dial();
      late.end('POST /admin/api/keys HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\n\r\n');
      late.destroy();
      // Nothing reads the answer, but the command is carried out completely or not at all.
      const [, { keys }] = await ask(LIST);
      assert.ok((keys as object[]).length <= 1);
      assert.deepEqual(reported, []);
    });

    it('reports the cause of an internal error to its log, not to the client', async () => {
      const broken: Database = {
        ...database,
        query: () => Promise.reject(new Error('relation "api_key" has a secret')),
      };
      const other = await mkdtemp(join(tmpdir(), 'svc-admin-'));
      const stopOther = await listenInFolder(other, { database: broken, report });
      await assert.rejects(run(other, 'keys list'), failure(/^The service failed to do it; its log says why\.$/));
      assert.equal((reported[0] as Error).message, 'relation "api_key" has a secret');
      await stopOther();
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
      const stopOther = await listenInFolder(other, { database: slow, report });
      const idle = connect(join(other, 'admin.sock'));
      await once(idle, 'connect');
      const answer = run(other, 'keys create --user ada');
      await beginning;
      const stopped = stopOther();
      assert.equal(await hear(idle), '');
      assert.equal(await askService(other, LIST), null);
      release();
      assert.equal((await answer)[0]!.user, 'ada');
      await stopped;
      await rm(other, { recursive: true });
    });

    it('does not wait for a client that does not take a long answer', async () => {
      // A row of the ledger has about 150 bytes, so 20 requests for 1000 rows exceed the buffers of the sockets.
      await accounts.createKey({ user: 'ada', credits: 0 });
      await database.query(
        `insert into ledger (account_id, kind, amount_ms) select 'ada', 'grant', 0 from generate_series(1, 1000)`,
      );
      const lazy = await dial();
      lazy.pause();
      lazy.write('GET /admin/api/ledger?limit=1000 HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(20));
      // Meanwhile, another client receives all rows.
      assert.equal((await run(folder, 'ledger --user ada')).length, 1000);
      await stop();
      lazy.destroy();
      assert.deepEqual(reported, []);
    });
  },
);
