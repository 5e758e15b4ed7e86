import { randomBytes } from 'node:crypto';
import { hostname } from 'node:os';
import type { FastifyBaseLogger } from 'fastify';
import { createAccounts } from './account/accounts.js';
import { checkApiKeys } from './account/api-key.js';
import { bootstrap } from './account/bootstrap.js';
import { createApp } from './app.js';
import { PURGE_IDEMPOTENCY_KEYS } from './account/idempotency.js';
import { PURGE_LEDGER } from './account/ledger.js';
import { createAvatars } from './avatar/avatars.js';
import { seedDemoAvatar } from './avatar/seed-demo-avatar.js';
import { systemClock, type Clock } from './clock.js';
import { PURGE_ADMIN_SESSIONS } from './dashboard/admin-sessions.js';
import { listenInFolder } from './dashboard/admin-socket.js';
import { PURGE_AUDIT } from './dashboard/audit.js';
import { describeBadToken } from './settings/admin-token.js';
import { LIMITS, type Limits } from './limits.js';
import { combineObservers } from './telemetry/combined-observer.js';
import { createLogger, type LogLevel } from './telemetry/log.js';
import { createMetrics } from './telemetry/metrics.js';
import { isLoopback } from './clients/networks.js';
import { PURGE_RATE_WINDOWS } from './clients/rate-windows.js';
import { createSessionLog } from './telemetry/session-log.js';
import type { Tracing, TracingOptions } from './telemetry/start-tracing.js';
import { watchDatabase } from './telemetry/watched-database.js';
import { roomSigningKey, type RoomSigningKey } from './room/room-signing-key.js';
import { PURGE_ROOMS } from './room/rooms.js';
import { LeaseStore } from './session/lease-store.js';
import { createSessionTokens } from './session/session-token.js';
import { HEARTBEATS_PER_LEASE, SocketLeases } from './session/socket-leases.js';
import { PURGE_USED_TOKENS } from './session/used-tokens.js';
import { createSpeechEngine, type SpeechSettings } from './speech/create-speech-engine.js';
import type { SpeechEngine } from './speech/speech-engine.js';
import type { Database } from './store/database.js';
import { openDatabase, type StoreOptions } from './store/open-database.js';
import { startPurges } from './store/purge.js';
import { openRotatingSecret } from './store/rotating-secret.js';
import { PURGE_SECRETS } from './store/secret-versions.js';
import type { OpenStreams } from './stream/stream-route.js';

/** Statements that delete rows that are no longer needed. Each folder declares its own. */
const PURGES = [
  PURGE_ADMIN_SESSIONS,
  PURGE_AUDIT,
  PURGE_IDEMPOTENCY_KEYS,
  PURGE_LEDGER,
  PURGE_RATE_WINDOWS,
  PURGE_ROOMS,
  PURGE_SECRETS,
  PURGE_USED_TOKENS,
];

/** Options of {@link createService}; all are optional. */
export interface ServiceOptions extends StoreOptions {
  /**
   * API keys of the user `owner`, each of at least 32 characters, except on a loopback `host` without a `publicUrl`. If
   * none is given and the store has no usable one, one is made.
   */
  readonly apiKey?: string | readonly string[];
  /** Enables the dashboard and the admin API under `/admin`: at least 32 characters. Both are off by default. */
  readonly adminToken?: string;
  /** Port to listen on, 0 for any free one; 8787 by default. */
  readonly port?: number;
  /** Address to listen on; `127.0.0.1` by default. */
  readonly host?: string;
  /** Address at which clients reach the service, `http:` or `https:`, if it differs from that of the session call. */
  readonly publicUrl?: string;
  /** Addresses and networks of proxies whose `X-Forwarded-*` headers are trusted; none by default. */
  readonly trustProxy?: readonly string[];
  /** Addresses and networks of clients exempt from the rate limit, such as your own backends; none by default. */
  readonly rateLimitExempt?: readonly string[];
  /** Lifetime of a session URL's token, in seconds; 30 by default. */
  readonly tokenSeconds?: number;
  /** Maximum number of open sockets on this node; no limit by default. */
  readonly maxSockets?: number;
  /** Maximum number of open sockets of an account, with a slot or without; 4 per slot by default. */
  readonly maxSocketsPerAccount?: number;
  /** Slots of an account: sockets that may speak at the same time; its plan sets them by default. */
  readonly maxConcurrentSessions?: number;
  /** Name of this gateway in responses. */
  readonly gateway?: string;
  /** Name of this node in the ledger; the host name and 6 random hex digits by default. */
  readonly nodeName?: string;
  /** Key that signs room tokens; by default, one is made and kept in the store. */
  readonly livekit?: RoomSigningKey;
  /** The store, instead of opening one. A store given here is not closed with the service. */
  readonly database?: Database;
  /** Speech engine and its voices; flite's by default. */
  readonly speech?: SpeechSettings;
  /** The engine, instead of the one of `speech`. An engine given here is not closed with the service. */
  readonly engine?: SpeechEngine;
  /** Limits that replace the default ones. */
  readonly limits?: Partial<Limits>;
  readonly clock?: Clock;
  /** Minimum level of log lines, written as JSON to stderr; `warn` by default. */
  readonly logLevel?: LogLevel;
  /** Bearer token for `GET /metrics`; without one, only this machine may read them. */
  readonly metricsToken?: string;
  /** Address that OpenTelemetry traces are sent to (OTLP/HTTP); without one, nothing is traced. */
  readonly tracesUrl?: string;
  /** Receives errors of the service, as opposed to errors of a client; by default they are logged. */
  readonly report?: (error: unknown) => void;
}

