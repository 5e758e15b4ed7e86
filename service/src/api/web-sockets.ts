import websocket from '@fastify/websocket';
import type { FastifyInstance } from 'fastify';
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Socket } from 'node:net';
import { PROTOCOL } from '../../../src/protocol/index.js';
import type { Clock } from '../clock.js';
import type { Limits } from '../limits.js';

/** Placeholder base for a URL that is only a path. */
const BASE = 'ws://localhost';

/** Option of ws that accepts or refuses an upgrade. Without it, the plugin accepts any path, then closes the socket. */
type VerifyClient = (
  info: { readonly req: IncomingMessage },
  answer: (goesOn: boolean, status?: number, body?: string, headers?: Record<string, string>) => void,
) => void;

/**
 * Lets the route at `path` accept WebSockets, and ends connections that would stay open for nothing: an upgrade that is
 * refused before it reaches a route, a client that starts to close and does not finish, and any connection still open
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
    closeTimeout: limits.closeMs, // missing in the types of ws
  };
  await app.register(websocket, {
    options,
    // Called for an invalid or too large message. The socket closes itself with the right code; do not end it here.
    errorHandler: () => {},
    // The server waits for every connection to end. By now its WebSockets are closed.
    preClose(done) {
      clock.after(limits.closeMs, () => {
        for (const connection of connections) connection.destroy();
      });
      done();
    },
  });
  // Nothing else watches a connection between the upgrade request and its WebSocket, which removes this timeout.
  app.server.prependListener('upgrade', (_request, connection: Duplex) => {
    (connection as Socket).setTimeout(limits.requestMs, () => connection.destroy());
  });
}

/** The subprotocol of a socket: ours if the client offers it, else none. */
function chooseSubprotocol(offered: Set<string>): string | false {
  return offered.has(PROTOCOL) ? PROTOCOL : false;
}
