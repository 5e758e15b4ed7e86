import { rm, type FileHandle } from 'node:fs/promises';
import type { ArchivePage } from '../account/ledger-archive.js';
import { AdminError, type AdminCommand } from './admin-command.js';
import { createFile, syncFolderOf } from './create-file.js';

/** Moves old rows of the ledger into a file. */
export interface ArchiveCommand {
  readonly command: 'ledger archive';
  /** ISO 8601. */
  readonly before: string;
  readonly path: string;
}

/**
 * Writes old rows of the ledger into a new file, as `svc-service ledger` prints them, and replaces them by one balance row
 * for each account. A few rows at a time: each batch is on the disk before it is taken out of the ledger.
 *
 * @param run - Carries out a command on the data, wherever that is.
 * @returns What was archived, to be printed.
 * @throws {AdminError} If it cannot go on; says what is in the file by then.
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
    await syncFolderOf(path);
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
