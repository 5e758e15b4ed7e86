import type { FastifyInstance } from 'fastify';
import { CloseCode, PROTOCOL } from '../../../src/protocol/index.js';
import type { Clock } from '../clock.js';
import type { Limits } from '../limits.js';
import type { Accounts } from '../session/account.js';
import type { SessionTokens } from '../session/session-token.js';
import type { SocketLease, SocketLeases } from '../session/socket-lease.js';
import { queryMatches, type StreamSession } from '../session/stream-session.js';
import type { SpeechEngine } from '../speech/speech-engine.js';
import { closeSocket } from './close-socket.js';
import { serveStream } from './stream-socket.js';

/** Path of the socket. Not below `/api/v1`, where a key is needed: a browser cannot send one with a socket. */
export const STREAM_PATH = '/realtime/stream';

/** What the socket's route needs. */
export interface StreamRouteOptions {
  readonly accounts: Accounts;
  readonly tokens: SessionTokens;
  readonly leases: SocketLeases;
  readonly engine: SpeechEngine;
  readonly limits: Limits;
  readonly clock: Clock;
  readonly report: (error: unknown) => void;
}

/**
 * Adds the socket (interface-spec 4.2). Who is refused gets an open socket that is closed with the reason's code:
 * browsers do not show why an upgrade was refused.
 */
export function addStreamRoute(app: FastifyInstance, options: StreamRouteOptions): void {
  app.route({
    method: 'GET',
    url: STREAM_PATH,
    handler: async (_request, reply) =>
      reply.code(426).header('upgrade', 'websocket').send({ detail: 'This address is for WebSockets.' }),
    wsHandler: (socket, request) => {
      // Nothing is read until it is known who this is, so no message is lost, and none is kept for a stranger.
      socket.pause();
      const { searchParams } = new URL(request.url, 'ws://localhost');
      void admit(searchParams, options)
        .then((admission) => {
          if ('code' in admission) return closeSocket(socket, admission.code, admission.reason);
          const { lease, session } = admission;
          if (socket.readyState !== socket.OPEN) return lease.release();
          socket.on('close', () => lease.release());
          const voice = options.engine.voices.find(({ id }) => id === session.voice_id)!;
          serveStream({ ...options, socket, session, voice });
          socket.resume();
        })
        .catch((error: unknown) => {
          options.report(error);
          closeSocket(socket, CloseCode.engineFailed, 'The service failed: try again later.');
        });
    },
  });
}

/** The subprotocol of a socket: ours if the client offers it, else none. */
export function chooseSubprotocol(offered: Set<string>): string | false {
  return offered.has(PROTOCOL) ? PROTOCOL : false;
}

type Admission =
  | { readonly session: StreamSession; readonly lease: SocketLease }
  | { readonly code: number; readonly reason?: string };

async function admit(query: URLSearchParams, options: StreamRouteOptions): Promise<Admission> {
  const { accounts, engine, leases, tokens } = options;
  const claims = await tokens.accept(query.get('token') ?? '');
  if (!claims) return { code: CloseCode.tokenRefused };
  const { accountId, session } = claims;
  if (!queryMatches(query, session)) {
    return { code: CloseCode.tokenRefused, reason: 'The session URL was changed: open it as it was given.' };
  }
  const account = await accounts.find(accountId);
  if (!account) return { code: CloseCode.tokenRefused };
  if (!engine.available) return { code: CloseCode.engineFailed };
  const lease = await leases.acquire(account);
  return lease ? { session, lease } : { code: CloseCode.tooManySockets };
}
