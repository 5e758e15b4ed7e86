import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { lockFolder, type FolderLockOptions } from './folder-lock.js';
import { StoreError } from './store-error.js';

/** The file that says whose folder it is. */
const LABEL = 'svc-service.json';

/** The folder of the database in it. */
const DATABASE = 'database';

/** What may lie in a folder that is as good as empty: our lock and socket, and what systems put into every folder. */
const HARMLESS = new Set(['lock', 'admin.sock', `${LABEL}.new`, 'lost+found', '.DS_Store']);

/** What the label says. */
interface Label {
  /** Of what is in the folder. */
  readonly format: number;
  /** PostgreSQL's major version. */
  readonly postgres: string;
  /** Whether the database was completely made. */
  readonly ready: boolean;
}

const FORMAT = 1;

/** A folder that is ours until it is released. */
export interface DataFolder {
  /** Folder of the database: complete if {@link isNew} is false, else empty. */
  readonly database: string;
  readonly isNew: boolean;
  /** To be called when a new database is complete; one that never was is made again by the next process. */
  markReady(): void;
  /** Lets other processes have it. More than once is harmless. */
  release(): Promise<void>;
}

/**
 * Makes a data folder or finds one, for this process alone. What is made can be read by this user only.
 *
 * @param postgres - PostgreSQL's major version that is embedded.
 * @throws {StoreError} If it is in use, cannot be written, is no folder, is of another version, or holds other things.
 */
export async function openDataFolder(path: string, postgres: string, options?: FolderLockOptions): Promise<DataFolder> {
  const folder = resolve(path);
  const database = join(folder, DATABASE);
  const write = (ready: boolean) => writeLabel(folder, { format: FORMAT, postgres, ready });
  let release: (() => Promise<void>) | undefined;
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    checkLabel(folder, readLabel(folder), postgres); // before a lock is left in a folder that is not ours
    release = await lockFolder(folder, options);
    const label = readLabel(folder);
    checkLabel(folder, label, postgres);
    const isNew = !label?.ready;
    if (isNew) {
      write(false);
      rmSync(database, { recursive: true, force: true });
      mkdirSync(database, { mode: 0o700 });
    }
    return { database, isNew, markReady: () => write(true), release };
  } catch (error) {
    await release?.();
    throw explain(folder, error);
  }
}

/** @returns `null` if there is none. */
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

function checkLabel(folder: string, label: Label | null, postgres: string): void {
  if (!label) {
    const other = readdirSync(folder).find((name) => !HARMLESS.has(name));
    if (other === undefined) return;
    throw new StoreError(
      `The data folder ${folder} holds something else (${other}). Take one that is empty, or does not exist (--data).`,
    );
  }
  if (label.format > FORMAT) {
    throw new StoreError(`The data folder ${folder} is of a newer svc-service. Update svc-service.`);
  }
  if (!label.ready) return;
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
}

/** In one go: a process that is killed leaves the old label, or the new one. */
function writeLabel(folder: string, label: Label): void {
  const path = join(folder, LABEL);
  writeFileSync(`${path}.new`, `${JSON.stringify(label)}\n`, { mode: 0o600 });
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
