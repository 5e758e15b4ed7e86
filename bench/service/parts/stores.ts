import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { NodeOptions } from '../node.js';
import type { Bench } from '../part.js';

/** Data store of a node. */
export interface Store {
  readonly name: string;
  readonly options: Pick<NodeOptions, 'dataDir' | 'databaseUrl'>;
}

/**
 * Runs `measure` once with each kind of empty database: embedded in memory, embedded in a folder (if `inFolder`), and
 * PostgreSQL (if available).
 */
export async function eachStore(
  { postgres }: Bench,
  measure: (store: Store) => Promise<void>,
  inFolder = false,
): Promise<void> {
  await measure({ name: 'embedded, in memory', options: {} });
  if (inFolder) {
    const folder = mkdtempSync(join(tmpdir(), 'svc-bench-data-'));
    try {
      await measure({ name: 'embedded, in a folder', options: { dataDir: folder } });
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  }
  if (postgres) await measure({ name: 'PostgreSQL', options: { databaseUrl: await postgres.emptyDatabase() } });
}
