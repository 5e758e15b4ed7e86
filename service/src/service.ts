import { randomBytes } from 'node:crypto';
import websocket from '@fastify/websocket';
import Fastify, { type FastifyInstance, type FastifyRequest } from 'fastify';
import { CloseCode } from '../../src/protocol/index.js';
import { systemClock, type Clock } from './clock.js';
import { LIMITS, type Limits } from './limits.js';
import { singleAccount } from './session/account.js';
import { addApi } from './session/session-route.js';
import { createSessionTokens } from './session/session-token.js';
import { createSocketLeases } from './session/socket-lease.js';
import { createFliteEngine } from './speech/flite-engine.js';
import type { SpeechEngine } from './speech/speech-engine.js';
import { closeSocket } from './stream/close-socket.js';
import { addStreamRoute, chooseSubprotocol, STREAM_PATH } from './stream/stream-route.js';

/** What {@link createService} can be told; everything has a default. */
export interface ServiceOptions {
  /** The API key that is accepted; a random one by default. */
  readonly apiKey?: string;
  /** Port to listen on, 0 for any that is free; 8787 by default. */
  readonly port?: number;
  /** Address to listen on; `127.0.0.1` by default. */
  readonly host?: string;
  /** Where clients reach the service, `http:` or `https:`, if it is not where they send the session call. */
  readonly publicUrl?: string;
  /** Lifetime of a session URL's token, in seconds; 30 by default. */
  readonly tokenSeconds?: number;
  /** Sockets that may be open at a time; 20 by default. */
  readonly maxConcurrentSessions?: number;
  /** Name of this gateway in responses. */
  readonly gateway?: string;
  /** The voices; flite by default. One given here is not closed with the service. */
  readonly engine?: SpeechEngine;
  /** Some limits to replace. */
  readonly limits?: Partial<Limits>;
  readonly clock?: Clock;
  /** Takes errors that are ours rather than a client's; by default they are written to stderr. */
  readonly report?: (error: unknown) => void;
}

/** A service that listens. */
export interface Service {
  /** Where it listens, without a slash at the end, such as `http://127.0.0.1:8787`. */
  readonly url: string;
  readonly port: number;
  /** The API key that is accepted. */
  readonly apiKey: string;
  /** Closes every socket with 1001, then stops. More than once is harmless. */
  close(): Promise<void>;
}

/**
 * Starts the speech service: `POST /api/v1/realtime/stream/session`, the socket it leads to, and `GET /healthz`.
 *
 * @returns When it listens and can speak.
 * @throws {Error} If the address cannot be listened on, the engine does not start, or `publicUrl` is not an address.
 */
export async function createService(options: ServiceOptions = {}): Promise<Service> {
  const { clock = systemClock, gateway = 'svc-service', host = '127.0.0.1', port = 8787 } = options;
  const { apiKey = randomBytes(24).toString('base64url'), maxConcurrentSessions = 20, tokenSeconds = 30 } = options;
  const { report = (error: unknown) => console.error(error) } = options;
  const limits = { ...LIMITS, ...options.limits };
  const publicUrl = options.publicUrl === undefined ? null : new URL(options.publicUrl);
  const engine = options.engine ?? (await createFliteEngine({ clock }));
  const accounts = singleAccount({ id: 'owner', maxConcurrentSessions }, apiKey);
  const tokens = createSessionTokens(tokenSeconds, clock);
  const app = Fastify({ bodyLimit: limits.bodyBytes });

  await addWebSockets(app, limits, clock);
  addBodyAndErrors(app, report);
  const socketUrl = (request: FastifyRequest): URL => toSocketUrl(publicUrl ?? readHost(request));
  await app.register(addApi, { prefix: '/api/v1', accounts, tokens, engine, limits, gateway, socketUrl });
  addStreamRoute(app, { accounts, tokens, leases: createSocketLeases(), engine, limits, clock, report });
  app.get('/healthz', async (_request, reply) =>
    engine.available ? { status: 'ok' } : reply.code(503).send({ status: 'the speech engine is down' }),
  );

  let closing: Promise<void> | undefined;
  const close = (): Promise<void> =>
    (closing ??= app.close().then(async () => {
      if (!options.engine) await engine.close();
    }));
  try {
    const url = await app.listen({ port, host });
    return { url, port: Number(new URL(url).port), apiKey, close };
  } catch (error) {
    await close();
    throw error;
  }
}

async function addWebSockets(app: FastifyInstance, limits: Limits, clock: Clock): Promise<void> {
  await app.register(websocket, {
    options: {
      perMessageDeflate: false,
      maxPayload: limits.messageBytes,
      handleProtocols: chooseSubprotocol,
    },
    // A broken or too large message: the socket closes by itself, with the code for it. Ending it here would lose that.
    errorHandler: () => {},
    preClose(done) {
      const { clients } = app.websocketServer;
      for (const socket of clients) closeSocket(socket, CloseCode.draining);
      clock.after(limits.closeMs, () => {
        for (const socket of clients) socket.terminate();
      });
      done();
    },
  });
}

/** Every answer that is not 200 has a body `{detail}`; a body that is empty is the same as none. */
function addBodyAndErrors(app: FastifyInstance, report: (error: unknown) => void): void {
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (_request, body, done) => {
    try {
      done(null, body === '' ? undefined : JSON.parse(body as string));
    } catch {
      done(Object.assign(new Error('The body is not JSON.'), { statusCode: 400 }));
    }
  });
  app.setErrorHandler(async (error: Error & { statusCode?: number }, _request, reply) => {
    const status = error.statusCode ?? 500;
    if (status >= 500) report(error);
    return reply.code(status).send({ detail: status >= 500 ? 'The service failed.' : error.message });
  });
  app.setNotFoundHandler(async (_request, reply) => reply.code(404).send({ detail: 'There is nothing here.' }));
}

/** The address that the client used; without TLS, since we have none ourselves. */
function readHost(request: FastifyRequest): URL {
  const address = `http://${request.host}`;
  if (URL.canParse(address)) return new URL(address);
  throw Object.assign(new Error('The Host header is not a host.'), { statusCode: 400 });
}

function toSocketUrl(base: URL): URL {
  const url = new URL(base);
  url.protocol = base.protocol === 'https:' ? 'wss:' : 'ws:';
  url.pathname = base.pathname.replace(/\/$/, '') + STREAM_PATH;
  return url;
}
