import { createHash } from 'node:crypto';
import { rm, type FileHandle } from 'node:fs/promises';
import { dirname } from 'node:path';
import { AdminError } from '../admin/admin-command.js';
import { createFile } from '../admin/create-file.js';
import type { Database, Queries } from '../store/database.js';
import { SCHEMA_VERSION } from '../store/migrations.js';
import { syncFolder } from '../store/sync-to-disk.js';
import { makeHeader, type DataTrailer } from './data-file.js';
import { DATA_TABLES } from './data-tables.js';
import { requireBalances, sumOfLedger } from './verify-data.js';

/** Settings of the transaction: one snapshot, no time limits, and value formats that all databases read and write. */
const SETTINGS = [
  'set transaction isolation level repeatable read, read only',
  'set local statement_timeout = 0',
  'set local idle_in_transaction_session_timeout = 0',
  `set local timezone = 'UTC'`,
  'set local bytea_output = hex',
];

/**
 * Writes the data of a database with up-to-date tables into a new file. Keeps only a few rows in memory.
 *
 * @returns The last line of the file.
 * @throws {AdminError} If sockets are open, a balance differs from the sum of its ledger, or the file cannot be
 *   written. The file is deleted then.
 */
export async function exportData(database: Database, file: string): Promise<DataTrailer> {
  const handle = await createFile(file);
  try {
    const trailer = await database.transaction((queries) => writeAll(queries, handle));
    await handle.sync();
    await syncFolder(dirname(file));
    return trailer;
  } catch (error) {
    await rm(file, { force: true });
    throw error;
  } finally {
    await handle.close();
  }
}

async function writeAll(queries: Queries, handle: FileHandle): Promise<DataTrailer> {
  for (const setting of SETTINGS) await queries.query(setting);
  await refuseOpenSockets(queries);
  await requireBalances(queries);
  await handle.truncate(); // removes the lines of a previous attempt of the transaction
  const hash = createHash('sha256');
  let position = 0;
  const write = async (lines: readonly object[] | readonly string[]): Promise<void> => {
    const text = lines.map((line) => `${typeof line === 'string' ? line : JSON.stringify(line)}\n`).join('');
    const bytes = Buffer.from(text);
    hash.update(bytes);
    for (let offset = 0; offset < bytes.length;) {
      const { bytesWritten } = await handle.write(bytes, offset, bytes.length - offset, position);
      offset += bytesWritten;
      position += bytesWritten;
    }
  };
  await write([makeHeader(SCHEMA_VERSION)]);
  const rows: Record<string, number> = {};
  for (const [table, rowsAtOnce] of Object.entries(DATA_TABLES)) {
    rows[table] = 0;
    for await (const page of readPages(queries, table, rowsAtOnce)) {
      rows[table] += page.length;
      await write(page.map((row) => `{"table":"${table}","row":${row}}`));
    }
  }
  const ledgerMs = await sumOfLedger(queries);
  const trailer = { rows, ledger_ms: ledgerMs, sha256: hash.copy().digest('hex') };
  await write([trailer]);
  return trailer;
}

/** Yields the rows of a table in PostgreSQL's JSON format. */
async function* readPages(queries: Queries, table: string, rowsAtOnce: number): AsyncGenerator<string[]> {
  await queries.query(
    `declare of_${table} no scroll cursor for select row_to_json(item)::text as row from ${table} item`,
  );
  for (;;) {
    const page = await queries.query<{ row: string }>(`fetch ${rowsAtOnce} from of_${table}`);
    if (page.length === 0) break;
    yield page.map(({ row }) => row);
  }
  await queries.query(`close of_${table}`);
}

/** Refuses to export while sockets are open, because their further charges would be missing. */
async function refuseOpenSockets(queries: Queries): Promise<void> {
  const [open] = await queries.query<{ count: number; node: string | null }>(
    'select count(*)::integer as count, min(node) as node from lease where expires_at > svc_now()',
  );
  if (open!.count === 0) return;
  throw new AdminError(
    `${open!.count} sockets are open on this database, on the node ${open!.node}. Stop all nodes, and export again.`,
  );
}
