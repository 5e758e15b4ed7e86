import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { lockFolder, type FolderLockOptions } from './folder-lock.js';
import { StoreError } from './store-error.js';

/** Name of the label, a file that identifies a data folder. */
const LABEL = 'svc-service.json';

/** Name of the database's folder in the data folder. */
const DATABASE = 'database';

/** Files that may exist in an empty folder: our lock and socket, and files that operating systems create. */
const HARMLESS = new Set(['lock', 'admin.sock', `${LABEL}.new`, 'lost+found', '.DS_Store']);

/** Names in a data folder that hold its data. The others belong to the process that uses it. */
export const DATA_NAMES = [LABEL, DATABASE] as const;

/** Content of the label. */
interface Label {
  /** Version of the folder's layout. */
  readonly format: number;
  /** PostgreSQL's major version. */
  readonly postgres: string;
  /** True if the database was created completely. */
  readonly ready: boolean;
}

const FORMAT = 1;

/** A data folder that this process holds until it is released. */
export interface DataFolder {
  /** Absolute path. */
  readonly folder: string;
  /** Path of the database's folder: complete if {@link isNew} is false, else empty. */
  readonly database: string;
  readonly isNew: boolean;
  /** Marks a new database as complete. An incomplete one is created again by the next process. */
  markReady(): void;
  /** Releases the folder for other processes. May be called more than once. */
  release(): Promise<void>;
}

/**
 * Creates or opens a data folder for this process alone. Only this user can read files that it creates.
 *
 * @param postgres - Major version of the embedded PostgreSQL.
 * @throws {StoreError} If the path is in use, not writable, not a folder, from another version, or has other content.
 */
export async function openDataFolder(path: string, postgres: string, options?: FolderLockOptions): Promise<DataFolder> {
  const folder = resolve(path);
  const database = join(folder, DATABASE);
  const write = (ready: boolean) => writeLabel(folder, { format: FORMAT, postgres, ready });
  let release: (() => Promise<void>) | undefined;
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    checkedLabel(folder, postgres); // before creating a lock in another program's folder
    release = await lockFolder(folder, options);
    const label = checkedLabel(folder, postgres);
    const isNew = !label?.ready;
    if (isNew) {
      write(false);
      rmSync(database, { recursive: true, force: true });
      mkdirSync(database, { mode: 0o700 });
    }
    return { folder, database, isNew, markReady: () => write(true), release };
  } catch (error) {
    await release?.();
    throw explain(folder, error);
  }
}

/**
 * Reads the label.
 *
 * @returns `null` if there is none.
 */
function readLabel(folder: string): Label | null {
  const path = join(folder, LABEL);
  if (!existsSync(path)) return null;
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as Label;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw new StoreError(`${path} is damaged. Bring the data folder back from a backup, or take another one (--data).`);
  }
}

/**
 * Reads the label of a folder that this program can use.
 *
 * @returns `null` if the folder is new.
 * @throws {StoreError} If the folder cannot be used.
 */
function checkedLabel(folder: string, postgres: string): Label | null {
  // Listed first: another process may be writing its label, and writes it before anything else.
  const names = readdirSync(folder);
  const label = readLabel(folder);
  if (!label) {
    const other = names.find((name) => !HARMLESS.has(name));
    if (other === undefined) return null;
    throw new StoreError(
      `The data folder ${folder} holds something else (${other}). Take one that is empty, or does not exist (--data).`,
    );
  }
  if (label.format > FORMAT) {
    throw new StoreError(`The data folder ${folder} is of a newer svc-service. Update svc-service.`);
  }
  if (!label.ready) return label;
  if (label.postgres !== postgres) {
    throw new StoreError(
      `The data folder ${folder} is of PostgreSQL ${label.postgres}, and this svc-service has ${postgres} in it. ` +
        'Go back to the svc-service that made it, or take another folder (--data).',
    );
  }
  if (!existsSync(join(folder, DATABASE, 'PG_VERSION'))) {
    throw new StoreError(
      `The data folder ${folder} has lost its database. Bring it back from a backup, or take another one (--data).`,
    );
  }
  return label;
}

/** Writes the label atomically: a process that is killed leaves the old label or the new one. */
function writeLabel(folder: string, label: Label): void {
  const path = join(folder, LABEL);
  writeFileSync(`${path}.new`, `${JSON.stringify(label)}\n`, { mode: 0o600, flush: true });
  renameSync(`${path}.new`, path);
}

function explain(folder: string, error: unknown): unknown {
  const code = (error as NodeJS.ErrnoException).code;
  if (code === 'EEXIST' || code === 'ENOTDIR') {
    return new StoreError(`The data folder ${folder} is no folder. Take another one (--data).`);
  }
  if (code === 'EACCES' || code === 'EPERM' || code === 'EROFS') {
    return new StoreError(
      `The data folder ${folder} cannot be written (${code}). Let this user write there, or take another one (--data).`,
    );
  }
  if (code === 'ENOSPC' || code === 'EDQUOT') {
    return new StoreError(`There is no room left for the data folder ${folder} (${code}).`);
  }
  return error;
}
