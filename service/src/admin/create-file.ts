import { open, type FileHandle } from 'node:fs/promises';
import { dirname } from 'node:path';
import { AdminError } from './admin-command.js';

/**
 * Creates a file that only this user can read.
 *
 * @throws {AdminError} If the file exists already, or cannot be created.
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

/** Flushes the name of a new file to disk. `sync` of the file itself flushes only its content. */
export async function syncFolderOf(path: string): Promise<void> {
  if (process.platform === 'win32') return; // Windows cannot open folders.
  const folder = await open(dirname(path));
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}
