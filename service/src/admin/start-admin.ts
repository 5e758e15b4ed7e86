import { once } from 'node:events';
import { chmod, mkdtemp, rename, rm } from 'node:fs/promises';
import { createServer, type Server, type Socket } from 'node:net';
import { basename, join } from 'node:path';
import type { Database } from '../store/database.js';
import { AdminError, readAdminCommand, runAdminCommand, type AdminCommand } from './admin-command.js';
import { readLines, type AnswerLine } from './admin-lines.js';
import { pipeName, SOCKET_NAME, withSocketPath } from './admin-socket-path.js';

/** Longest command, in bytes. A command may contain the bundle of an avatar, and JSON may escape its characters. */
export const COMMAND_MAX_BYTES = 16 * 1024 * 1024;

/** Maximum number of connections at a time. Further ones are refused. */
const CONNECTIONS_MAX = 64;

/** Time for a command to arrive, and for a client to disconnect after its answer, in ms. */
const CLIENT_MS = 10_000;

/** Time for clients to read their answers when the service stops, in ms. */
const CLOSE_MS = 1000;

const STOPS = 'The service stops: see whether it was done, and try again when it is back.';

/** Options of {@link startAdmin}. */
export interface AdminOptions {
  readonly database: Database;
  /** Folder of the embedded database. Any user who can write into it can give commands. */
  readonly folder: string;
  /** Key of LiveKit in the environment, if it signs the room tokens. */
  readonly livekitKey?: string | undefined;
  /** Receives errors of the service, as opposed to errors of a client. */
  readonly report: (error: unknown) => void;
  /** Time for a command to arrive, in ms; 10 s by default. */
  readonly clientMs?: number;
}

/** Server for admin commands. */
export interface Admin {
  /** Accepts no more commands and waits for those that run. The database may be closed afterwards. */
  close(): Promise<void>;
}

/**
 * Lets commands such as `svc-service keys …` work on a database that only this process can open. Listens on a socket in
 * the data folder (a pipe on Windows) that only this user can connect to. A command is one line of JSON; its answer is
 * lines of JSON.
 *
 * This process holds the lock of the folder, so no other process listens there. A socket that a dead process left is
 * replaced.
 *
 * @throws {Error} If it cannot listen there.
 */
export async function startAdmin({
  database,
  folder,
  livekitKey,
  report,
  clientMs = CLIENT_MS,
}: AdminOptions): Promise<Admin> {
  const stopping = new AbortController();
  const running = new Set<Promise<void>>();
  const sockets = new Set<Socket>();
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    // A lost client is not an error; its command is carried out anyway.
    socket.on('error', () => {});
    sockets.add(socket);
    const gone = new AbortController();
    socket.once('close', () => {
      sockets.delete(socket);
      gone.abort();
    });
    const work = serve(socket, AbortSignal.any([gone.signal, stopping.signal])).catch(report);
    running.add(work);
    void work.then(() => {
      running.delete(work);
      if (socket.closed) return;
      // Read and drop further data, so that the client can read the answer. Destroying the socket now could cut it off.
      socket.end();
      socket.resume();
      const timer = setTimeout(() => socket.destroy(), clientMs);
      socket.once('close', () => clearTimeout(timer));
    });
  });
  server.maxConnections = CONNECTIONS_MAX;
  server.on('error', report);

  async function serve(socket: Socket, ending: AbortSignal): Promise<void> {
    try {
      const command = await readCommand(socket, clientMs, stopping.signal);
      if (command) await answer(socket, runAdminCommand(database, command, livekitKey), ending);
    } catch (error) {
      if (socket.destroyed) return;
      const expected = error instanceof AdminError || ending.aborted;
      if (!expected) report(error);
      const failure = error instanceof AdminError ? error.message : 'The service failed to do it; its log says why.';
      send(socket, { error: ending.aborted ? STOPS : failure });
    }
  }

  const forget = await listen(server, folder);
  return {
    async close() {
      const closed = once(server, 'close');
      server.close();
      await forget();
      stopping.abort();
      await Promise.all(running);
      const timer = setTimeout(() => {
        for (const socket of sockets) socket.destroy();
      }, CLOSE_MS);
      for (const socket of sockets) socket.destroySoon();
      await closed;
      clearTimeout(timer);
    },
  };
}

/**
 * Sends a line of the answer.
 *
 * @returns True if the socket accepts more data at once.
 */
function send(socket: Socket, line: AnswerLine): boolean {
  return socket.write(`${JSON.stringify(line)}\n`);
}

/**
 * Sends the rows of a command at the speed at which the client reads them.
 *
 * @param ending - Aborted when the client is gone or the service stops. A command with one row still finishes.
 */
async function answer(socket: Socket, rows: AsyncIterable<object>, ending: AbortSignal): Promise<void> {
  let isFirst = true;
  for await (const row of rows) {
    if (!isFirst) ending.throwIfAborted();
    isFirst = false;
    if (!socket.destroyed && !send(socket, { row })) await once(socket, 'drain', { signal: ending });
  }
  if (!socket.destroyed) send(socket, { done: true });
}

/**
 * Reads the one command that a client sends.
 *
 * @returns `null` if the client disconnects without a complete command.
 * @throws {AdminError} If the line is not a command.
 */
async function readCommand(socket: Socket, clientMs: number, stopping: AbortSignal): Promise<AdminCommand | null> {
  const giveUp = (): void => void socket.destroy();
  const timer = setTimeout(giveUp, clientMs);
  stopping.addEventListener('abort', giveUp);
  try {
    for await (const line of readLines(socket.iterator({ destroyOnReturn: false }), COMMAND_MAX_BYTES)) {
      return readAdminCommand(JSON.parse(line));
    }
    return null;
  } catch (error) {
    if (error instanceof RangeError) throw new AdminError(`A command has at most ${COMMAND_MAX_BYTES} bytes.`);
    if (error instanceof SyntaxError) throw new AdminError('A command is a line of JSON.');
    if (error instanceof AdminError) throw error;
    // The client disconnected before the end of the line.
    return null;
  } finally {
    clearTimeout(timer);
    stopping.removeEventListener('abort', giveUp);
  }
}

/**
 * Starts to listen on the socket of a folder.
 *
 * @returns Removes the socket from the folder.
 */
async function listen(server: Server, folder: string): Promise<() => Promise<void>> {
  if (process.platform === 'win32') {
    server.listen(pipeName(folder));
    await once(server, 'listening');
    return async () => {};
  }
  // Create the socket in a private folder; move it once other users cannot connect. The move replaces an old socket.
  const cradle = await mkdtemp(join(folder, '.admin-'));
  try {
    await withSocketPath(folder, join(basename(cradle), 's'), async (path) => {
      server.listen(path);
      await once(server, 'listening');
    });
    await chmod(join(cradle, 's'), 0o600);
    await rename(join(cradle, 's'), join(folder, SOCKET_NAME));
  } catch (error) {
    server.close();
    throw error;
  } finally {
    await rm(cradle, { recursive: true, force: true });
  }
  return () => rm(join(folder, SOCKET_NAME), { force: true });
}
