import websocket from '@fastify/websocket';
import Fastify, { type FastifyBaseLogger, type FastifyInstance, type FastifyRequest } from 'fastify';
import { CloseCode } from '../../src/protocol/index.js';
import { addAuthentication, type Authenticator } from './api/authentication.js';
import { addErrors, addNotFound } from './api/errors.js';
import type { Avatars } from './avatar/avatars.js';
import { addAvatarRoutes } from './avatar/bundle-route.js';
import type { Clock } from './clock.js';
import type { Limits } from './limits.js';
import { addHealth } from './operations/health.js';
import { addHttpMetrics, addMetricsRoute } from './operations/http-metrics.js';
import { literalUrl } from './operations/literal-url.js';
import type { Metrics } from './operations/metrics.js';
import { addOpenApi } from './operations/openapi.js';
import { addRateLimit } from './operations/rate-limit.js';
import { trustedProxies } from './operations/trusted-proxies.js';
import { addRoomRoutes } from './room/room-route.js';
import type { RoomTokens } from './room/room-token.js';
import type { SessionTokens } from './session/session-token.js';
import { addSessionRoute } from './session/session-route.js';
import type { SocketLeases } from './session/socket-leases.js';
import type { SpeechEngine } from './speech/speech-engine.js';
import type { Database } from './store/database.js';
import { closeSocket } from './stream/close-socket.js';
import {
  addStreamRoute,
  chooseSubprotocol,
  STREAM_PATH,
  type OpenStreams,
  type StreamRouteOptions,
} from './stream/stream-route.js';

/** Longest parameter in a path: more than Node takes in a request's head, since Fastify's refusal would skip every hook. */
const PATH_PARAMETER_MAX = 65_536;

/** What the routes need. */
export interface AppOptions {
  readonly accounts: Authenticator;
  readonly avatars: Avatars;
  readonly clock: Clock;
  readonly database: Database;
  readonly engine: SpeechEngine;
  /** Name of this gateway, in responses. */
  readonly gateway: string;
  readonly isDraining: () => boolean;
  readonly leases: SocketLeases;
  readonly limits: Limits;
  readonly log: FastifyBaseLogger;
  /** Sockets that any account may have open; by default its plan says. */
  readonly maxConcurrentSessions: number | undefined;
  readonly metrics: Metrics;
  /** What is to be given by who reads the metrics, as a bearer token; nothing by default. */
  readonly metricsToken: string | undefined;
  readonly observe: StreamRouteOptions['observe'];
  /** Where clients reach the service, if it is not where they send the session call. */
  readonly publicUrl: URL | null;
  readonly report: (error: unknown) => void;
  readonly roomTokens: RoomTokens;
  readonly tokens: SessionTokens;
  /** Addresses and networks of proxies that are believed. */
  readonly trustProxy: readonly string[];
}

/** Builds the HTTP server with every route; it does not listen yet. */
export async function createApp(options: AppOptions): Promise<{ app: FastifyInstance; streams: OpenStreams }> {
  const { clock, limits, log, metrics, metricsToken, publicUrl, report } = options;
  const app = Fastify({
    bodyLimit: limits.bodyBytes,
    loggerInstance: log,
    rewriteUrl: literalUrl,
    routerOptions: { maxParamLength: PATH_PARAMETER_MAX },
    trustProxy: trustedProxies(options.trustProxy),
  });
  addHttpMetrics(app, metrics);
  await addOpenApi(app, { publicUrl });
  await addWebSockets(app, limits, clock);
  addErrors(app, report);
  await app.register(addApi, { ...options, prefix: '/api/v1' });
  const streams = addStreamRoute(app, options);
  addHealth(app, options);
  addMetricsRoute(app, metrics, metricsToken === undefined ? {} : { token: metricsToken });
  return { app, streams };
}

/** Everything below `/api/v1`: counted first, then asked for its key. */
async function addApi(app: FastifyInstance, options: AppOptions): Promise<void> {
  const { clock, database, limits, publicUrl, report } = options;
  await addRateLimit(app, { database, requestsPerMinute: limits.requestsPerMinute, clock, report });
  addAuthentication(app, options.accounts);
  addNotFound(app);
  addSessionRoute(app, { ...options, socketUrl: (request) => toSocketUrl(publicUrl ?? readHost(request)) });
  await addAvatarRoutes(app, options);
  await addRoomRoutes(app, options);
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

/** The address that the client used; with TLS only if a proxy that is believed says so, since we have none ourselves. */
function readHost(request: FastifyRequest): URL {
  const address = `${request.protocol}://${request.host}`;
  if (URL.canParse(address)) return new URL(address);
  throw Object.assign(new Error('The Host header is not a host.'), { statusCode: 400 });
}

function toSocketUrl(base: URL): URL {
  const url = new URL(base);
  url.protocol = base.protocol === 'https:' ? 'wss:' : 'ws:';
  url.pathname = base.pathname.replace(/\/$/, '') + STREAM_PATH;
  return url;
}
