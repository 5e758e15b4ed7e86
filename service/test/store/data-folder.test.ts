import assert from 'node:assert/strict';
import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { after, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { openDataFolder } from '../../src/store/data-folder.js';
import { EMBEDDED_POSTGRES } from '../../src/store/embedded-database.js';
import { lockFolder } from '../../src/store/folder-lock.js';
import { openDatabase, openEmbeddedDatabase } from '../support/open-database.js';
import { StoreError } from '../../src/store/store-error.js';

const root = mkdtempSync(join(tmpdir(), 'svc-data-folder-'));
after(() => rmSync(root, { recursive: true, force: true }));

/** Id of a user who owns nothing. */
const NOBODY = 65_534;

let folders = 0;
const newPath = (): string => join(root, `${++folders}`);

describe('a data folder', () => {
  it('is made for this user alone, and keeps what was committed', async () => {
    const dataDir = join(newPath(), 'deep', 'down');
    const first = await openDatabase({ dataDir });
    await first.query(`insert into account (id, plan) values ('a', 'pro')`);
    await first.close();
    assert.equal(statSync(dataDir).mode & 0o777, 0o700);
    assert.equal(statSync(join(dataDir, 'database')).mode & 0o777, 0o700);
    const second = await openDatabase({ dataDir });
    assert.deepEqual(await second.query('select id, plan from account'), [{ id: 'a', plan: 'pro' }]);
    await second.close();
  });

  it('is refused to a second process, with the id of the first, until the first is killed', async () => {
    const folder = newPath();
    const owner = await startOwner(folder, 'write');
    assert.equal(owner.first, 'open');
    await assert.rejects(openDatabase({ dataDir: folder }), (error: Error) => {
      assert.ok(error instanceof StoreError);
      assert.equal(
        error.message,
        `The data folder ${folder} is in use by the process ${owner.process.pid}. End that, give this one a folder of ` +
          'its own (--data), or let both use one PostgreSQL (SVC_DATABASE_URL).',
      );
      return true;
    });
    owner.process.stdin.write('write\n');
    const committed = await owner.kill((line) => Number(line) >= 50);
    // It does not matter which process now has the id of the dead one.
    writeFileSync(join(folder, 'lock'), readFileSync(join(folder, 'lock'), 'utf8').replace(/\d+/, `${process.pid}`));
    const database = await openDatabase({ dataDir: folder });
    const [row] = await database.query<{ n: number; most: number }>(
      'select count(*) as n, max(n)::bigint as most from written',
    );
    assert.ok(row!.most >= committed, `${row!.most} of ${committed}`);
    assert.equal(row!.n, row!.most);
    await database.close();
  });

  it('goes to one of two processes that start at the same moment', async () => {
    const folder = newPath();
    const owners = await Promise.all([startOwner(folder), startOwner(folder)]);
    assert.equal(owners.filter(({ first }) => first === 'open').length, 1, owners.map(({ first }) => first).join('\n'));
    for (const { first } of owners) assert.match(first, /^(open$|FolderInUseError: The data folder .* is in use by )/);
    await Promise.all(owners.map(({ kill }) => kill()));
  });

  it('goes to one of many that ask in one process', async () => {
    const folder = newPath();
    mkdirSync(folder);
    const locks = await Promise.allSettled(Array.from({ length: 50 }, () => lockFolder(folder)));
    const [won, ...others] = locks.filter(({ status }) => status === 'fulfilled');
    assert.equal(others.length, 0);
    await (won as PromiseFulfilledResult<() => Promise<void>>).value();
    await (
      await lockFolder(folder)
    )();
  });

  it('is refused while a process in another container keeps its lock fresh', async () => {
    const folder = newPath();
    mkdirSync(folder);
    const file = join(folder, 'lock');
    writeFileSync(file, JSON.stringify({ pid: 7, place: 'elsewhere net:[1]' }));
    const alive = setInterval(() => utimesSync(file, new Date(), new Date()), 5);
    await assert.rejects(lockFolder(folder, { beatMs: 20 }), /in use by the process 7 on elsewhere\./);
    clearInterval(alive);
    const release = await lockFolder(folder, { beatMs: 20 });
    assert.equal((JSON.parse(readFileSync(file, 'utf8')) as { pid: number }).pid, process.pid);
    await release();
    assert.equal(readFileSync(file, 'utf8'), '');
  });

  it('keeps its lock fresh for processes elsewhere', async () => {
    const folder = newPath();
    mkdirSync(folder);
    const release = await lockFolder(folder, { beatMs: 5 });
    const before = statSync(join(folder, 'lock')).mtimeMs;
    while (statSync(join(folder, 'lock')).mtimeMs === before) await new Promise((resolve) => setTimeout(resolve, 5));
    await release();
  });

  it('is made again when a process was killed while it made it', async () => {
    const folder = newPath();
    const torn = await openDataFolder(folder, EMBEDDED_POSTGRES);
    writeFileSync(join(torn.database, 'PG_VERSION'), EMBEDDED_POSTGRES);
    mkdirSync(join(torn.database, 'base'));
    await torn.release();
    const database = await openEmbeddedDatabase({ folder });
    assert.deepEqual(await database.query('select 1 as one'), [{ one: 1 }]);
    await database.close();
  });

  it('may contain the admin socket and lost+found when it is new', async () => {
    const folder = newPath();
    for (const name of ['lost+found', 'admin.sock']) mkdirSync(join(folder, name), { recursive: true });
    const data = await openDataFolder(folder, EMBEDDED_POSTGRES);
    assert.equal(data.isNew, true);
    await data.release();
  });

  it('is refused, and left as it is, if it contains something else', async () => {
    const folder = newPath();
    mkdirSync(folder);
    writeFileSync(join(folder, 'thesis.txt'), 'years of work');
    await refuses(folder, /holds something else \(thesis\.txt\)\. Take one that is empty/);
    assert.equal(existsSync(join(folder, 'lock')), false);
  });

  it('is refused if it is a file, or below one', async () => {
    const file = newPath();
    writeFileSync(file, '');
    await refuses(file, /is no folder/);
    await refuses(join(file, 'below'), /is no folder/);
  });

  it('is refused if it cannot be written', async () => {
    const folder = newPath();
    mkdirSync(folder, { mode: 0o500 });
    const isRoot = process.geteuid?.() === 0;
    if (isRoot) process.seteuid!(NOBODY); // root may write everywhere
    try {
      await refuses(join(folder, 'data'), /cannot be written \(EACCES\)\. Let this user write there/);
    } finally {
      if (isRoot) process.seteuid!(0);
    }
  });

  it('is refused if it is of another PostgreSQL, or of a newer service', async () => {
    const folder = newPath();
    const old = await openDataFolder(folder, '17');
    writeFileSync(join(old.database, 'PG_VERSION'), '17');
    old.markReady();
    await old.release();
    await refuses(folder, /is of PostgreSQL 17, and this svc-service has 18 in it\. Go back/);
    writeFileSync(join(folder, 'svc-service.json'), '{"format":2,"postgres":"18","ready":true}');
    await refuses(folder, /is of a newer svc-service\. Update/);
  });

  it('is refused if its label or its database is lost or damaged', async () => {
    const folder = newPath();
    const database = await openEmbeddedDatabase({ folder });
    await database.close();
    const control = join(folder, 'database', 'global', 'pg_control');
    writeFileSync(control, readFileSync(control).fill(7));
    await refuses(folder, /does not start\. Bring the folder back from a backup/);
    rmSync(join(folder, 'database'), { recursive: true });
    await refuses(folder, /has lost its database\. Bring it back/);
    writeFileSync(join(folder, 'svc-service.json'), '{"form');
    await refuses(folder, /svc-service\.json is damaged/);
  });
});

async function refuses(dataDir: string, message: RegExp): Promise<void> {
  await assert.rejects(openDatabase({ dataDir }), (error: Error) => {
    assert.ok(error instanceof StoreError, String(error));
    assert.match(error.message, message);
    assert.ok(error.message.includes(dataDir), error.message);
    return true;
  });
}

/** Starts a process of `folder-owner.ts`; resolves when it has printed its first line. */
async function startOwner(folder: string, ...mode: 'write'[]) {
  const program = fileURLToPath(new URL('folder-owner.ts', import.meta.url));
  const child: ChildProcessWithoutNullStreams = spawn(process.execPath, ['--import', 'tsx', program, folder, ...mode]);
  after(() => child.kill('SIGKILL'));
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
  const first = (await lines.next()) as IteratorResult<string, undefined>;
  return {
    process: child,
    first: first.value ?? 'nothing',
    /** Kills the process when it prints a line for which `when` is true. Returns the last number that it printed. */
    async kill(when: (line: string) => boolean = () => true): Promise<number> {
      let last = 0;
      for (let next = when('') ? undefined : await lines.next(); next && !next.done; next = await lines.next()) {
        last = Number(next.value);
        if (when(next.value) && !child.killed) child.kill('SIGKILL');
      }
      child.kill('SIGKILL');
      if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
      return last;
    },
  };
}
