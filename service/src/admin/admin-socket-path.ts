import { createHash } from 'node:crypto';
import { realpathSync } from 'node:fs';
import { mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

/** Name of the socket in the data folder. */
export const SOCKET_NAME = 'admin.sock';

/** Bytes of a socket's path that every system takes: macOS has room for 104 with the end, Linux for 108. */
const PATH_MAX_BYTES = 100;

/** Name of the pipe of a data folder, on Windows, where there are no sockets in folders. */
export function pipeName(folder: string): string {
  const hash = createHash('sha256').update(realpathSync(folder).toLowerCase()).digest('hex');
  return `\\\\.\\pipe\\svc-service-${hash.slice(0, 32)}`;
}

/**
 * Calls `use` with a path to `name` in `folder` that is short enough for a socket, whatever the folder's own path is:
 * through a symbolic link that is there until `use` is done, which suffices, since only connecting and listening take a
 * path. It lies in a folder of its own that nobody else may enter, and leads where it was told, so nobody can redirect it.
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