/** A running service. */
export interface Service {
  /** Address of the service, without a slash at the end, such as `http://127.0.0.1:8787`. */
  readonly url: string;
  readonly port: number;
  /** The first API key given, or the one made; `null` if neither, because the store already has keys. */
  readonly apiKey: string | null;
  /** True if the key was made. It cannot be shown later. */
  readonly apiKeyWasMade: boolean;
  /**
   * Accepts no more sockets and sessions, lets contexts that have begun finish within 30 s, and closes each socket with
   * 1001 once it has none left. Then calls `close`.
   */
  drain(): Promise<void>;
  /** Closes every socket with 1001, writes the last charges, then stops. Further calls have no effect. */
  close(): Promise<void>;
}

/**
 * Starts the speech service: every route of the specification, the socket, and `GET /healthz`.
 *
 * @returns Resolves once the service listens and can speak.
 * @throws {Error} If it cannot listen on the address, the store cannot be opened, the engine does not start, or
 *   `publicUrl` is not an address; the message says which.
 */
export async function createService(options: ServiceOptions = {}): Promise<Service> {
  const { clock = systemClock, host = '127.0.0.1', port = 8787 } = options;
  const apiKeys = [options.apiKey ?? []].flat();
  checkApiKeys(apiKeys, isLoopback(host) && options.publicUrl === undefined);
  const badToken = options.adminToken === undefined ? null : describeBadToken('adminToken', options.adminToken);
  if (badToken !== null) throw new TypeError(badToken);
  const secrets = [
    ...apiKeys,
    options.adminToken,
    options.livekit?.secret,
    options.metricsToken,
    options.speech?.key,
  ].filter((secret) => secret !== undefined);
  const log = createLogger({ level: options.logLevel ?? 'warn', secrets });
  const { report = (error: unknown) => log.error({ err: error }, 'The service failed.') } = options;
  const limits = { ...LIMITS, ...options.limits };
  /** Functions that close the started parts, called in reverse order. */
  const closers: (() => Promise<void>)[] = [];
  let closing: Promise<void> | undefined;
  const close = (): Promise<void> => (closing ??= closeAll(closers));
  let drained: Promise<void> | undefined;
  const drain = async (streams: OpenStreams): Promise<void> => {
    const timeUp = new AbortController();
    const cancel = clock.after(limits.drainMs, () => timeUp.abort());
    await streams.drain(timeUp.signal);
    cancel();
    await close();
  };

  try {
    const publicUrl = options.publicUrl === undefined ? null : readPublicUrl(options.publicUrl);
    const node = options.nodeName ?? `${hostname()}-${randomBytes(3).toString('hex')}`;
    const tracing = await loadTracing(options.tracesUrl, { node, clock, log });
    closers.push(async () => tracing?.close(AbortSignal.timeout(limits.closeMs)));
    const store = options.database ?? (await openDatabase(options));
    if (!options.database) closers.push(() => store.close());
    const engine =
      options.engine ??
      (await createSpeechEngine({
        ...options.speech,
        onAvailable: logEngine(log),
        onFallback: (from, to) => log.warn({ from, to }, 'Another speech engine speaks.'),
      }));
    if (!options.engine) closers.push(() => engine.close());
    const metrics = createMetrics({ engine });
    const database = watchDatabase(store, () => metrics.databaseFailed());
    await seedDemoAvatar(database);
    const leases = new SocketLeases({
      store: new LeaseStore(
        database,
        HEARTBEATS_PER_LEASE * limits.heartbeatMs,
        options.maxConcurrentSessions,
        options.maxSocketsPerAccount,
      ),
      clock,
      heartbeatMs: limits.heartbeatMs,
      graceMs: limits.slotGraceMs,
      node,
      report,
      onSettled(durationMs, chargedMs) {
        metrics.heartbeat(durationMs);
        metrics.metered(chargedMs);
      },
      onFailed: () => metrics.heartbeatFailed(),
    });
    closers.push(startPurges({ database, statements: PURGES, clock, report }));
    // Waits for the last charges to be written, but not longer than `closeMs` for an unreachable database.
    closers.push(() => leases.close(AbortSignal.timeout(limits.closeMs)));
    if (options.dataDir !== undefined && !options.databaseUrl && !options.database) {
      closers.push(await listenInFolder(options.dataDir, { database, log, livekitKey: options.livekit?.key, report }));
    }
    const { app, streams } = await createApp({
      accounts: createAccounts(database),
      adminToken: options.adminToken,
      avatars: createAvatars(database),
      clock,
      database,
      engine,
      gateway: options.gateway ?? 'svc-service',
      isDraining: () => drained !== undefined,
      leases,
      limits,
      maxConcurrentSessions: options.maxConcurrentSessions,
      maxSockets: options.maxSockets,
      log,
      metrics,
      metricsToken: options.metricsToken,
      observe: (socket) => {
        const observers = [metrics, createSessionLog(log, socket)];
        return combineObservers(...observers, ...(tracing && socket ? [tracing.observe(socket)] : []));
      },
      publicUrl,
      rateLimitExempt: options.rateLimitExempt ?? [],
      report,
      roomKey: await roomSigningKey(() => openRotatingSecret(database, 'room-token', clock), options.livekit),
      tokens: createSessionTokens(
        options.tokenSeconds ?? 30,
        clock,
        database,
        await openRotatingSecret(database, 'session-token', clock),
      ),
      tracing,
      trustProxy: options.trustProxy ?? [],
    });
    closers.push(async () => {
      await streams.close();
      await app.close();
    });
    const url = await app.listen({ port, host }).catch((error: unknown) => refuseAddress(error, host, port));
    // Last, because a new key is shown only once: a start that fails must not make one.
    const madeKey = await bootstrap(database, apiKeys);
    return {
      url,
      port: Number(new URL(url).port),
      apiKey: apiKeys[0] ?? madeKey,
      apiKeyWasMade: madeKey !== null,
      drain: () => (drained ??= drain(streams)),
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Reason and advice for a server that cannot listen, by the code of Node's error. */
const LISTEN_ADVICE: Readonly<Record<string, string>> = {
  EADDRINUSE:
    'it is in use. End the program that listens there, or choose another port (--port, SVC_PORT; 0 takes any)',
  EACCES: 'this user may not use it. Choose a port above 1023 (--port, SVC_PORT)',
  EADDRNOTAVAIL: 'this machine does not have the address. Choose another one (--host, SVC_HOST)',
  ENOTFOUND: 'no such host is known. Choose another one (--host, SVC_HOST)',
};

function refuseAddress(error: unknown, host: string, port: number): never {
  const { code = '' } = error as NodeJS.ErrnoException;
  const advice = LISTEN_ADVICE[code];
  if (advice === undefined) throw error;
  throw new Error(`Cannot listen on port ${port} of ${host}: ${advice}. (${code})`, { cause: error });
}

function readPublicUrl(text: string): URL {
  if (URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)) return new URL(text);
  throw new TypeError('publicUrl must be an http: or https: address.');
}

/** Loads OpenTelemetry only if it is used, because it takes memory. */
async function loadTracing(
  url: string | undefined,
  options: Omit<TracingOptions, 'url'>,
): Promise<Tracing | undefined> {
  if (url === undefined) return undefined;
  const { startTracing } = await import('./telemetry/start-tracing.js');
  return startTracing({ ...options, url });
}

/** Calls all functions in reverse order, even if one fails. Throws the first error. */
async function closeAll(closers: readonly (() => Promise<void>)[]): Promise<void> {
  const errors: unknown[] = [];
  for (const close of [...closers].reverse()) await close().catch((error: unknown) => errors.push(error));
  if (errors.length > 0) throw errors[0];
}

/** Logs when an external speech server goes down, and when it is back. */
function logEngine(log: FastifyBaseLogger): NonNullable<SpeechSettings['onAvailable']> {
  return (available, why) => {
    if (available) log.info('The speech engine is available again.');
    else log.warn({ why }, 'The speech engine is down.');
  };
}
