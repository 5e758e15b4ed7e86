import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import type { Worker } from 'node:worker_threads';
import { DatabaseError } from '../../src/store/database.js';
import { EMBEDDED_POSTGRES, openEmbeddedDatabase } from '../../src/store/embedded-database.js';
import { retryTransaction } from '../../src/store/pooled-database.js';
import { BUILT } from '../support/built.js';

const root = mkdtempSync(join(tmpdir(), 'svc-embedded-'));
after(() => rmSync(root, { recursive: true, force: true }));

describe('openEmbeddedDatabase', () => {
  it('is the PostgreSQL that folders are labelled with, in UTF-8 and with UTC', async () => {
    const database = await openEmbeddedDatabase();
    const [row] = await database.query<{ version: string; encoding: string; zone: string }>(
      `select current_setting('server_version') as version, current_setting('server_encoding') as encoding,
         current_setting('timezone') as zone`,
    );
    await database.close();
    assert.match(row!.version, new RegExp(`^${EMBEDDED_POSTGRES}\\.`));
    assert.deepEqual([row!.encoding, row!.zone], ['UTF8', 'UTC']);
  });

  it('leaves the event loop free during a long statement', async () => {
    const database = await openEmbeddedDatabase();
    let turns = 0;
    let next: NodeJS.Immediate;
    const countTurns = (): void => {
      turns++;
      next = setImmediate(countTurns);
    };
    countTurns();
    // Longer statements if this thread had no processor meanwhile. If it were blocked, it would turn once for each.
    for (let count = 300_000; turns <= 100 && count < 10_000_000; count *= 2) {
      turns = 0;
      assert.deepEqual(await database.query(`select count(*) from generate_series(1, ${count})`), [{ count }]);
    }
    clearImmediate(next!);
    assert.ok(turns > 100, `${turns} turns of the event loop`);
    await database.close();
  });

  it('keeps a table and the log small that are written repeatedly', async () => {
    const folder = join(root, 'busy');
    const database = await openEmbeddedDatabase({ folder });
    await database.query('create table busy (filler text)');
    const measure = async () => {
      const [row] = await database.query<{ bytes: number }>(`select pg_table_size('busy') as bytes`);
      return { bytes: row!.bytes, segments: logSegments(folder) };
    };
    /** Writes about 6 MB of rows, and deletes them. */
    const write = async (): Promise<void> => {
      for (let i = 0; i < 3; i++) {
        await database.query(`insert into busy select repeat('x', 1000) from generate_series(1, 2000)`);
        await database.query('delete from busy');
        await database.housekeep();
      }
    };
    await write();
    const first = await measure();
    await write();
    const twice = await measure();
    assert.ok(twice.bytes <= first.bytes, `${twice.bytes} bytes, ${first.bytes} before`);
    // A segment has 1 MB.
    assert.ok(twice.segments <= first.segments + 2, `${twice.segments} segments, ${first.segments} before`);
    await database.close();
  });
});

