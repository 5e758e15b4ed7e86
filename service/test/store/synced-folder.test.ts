import assert from 'node:assert/strict';
import fs from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { openEmbeddedDatabase } from '../../src/store/embedded-database.js';
import { SyncedFolder } from '../../src/store/synced-folder.js';

describe('a data folder', () => {
  it('waits for the disk at a commit', async () => {
    const folder = fs.mkdtempSync(join(tmpdir(), 'svc-synced-'));
    const database = await openEmbeddedDatabase({ folder });
    const settings = await database.query<{ value: string }>(
      `select setting as value from pg_settings where name in ('fsync', 'wal_sync_method', 'full_page_writes') order by name`,
    );
    await database.close();
    fs.rmSync(folder, { recursive: true, force: true });
    assert.deepEqual(
      settings.map(({ value }) => value),
      ['on', 'on', 'fsync'],
    );
  });

  it('flushes the files and folders that PostgreSQL syncs', async () => {
    const preRun: ((module: object) => void)[] = [];
    const folder = fs.mkdtempSync(join(tmpdir(), 'svc-synced-'));
    const { emscriptenOpts } = await new SyncedFolder(folder).init({} as never, { preRun });
    const streamOps: { fsync?: (stream: object) => number } = {};
    const NODEFS = { stream_ops: streamOps, realPath: () => folder };
    const module = { NODEFS, FS: { mkdirTree() {}, mount() {} } };
    for (const prepare of emscriptenOpts.preRun as unknown as typeof preRun) prepare(module);
    const flushed: number[] = [];
    const { fsyncSync } = fs;
    fs.fsyncSync = (file) => {
      flushed.push(file);
      fsyncSync(file);
    };
    try {
      const file = fs.openSync(join(folder, 'file'), 'w');
      assert.equal(streamOps.fsync!({ nfd: file, node: {} }), 0);
      assert.deepEqual(flushed, [file]);
      assert.equal(streamOps.fsync!({ node: {} }), 0);
      assert.equal(flushed.length, process.platform === 'win32' ? 1 : 2);
      fs.closeSync(file);
    } finally {
      fs.fsyncSync = fsyncSync;
      fs.rmSync(folder, { recursive: true, force: true });
    }
  });
});
