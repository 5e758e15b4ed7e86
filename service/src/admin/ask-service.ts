import { once } from 'node:events';
import { request as send, type IncomingMessage } from 'node:http';
import { connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { pipeName, SOCKET_NAME, withSocketPath } from '../dashboard/admin-socket-path.js';

/** Error for a command that cannot be carried out. The message is one line that gives the reason. */
export class AdminError extends Error {
  override readonly name = 'AdminError';
}

/** Error codes of `connect` if no service runs on the folder: there is no socket, or one that a dead service left. */
const NOBODY_THERE = new Set(['ENOENT', 'ECONNREFUSED', 'ENOTDIR', 'ENOTSOCK']);

/** A request to the admin API. */
export interface HttpRequest {
  readonly method: 'GET' | 'POST' | 'PATCH';
  /** Path with its query. */
  readonly url: string;
  readonly body?: object | undefined;
}

/** An answer of the admin API. */
export interface HttpAnswer {
  readonly status: number;
  /** JSON. */
  readonly body: string;
}

/**
 * Sends a request to the service that runs on a folder.
 *
 * @returns `null` if no service runs.
 * @throws {AdminError} If a service may run, but cannot be reached, or the connection breaks.
 */
export async function askService(folder: string, { method, url, body }: HttpRequest): Promise<HttpAnswer | null> {
  const socket = await dial(folder);
  if (!socket) return null;
  const headers = body === undefined ? {} : { 'content-type': 'application/json' };
  const request = send({ method, path: url, headers, createConnection: () => socket });
  request.on('error', () => {}); // after the answer, such as EPIPE for the rest of a body that was refused
  request.end(body === undefined ? undefined : JSON.stringify(body));
  try {
    const [response] = (await once(request, 'response')) as [IncomingMessage];
    return { status: response.statusCode!, body: await text(response) };
  } catch (error) {
    throw new AdminError(
      `The connection to the service broke: ${(error as Error).message}. Check whether the command took effect, then try again.`,
    );
  }
}

/** Connects to the service; returns `null` if there is none. */
async function dial(folder: string): Promise<Socket | null> {
  try {
    return process.platform === 'win32'
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
}

async function open(path: string): Promise<Socket> {
  const socket = connect(path);
  await once(socket, 'connect');
  return socket;
}
