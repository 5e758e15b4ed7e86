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

/** Tells whether an upgrade may go on: the plugin would accept one on any route, and close it then. */
type VerifyClient = (
  info: { readonly req: IncomingMessage },
  answer: (goesOn: boolean, status?: number, body?: string, headers?: Record<string, string>) => void,
) => void;

/**
 * Lets the route at `path` take sockets, and sees to it that no connection stays that is of no use: one whose upgrade is refused before
 * it gets to a route, one whose client says that it closes and does not, and any that is left when the server has been
 * closing for a while.
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
    // The server waits for every connection; whoever closes it has closed the sockets.
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
