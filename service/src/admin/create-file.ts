import { open, type FileHandle } from 'node:fs/promises';
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
