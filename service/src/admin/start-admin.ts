import { once } from 'node:events';
import { chmod, mkdtemp, rename, rm } from 'node:fs/promises';
import { createServer, type Server, type Socket } from 'node:net';
import { basename, join } from 'node:path';
import type { Database } from '../store/database.js';
import { AdminError, readAdminCommand, runAdminCommand, type AdminCommand } from './admin-command.js';
import { readLines, type AnswerLine } from './admin-lines.js';
import { pipeName, SOCKET_NAME, withSocketPath } from './admin-socket-path.js';

/** Longest command, in bytes: the bundle of an avatar is part of one, and JSON may escape what is in it. */
export const COMMAND_MAX_BYTES = 16 * 1024 * 1024;

/** Commands at a time; who comes when there are more is turned away. */
const CONNECTIONS_MAX = 64;

/** Time in which a command must have arrived, and in which a client must be gone after its answer, in ms. */
const CLIENT_MS = 10_000;

/** Time that is left to clients that do not take their answers when the service stops, in ms. */
const CLOSE_MS = 1000;

const STOPS = 'The service stops: see whether it was done, and try again when it is back.';

/** What {@link startAdmin} needs. */
export interface AdminOptions {
  readonly database: Database;
  /** Folder of the embedded database. Whoever may write into it may give commands. */
  readonly folder: string;
  /** Key of LiveKit in the environment, if room tokens are signed with one from there. */
  readonly livekitKey?: string | undefined;
  /** Takes errors that are ours rather than of who gave a command. */
  readonly report: (error: unknown) => void;
  /** Time in which a command must have arrived, in ms; 10 s by default. */
  readonly clientMs?: number;
}

/** Takes commands until it is closed. */
export interface Admin {
  /** Takes no more commands, and lets those that have begun be finished. The database may be closed then. */
  close(): Promise<void>;
}

/**
 * Lets `svc-service keys …` and the like work on a database that this process alone can open: listens on a socket in its
 * folder (a pipe on Windows) that only the user may use. A command is a line of JSON, its answer are lines of JSON.
 *
 * The lock of the folder says that no other process listens there: what a dead one left is replaced.
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
    // A client that is gone is nobody's error: what it asked for is done all the same.
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
      // What it still sends is thrown away, so that it gets to read the answer: closing now could break that off.
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

/** @returns Whether the socket takes more at once. */
function send(socket: Socket, line: AnswerLine): boolean {
  return socket.write(`${JSON.stringify(line)}\n`);
}

/**
 * Sends what a command has to say, as fast as it is taken.
 *
 * @param ending - Aborted when nobody listens any more, or the service stops. A command of one row is finished first.
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
 * @returns `null` if it went away without one.
 * @throws {AdminError} If it is no command.
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
    // It went away in the middle of a word.
    return null;
  } finally {
    clearTimeout(timer);
    stopping.removeEventListener('abort', giveUp);
  }
}

/** @returns Takes away what stands in the folder. */
async function listen(server: Server, folder: string): Promise<() => Promise<void>> {
  if (process.platform === 'win32') {
    server.listen(pipeName(folder));
    await once(server, 'listening');
    return async () => {};
  }
  // It is made where nobody else can reach it, and shown when it is closed to others. Renaming replaces an old one.
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
