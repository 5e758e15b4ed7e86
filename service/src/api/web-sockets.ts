import websocket from '@fastify/websocket';
import type { FastifyInstance } from 'fastify';
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Socket } from 'node:net';
import { PROTOCOL } from '../../../src/protocol/index.js';
import type { Clock } from '../clock.js';
import type { Limits } from '../limits.js';

/** Any address, for a URL that is only a path. */
const BASE = 'ws://localhost';

/** Accepts or refuses an upgrade, as ws calls it. Without it the plugin accepts any path, and closes the socket then. */
type VerifyClient = (
  info: { readonly req: IncomingMessage },
  answer: (goesOn: boolean, status?: number, body?: string, headers?: Record<string, string>) => void,
) => void;

/**
 * Lets the route at `path` take sockets, and ends connections that would stay open for nothing: an upgrade that is
 * refused before it reaches a route, a client that starts to close and does not finish, and whatever is still open
 * `closeMs` after the server began to close.
 */
export async function addWebSockets(
  app: FastifyInstance,
  { path, limits, clock }: { readonly path: string; readonly limits: Limits; readonly clock: Clock },
): Promise<void> {
  const connections = new Set<Socket>();
  app.server.on('connection', (connection) => {
    connections.add(connection);
    connection.on('close', () => connections.delete(connection));
  });
  const verifyClient: VerifyClient = ({ req }, answer) => {
    const { pathname } = URL.canParse(req.url ?? '', BASE) ? new URL(req.url ?? '', BASE) : { pathname: null };
    if (pathname === path) return answer(true);
    answer(false, 404, JSON.stringify({ detail: 'There is no socket here.' }), { 'Content-Type': 'application/json' });
  };
  const options = {
    verifyClient,
    perMessageDeflate: false,
    maxPayload: limits.messageBytes,
    handleProtocols: chooseSubprotocol,
    closeTimeout: limits.closeMs, // newer than its types
  };
  await app.register(websocket, {
    options,
    // A broken or too large message: the socket closes by itself, with the code for it. Ending it here would lose that.
    errorHandler: () => {},
    // The server waits for every connection. Its sockets are closed by now.
    preClose(done) {
      clock.after(limits.closeMs, () => {
        for (const connection of connections) connection.destroy();
      });
      done();
    },
  });
  // Nobody looks after a connection between its upgrade and its socket, which takes this limit away again.
  app.server.prependListener('upgrade', (_request, connection: Duplex) => {
    (connection as Socket).setTimeout(limits.requestMs, () => connection.destroy());
  });
}

/** The subprotocol of a socket: ours if the client offers it, else none. */
function chooseSubprotocol(offered: Set<string>): string | false {
  return offered.has(PROTOCOL) ? PROTOCOL : false;
}
