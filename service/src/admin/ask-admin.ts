import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { AdminError, type AdminCommand } from './admin-command.js';
import { readLines, type AnswerLine } from './admin-lines.js';
import { pipeName, SOCKET_NAME, withSocketPath } from './admin-socket-path.js';

/** Error codes of `connect` if no service runs on the folder: there is no socket, or one that a dead service left. */
const NOBODY_THERE = new Set(['ENOENT', 'ECONNREFUSED', 'ENOTDIR', 'ENOTSOCK']);

/**
 * Sends a command to the service that runs on a folder.
 *
 * @returns The rows of the answer; `null` if no service runs. Iterating throws `AdminError` if the command fails.
 * @throws {AdminError} If a service may run, but cannot be reached.
 */
export async function askAdmin(folder: string, command: AdminCommand): Promise<AsyncIterable<object> | null> {
  let socket: Socket;
  try {
    socket =
      process.platform === 'win32'
        ? await open(pipeName(folder))
        : await withSocketPath(folder, SOCKET_NAME, (path) => open(path));
  } catch (error) {
    const { code = '', message } = error as NodeJS.ErrnoException;
    if (NOBODY_THERE.has(code)) return null;
    if (code === 'EACCES' || code === 'EPERM') {
      throw new AdminError(`${folder} is another user's: give the command as the user that svc-service runs as.`);
    }
    throw new AdminError(`The service that runs on ${folder} cannot be reached: ${message}`);
  }
  return rowsFrom(socket, command);
}

async function open(path: string): Promise<Socket> {
  const socket = connect(path);
  await once(socket, 'connect');
  return socket;
}

async function* rowsFrom(socket: Socket, command: AdminCommand): AsyncGenerator<object> {
  socket.write(`${JSON.stringify(command)}\n`);
  try {
    for await (const text of readLines(socket, Infinity)) {
      const line = JSON.parse(text) as AnswerLine;
      if ('error' in line) throw new AdminError(line.error);
      if ('done' in line) return;
      yield line.row;
    }
  } catch (error) {
    if (error instanceof AdminError) throw error;
    throw new AdminError(
      `The connection to the service broke: ${(error as Error).message}. Check whether the command took effect, then try again.`,
    );
  } finally {
    socket.destroy();
  }
  throw new AdminError('The service stopped before it was done: see whether it was, then try again.');
}
