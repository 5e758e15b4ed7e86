import { constants, existsSync } from 'node:fs';
import { cp, mkdir, rename, rm } from 'node:fs/promises';
import { dirname, join, resolve, sep } from 'node:path';
import { DATA_NAMES, type DataFolder } from './data-folder.js';
import { DatabaseError } from './database.js';
import { StoreError } from './store-error.js';
import { syncFolder, syncTree } from './sync-to-disk.js';

/**
 * Copies a data folder that this process holds. The copy is a data folder, too, which only this user can read. It has its
 * name only once it is complete and on disk.
 *
 * @param target - Path of the copy, which must not exist.
 * @param whileStill - Calls `copy` while nothing changes the files of the database, which must be complete by then.
 * @throws {StoreError} If the copy exists already or cannot be written. What was written is deleted then.
 */
export async function backUpFolder(
  { folder }: DataFolder,
  target: string,
  whileStill: (copy: () => Promise<void>) => Promise<void>,
): Promise<void> {
  if (existsSync(target)) throw new StoreError(`${target} exists already, and is left as it is. Name a new folder.`);
  // A copy within what is copied would never end.
  if (`${resolve(target)}${sep}`.startsWith(`${folder}${sep}`)) {
    throw new StoreError(
      `${target} is in the data folder ${folder}. Name a folder elsewhere, on another disk if possible.`,
    );
  }
  const incomplete = `${target}.incomplete`;
  try {
    await mkdir(incomplete, { mode: 0o700 });
  } catch (error) {
    throw explain(target, error);
  }
  try {
    await whileStill(async () => {
      // File systems that can share the blocks of a file and of its copy do so.
      const options = { recursive: true, mode: constants.COPYFILE_FICLONE };
      for (const name of DATA_NAMES) await cp(join(folder, name), join(incomplete, name), options);
    });
    await syncTree(incomplete);
    await rename(incomplete, target);
    await syncFolder(dirname(target));
  } catch (error) {
    await rm(incomplete, { recursive: true, force: true });
    throw explain(target, error);
  }
}

function explain(target: string, error: unknown): unknown {
  const { code, message } = error as NodeJS.ErrnoException;
  if (code === 'EEXIST') {
    return new StoreError(
      `${target}.incomplete exists already: another backup runs, or one was interrupted. Remove it, or name another folder.`,
    );
  }
  if (code === undefined || error instanceof DatabaseError) return error;
  return new StoreError(
    `The backup ${target} cannot be written: ${message}. Name a folder that the user of the service can create.`,
  );
}
