import { createHash } from 'node:crypto';
import { realpathSync } from 'node:fs';
import { mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

/** Name of the socket in the data folder. */
export const SOCKET_NAME = 'admin.sock';

/**
 * Maximum length of a socket's path, in bytes, that works on every system: macOS has room for 104 including the
 * terminator, Linux for 108.
 */
const PATH_MAX_BYTES = 100;

/** Returns the name of the pipe for a data folder on Windows, where sockets are not files in folders. */
export function pipeName(folder: string): string {
  const hash = createHash('sha256').update(realpathSync(folder).toLowerCase()).digest('hex');
  return `\\\\.\\pipe\\svc-service-${hash.slice(0, 32)}`;
}

/**
 * Calls `use` with a path to `name` in `folder` that is short enough for a socket, however long the folder's own path
 * is.
 *
 * A long path is replaced by one through a symbolic link, which exists until `use` is done. That is long enough: only
 * connecting and listening take a path. The link is in a new folder that only this user may enter, so nobody else can
 * redirect it.
 */
export async function withSocketPath<Result>(
  folder: string,
  name: string,
  use: (path: string) => Promise<Result>,
): Promise<Result> {
  const path = join(resolve(folder), name);
  if (Buffer.byteLength(path) <= PATH_MAX_BYTES) return await use(path);
  const shortcut = await mkdtemp(join(tmpdir(), 'svc-'));
  try {
    await symlink(resolve(folder), join(shortcut, 'd'));
    return await use(join(shortcut, 'd', name));
  } finally {
    await rm(shortcut, { recursive: true, force: true });
  }
}
