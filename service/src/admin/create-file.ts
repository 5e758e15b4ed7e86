import { open, type FileHandle } from 'node:fs/promises';
import { dirname } from 'node:path';
import { AdminError } from './admin-command.js';

/**
 * Creates a file that only this user can read.
 *
 * @throws {AdminError} If it is there already, or cannot be made.
 */
export async function createFile(path: string): Promise<FileHandle> {
  try {
    return await open(path, 'wx', 0o600);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST') throw new AdminError(`${path} exists already, and is left as it is. Name a new file.`);
    throw new AdminError(`${path} cannot be created: ${message}. Name a file in a folder that you can write to.`);
  }
}

/** Puts a new file's name on the disk, too; `sync` of the file itself does so with what is in it. */
export async function syncFolderOf(path: string): Promise<void> {
  if (process.platform === 'win32') return; // folders cannot be opened there
  const folder = await open(dirname(path));
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}
