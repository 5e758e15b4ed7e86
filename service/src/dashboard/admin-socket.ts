import { chmod, mkdtemp, rename, rm } from 'node:fs/promises';
import type { Socket } from 'node:net';
import { basename, join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { createAdminApp, type AdminAppOptions } from './admin-app.js';
import { pipeName, SOCKET_NAME, withSocketPath } from './admin-socket-path.js';

/** Time for clients to read their answers when the service stops, in ms. */
const CLOSE_MS = 1000;

/**
 * Serves the admin API on a socket in the data folder (a pipe on Windows) that only this user can connect to. So commands
 * such as `svc-service keys …` work on a database that only this process can open.
 *
 * This process holds the lock of the folder, so no other process listens there. A socket that a dead process left is
 * replaced.
 *
 * @param folder - Folder of the embedded database. Any user who can write into it can give commands.
 * @returns Stops: accepts no more commands and waits for those that run. The database may be closed afterwards.
 * @throws {Error} If it cannot listen there.
 */
export async function listenInFolder(folder: string, options: AdminAppOptions): Promise<() => Promise<void>> {
  const app = createAdminApp(options);
  /** Connections that wait for a client: it has not sent its request, or not read its answer. */
  const waiting = new Set<Socket>();
  app.server.on('connection', (socket) => {
    waiting.add(socket);
    socket.once('close', () => waiting.delete(socket));
  });
  app.addHook('preHandler', async ({ raw: { socket } }) => {
    waiting.delete(socket);
    socket.setTimeout(0); // a backup may take minutes
  });
  app.addHook('onSend', async ({ raw: { socket } }) => {
    if (!socket.destroyed) waiting.add(socket);
    socket.setTimeout(app.initialConfig.connectionTimeout!);
  });
  const forget = await listen(app, folder);
  return async () => {
    await forget();
    const closed = app.close();
    for (const socket of waiting) socket.destroySoon();
    const timer = setInterval(() => {
      for (const socket of waiting) socket.destroy();
    }, CLOSE_MS);
    await closed;
    clearInterval(timer);
  };
}

/**
 * Starts to listen on the socket of a folder.
 *
 * @returns Removes the socket from the folder.
 */
async function listen(app: FastifyInstance, folder: string): Promise<() => Promise<void>> {
  if (process.platform === 'win32') {
    await app.listen({ path: pipeName(folder) });
    return async () => {};
  }
  // Create the socket in a private folder; move it once other users cannot connect. The move replaces an old socket.
  const cradle = await mkdtemp(join(folder, '.admin-'));
  try {
    await withSocketPath(folder, join(basename(cradle), 's'), (path) => app.listen({ path }));
    await chmod(join(cradle, 's'), 0o600);
    await rename(join(cradle, 's'), join(folder, SOCKET_NAME));
  } catch (error) {
    await app.close();
    throw error;
  } finally {
    await rm(cradle, { recursive: true, force: true });
  }
  return () => rm(join(folder, SOCKET_NAME), { force: true });
}
