import { rm, type FileHandle } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { ArchivePage } from '../account/ledger-archive.js';
import { syncFolder } from '../store/sync-to-disk.js';
import { AdminError, type AdminCommand } from './admin-command.js';
import { createFile } from './create-file.js';

/** Command that moves old rows of the ledger into a file. */
export interface ArchiveCommand {
  readonly command: 'ledger archive';
  /** Instant in ISO 8601; rows that last changed before it are moved. */
  readonly before: string;
  readonly path: string;
}

/**
 * Writes old rows of the ledger into a new file, as `svc-service ledger` prints them, and replaces them by one balance
 * row for each account. Works in batches: each batch is on disk before it is removed from the ledger.
 *
 * @param run - Carries out a command on the data.
 * @returns Summary to print.
 * @throws {AdminError} If it cannot continue; the message says what the file contains by then.
 */
export async function archiveLedger(
  run: (command: AdminCommand) => AsyncIterable<object>,
  { before, path }: ArchiveCommand,
): Promise<object> {
  const file = await createFile(path);
  let isEmpty = true;
  let rows = 0;
  let ms = 0;
  try {
    await syncFolder(dirname(path));
    for (let after: number | null = 0; after !== null;) {
      const page: ArchivePage = await onlyRow(run({ command: 'ledger archive page', before, after }));
      if (page.rows.length > 0) {
        isEmpty = false;
        await append(file, page.rows);
        const written = page.rows.map((row) => ({ id: row.id, ms: row.ms }));
        await onlyRow(run({ command: 'ledger archive replace', rows: written }));
        rows += written.length;
        ms += written.reduce((sum, row) => sum + row.ms, 0);
      }
      after = page.next;
    }
  } catch (error) {
    if (isEmpty) {
      await rm(path, { force: true });
      throw error;
    }
    throw new AdminError(
      `${(error as Error).message} ${rows} rows are in ${path} and no more in the ledger: keep it. Rows after those in ` +
        'it may be in both. Archive the others into another file.',
    );
  } finally {
    await file.close();
  }
  return { archived: path, before, rows, ms };
}

async function append(file: FileHandle, rows: readonly object[]): Promise<void> {
  await file.appendFile(rows.map((row) => `${JSON.stringify(row)}\n`).join(''));
  await file.sync();
}

async function onlyRow<Row extends object>(rows: AsyncIterable<object>): Promise<Row> {
  let only: object | undefined;
  for await (const row of rows) only = row;
  return only as Row;
}