describe('a broken embedded database', () => {
  /** Opens a database, and returns it with its worker. */
  const openWithWorker = async () => {
    const created = once(process, 'worker') as Promise<[Worker]>;
    const folder = mkdtempSync(join(root, 'broken-'));
    const database = await openEmbeddedDatabase({ folder });
    return { database, folder, worker: (await created)[0] };
  };

  for (const [what, end] of [
    ['is ended', (worker: Worker) => void worker.terminate()],
    ['throws an error', (worker: Worker) => worker.postMessage(null)],
  ] as const) {
    it(`answers that it has ended if its thread ${what}, and can be closed and opened again`, async () => {
      const { database, folder, worker } = await openWithWorker();
      await database.query('create table kept (n integer)');
      const asked = database.query('select pg_sleep(600)');
      end(worker);
      for (const query of [asked, database.query('select 1'), database.transaction(async () => {})]) {
        await assert.rejects(query, { code: 'unreachable', message: /Restart the service/ });
      }
      await database.close();
      const again = await openEmbeddedDatabase({ folder });
      assert.deepEqual(await again.query('select * from kept'), []);
      await again.close();
    });
  }

  it('rolls back what a lost connection has begun, and answers on a new one', async () => {
    const database = await openEmbeddedDatabase();
    await database.query('create table thing (content jsonb)');
    const circle: { self?: unknown } = {};
    circle.self = circle;
    const failing = database.transaction(async (queries) => {
      await queries.query(`insert into thing values ('1')`);
      await queries.query('insert into thing values ($1)', [circle]); // the driver cannot write it
    });
    await assert.rejects(failing, TypeError);
    const losing = database.transaction(async (queries) => {
      await queries.query(`insert into thing values ('1')`);
      await queries.query('set transaction read only'); // as on a server that has become a standby
      await queries.query(`insert into thing values ('1')`);
    });
    await assert.rejects(losing, { code: 'unreachable' });
    await database.query(`insert into thing values ('2')`);
    await assert.rejects(
      database.transaction((queries) => queries.query('select 1 / 0')),
      { code: '22012' },
    );
    assert.deepEqual(await database.query('select content from thing'), [{ content: 2 }]);
    await database.close();
  });

  it('does not follow the variables of PostgreSQL clients', async () => {
    process.env['PGHOST'] = 'nowhere.invalid';
    process.env['PGSSLMODE'] = 'require';
    try {
      const database = await openEmbeddedDatabase();
      assert.deepEqual(await database.query('select 1 as n'), [{ n: 1 }]);
      await database.close();
    } finally {
      delete process.env['PGHOST'];
      delete process.env['PGSSLMODE'];
    }
  });
});

describe('the embedded database as it is built', () => {
  it('begins with the template that is shipped, and needs less than 320 MB', async () => {
    const template = join(BUILT, 'embedded-template.br');
    assert.ok(existsSync(template));
    // It takes 270 MB; without the template, or with PostgreSQL's own buffers, 440 to 830 MB.
    const program = `
      const { existsSync, readFileSync } = await import('node:fs');
      const { openDatabase } = await import(${JSON.stringify(pathToFileURL(join(BUILT, 'index.js')).href)});
      const database = await openDatabase({ dataDir: ${JSON.stringify(join(root, 'built'))} });
      for (let i = 0; i < 100; i++) await database.query("insert into secret (name, kid, value) values ($1, 'k', 'x')", [String(i)]);
      await database.close();
      // On Linux, maxRSS also counts the process that started this one.
      const status = existsSync('/proc/self/status') ? readFileSync('/proc/self/status', 'utf8') : '';
      console.log(/VmHWM:\\s+(\\d+)/.exec(status)?.[1] ?? process.resourceUsage().maxRSS);`;
    const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', program]);
    assert.ok(Number(stdout) < 320 * 1024, `${stdout} KiB`);
    // initdb creates three.
    assert.equal(readdirSync(join(root, 'built', 'database', 'base')).length, 1);
  });
});

describe('retryTransaction', () => {
  const deadlock = new DatabaseError('deadlock detected', '40P01');

  it('tries five times, then passes the error on', async () => {
    let tries = 0;
    const failing = retryTransaction(async () => {
      tries++;
      throw deadlock;
    });
    await assert.rejects(failing, deadlock);
    assert.equal(tries, 5);
  });

  it('does not retry an error that would recur', async () => {
    let tries = 0;
    const failing = retryTransaction(async () => {
      tries++;
      throw new DatabaseError('duplicate key', '23505');
    });
    await assert.rejects(failing, /duplicate key/);
    assert.equal(tries, 1);
  });
});

function logSegments(folder: string): number {
  return readdirSync(join(folder, 'database', 'pg_wal')).filter((name) => /^[\dA-F]{24}$/.test(name)).length;
}
