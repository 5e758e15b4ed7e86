import Fastify, { type FastifyBaseLogger, type FastifyInstance } from 'fastify';
import { addAuthentication, type Authenticator } from './api/authentication.js';
import { addErrors, addNotFound, answerMalformed } from './api/errors.js';
import { addWebSockets } from './api/web-sockets.js';
import type { Avatars } from './avatar/avatars.js';
import { addAvatarRoutes } from './avatar/bundle-route.js';
import type { Clock } from './clock.js';
import { addDashboard } from './dashboard/add-dashboard.js';
import type { Limits } from './limits.js';
import { addHealth } from './telemetry/health.js';
import { addHttpMetrics, addMetricsRoute } from './telemetry/http-metrics.js';
import { literalUrl } from './api/literal-url.js';
import type { Metrics } from './telemetry/metrics.js';
import { readNetworks } from './clients/networks.js';
import { addOpenApi } from './api/openapi.js';
import { createRateLimit, type RateLimit } from './clients/rate-limit.js';
import type { Tracing } from './telemetry/start-tracing.js';
import { addRoomRoutes } from './room/room-route.js';
import type { RoomSigningKey } from './room/room-signing-key.js';
import type { SessionTokens } from './session/session-token.js';
import { addSessionRoute, SESSION_PATH } from './session/session-route.js';
import type { SocketLeases } from './session/socket-leases.js';
import type { SpeechEngine } from './speech/speech-engine.js';
import type { Database } from './store/database.js';
import { socketUrlFor } from './stream/socket-url.js';
import { addStreamRoute, STREAM_PATH, type OpenStreams, type StreamRouteOptions } from './stream/stream-route.js';

/**
 * Maximum length of a path parameter. Longer than a request's head may be: Fastify's own refusal would skip all hooks.
 */
const PATH_PARAMETER_MAX = 65_536;

/** Path of the API. */
const API_PREFIX = '/api/v1';

/** Options of {@link createApp}. */
export interface AppOptions {
  readonly accounts: Authenticator;
  /** Enables the dashboard and the admin API. */
  readonly adminToken: string | undefined;
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
  /** Slots of every account; its plan sets them by default. */
  readonly maxConcurrentSessions: number | undefined;
  /** Maximum number of open sockets on this node; no limit by default. */
  readonly maxSockets: number | undefined;
  readonly metrics: Metrics;
  /** Bearer token for reading the metrics; without one, only this machine may read them. */
  readonly metricsToken: string | undefined;
  readonly observe: StreamRouteOptions['observe'];
  /** Address at which clients reach the service, if it differs from the one of the session call. */
  readonly publicUrl: URL | null;
  /** Addresses and networks of clients that are exempt from the rate limit. */
  readonly rateLimitExempt: readonly string[];
  readonly report: (error: unknown) => void;
  /** Returns the key that signs room tokens now. */
  readonly roomKey: () => Promise<RoomSigningKey>;
  readonly tokens: SessionTokens;
  /** Traces session calls and sockets; nothing is traced by default. */
  readonly tracing: Tracing | undefined;
  /** Addresses and networks of trusted proxies. */
  readonly trustProxy: readonly string[];
}

/** Builds the HTTP server with every route; it does not listen yet. */
export async function createApp(options: AppOptions): Promise<{ app: FastifyInstance; streams: OpenStreams }> {
  const { clock, limits, log, metrics, metricsToken, publicUrl, report } = options;
  const app = Fastify({
    // A body has types of its own, and is refused instead of changed. `addErrors` reads the numbers of a query string.
    ajv: { customOptions: { coerceTypes: false, removeAdditional: false } },
    bodyLimit: limits.bodyBytes,
    clientErrorHandler: answerMalformed,
    loggerInstance: log,
    requestTimeout: limits.requestMs,
    rewriteUrl: literalUrl,
    routerOptions: { maxParamLength: PATH_PARAMETER_MAX },
    // In a chain of proxies, the client is the first address from the right that is not on the list.
    trustProxy: options.trustProxy.length > 0 ? readNetworks('trustProxy', options.trustProxy) : false,
  });
  addHttpMetrics(app, metrics);
  options.tracing?.addCallSpans(app, `${API_PREFIX}${SESSION_PATH}`);
  await addOpenApi(app, { publicUrl, hasAdmin: options.adminToken !== undefined });
  await addWebSockets(app, { path: STREAM_PATH, limits, clock });
  addErrors(app, report);
  const rateLimit = await createRateLimit(app, {
    database: options.database,
    requestsPerMinute: limits.requestsPerMinute,
    exempt: options.rateLimitExempt,
    countingMs: limits.countingMs,
    clock,
    report,
  });
  await app.register(addApi, { ...options, rateLimit, prefix: API_PREFIX });
  const { adminToken } = options;
  if (adminToken !== undefined) await app.register(addDashboard, { ...options, adminToken, prefix: '/admin' });
  const streams = addStreamRoute(app, { ...options, rateLimit });
  addHealth(app, options);
  addMetricsRoute(app, metrics, { publicUrl, ...(metricsToken === undefined ? {} : { token: metricsToken }) });
  return { app, streams };
}

/** Adds everything below `/api/v1`. A request is first counted, then authenticated. */
async function addApi(app: FastifyInstance, options: AppOptions & { readonly rateLimit: RateLimit }): Promise<void> {
  const { publicUrl, rateLimit, tracing } = options;
  app.addHook('onRequest', rateLimit);
  addAuthentication(app, options.accounts);
  addNotFound(app);
  addSessionRoute(app, {
    ...options,
    socketUrl: (request) => socketUrlFor(request, publicUrl),
    traceparentOf: (request) => tracing?.traceparentOf(request),
  });
  await addAvatarRoutes(app, options);
  await addRoomRoutes(app, options);
}
