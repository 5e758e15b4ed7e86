import { isIP } from 'node:net';
import { describeBadToken } from './settings/admin-token.js';
import { LOG_LEVELS, type LogLevel } from './telemetry/log.js';
import { readNetworks } from './clients/networks.js';
import { readCommandOptions } from './settings/command-options.js';
import { defined, readChoice, readInteger, readUrl, type Environment } from './settings/read-values.js';
import { SettingsError } from './settings/settings-error.js';
import { readSpeech } from './settings/speech-settings.js';
import { readStore, STORE_OPTION_KINDS } from './settings/store-settings.js';
import type { SpeechSettings } from './speech/create-speech-engine.js';
import type { StoreOptions } from './store/open-database.js';

export { SettingsError } from './settings/settings-error.js';

/** Settings of `svc-service start`. `createService` has the defaults of absent ones. */
export interface Settings extends StoreOptions {
  /** API keys of the user `owner`. Secret. */
  readonly apiKey?: readonly string[];
  /** Enables the dashboard and the admin API. Secret. */
  readonly adminToken?: string;
  readonly port?: number;
  readonly host?: string;
  readonly publicUrl?: string;
  /** Addresses and networks of trusted proxies. */
  readonly trustProxy?: readonly string[];
  /** Key that signs room tokens. `secret` is secret. */
  readonly livekit?: { readonly key: string; readonly secret: string };
  readonly maxConcurrentSessions?: number;
  readonly maxSockets?: number;
  readonly maxSocketsPerAccount?: number;
  /** Addresses and networks of clients that are exempt from the rate limit. */
  readonly rateLimitExempt?: readonly string[];
  readonly limits?: { readonly idleMs?: number; readonly requestsPerMinute?: number };
  readonly tokenSeconds?: number;
  readonly logLevel?: LogLevel;
  /** Bearer token for reading the metrics. Secret. */
  readonly metricsToken?: string;
  readonly nodeName?: string;
  /** Address that traces are sent to. */
  readonly tracesUrl?: string;
  readonly speech?: SpeechSettings;
}

/** Shortest secret that LiveKit servers accept without a warning, in characters. */
const LIVEKIT_SECRET_CHARACTERS = 32;

/**
 * Reads the settings of `svc-service start`. The command line takes precedence over the environment. Empty variables
 * count as absent.
 *
 * @param args - Arguments without the program's name; the first may be `start`.
 * @returns `null` if help is asked for.
 * @throws {SettingsError} If a setting is invalid. The message shows no secret.
 */
export function readSettings(args: readonly string[], environment: Environment): Settings | null {
  const { values, words, help } = readCommandOptions(args[0] === 'start' ? args.slice(1) : args, {
    ...STORE_OPTION_KINDS,
    port: 'string',
    host: 'string',
  });
  if (help) return null;
  if (words.length > 0) throw new SettingsError(`${words[0]} is not known; svc-service --help shows what is.`);
  const number = (name: string, most: number): number | undefined => readInteger(name, environment[name], 1, most);
  return defined<Settings>({
    ...readStore(values, environment),
    apiKey: readApiKeys(environment.SVC_API_KEY),
    adminToken: readAdminToken(environment.SVC_ADMIN_TOKEN),
    port: readPort('--port', values.port) ?? readInteger('SVC_PORT', environment.SVC_PORT, 0, 65535),
    host: readHost('--host', values.host) ?? readHost('SVC_HOST', environment.SVC_HOST || undefined),
    publicUrl: readUrl('SVC_PUBLIC_URL', environment.SVC_PUBLIC_URL),
    trustProxy: readAddresses('SVC_TRUST_PROXY', environment.SVC_TRUST_PROXY),
    livekit: readLivekit(environment.SVC_LIVEKIT_KEY, environment.SVC_LIVEKIT_SECRET),
    databaseConnections: number('SVC_DATABASE_CONNECTIONS', 1000),
    maxConcurrentSessions: number('SVC_MAX_CONCURRENT_SESSIONS', 1_000_000),
    maxSockets: number('SVC_MAX_SOCKETS', 1_000_000),
    maxSocketsPerAccount: number('SVC_MAX_SOCKETS_PER_ACCOUNT', 1_000_000),
    rateLimitExempt: readAddresses('SVC_RATE_LIMIT_EXEMPT', environment.SVC_RATE_LIMIT_EXEMPT),
    limits: readLimits(number('SVC_IDLE_SECONDS', 86_400), number('SVC_REQUESTS_PER_MINUTE', 1_000_000)),
    tokenSeconds: number('SVC_TOKEN_SECONDS', 3600),
    logLevel: readChoice('SVC_LOG_LEVEL', environment.SVC_LOG_LEVEL, LOG_LEVELS),
    metricsToken: readToken('SVC_METRICS_TOKEN', environment.SVC_METRICS_TOKEN),
    nodeName: readNodeName(environment.SVC_NODE_NAME),
    speech: readSpeech(environment),
    tracesUrl: readTracesUrl(environment),
  });
}

/** Reads a port. On the command line, an empty value is an error, not absent. */
function readPort(name: string, text: string | undefined): number | undefined {
  return text === '' ? readInteger(name, 'nothing', 0, 65535) : readInteger(name, text, 0, 65535);
}

function readHost(name: string, text: string | undefined): string | undefined {
  if (text === undefined || isIP(text) || /^[A-Za-z0-9_.-]+$/.test(text)) return text;
  throw new SettingsError(`${name} must be an address or a name of this machine, without a port.`);
}

function readToken(name: string, text: string | undefined): string | undefined {
  if (!text) return undefined;
  // Other characters do not arrive in a header unchanged, so no call would ever match.
  if (/^[!-~]{1,512}$/.test(text)) return text;
  throw new SettingsError(`${name} must be 1 to 512 letters, digits and signs of ASCII, without spaces.`);
}

function readApiKeys(text: string | undefined): readonly string[] | undefined {
  const keys = text?.split(',').flatMap((key) => readToken('SVC_API_KEY', key.trim()) ?? []) ?? [];
  return keys.length > 0 ? keys : undefined;
}

function readAdminToken(text: string | undefined): string | undefined {
  const token = readToken('SVC_ADMIN_TOKEN', text);
  const problem = token === undefined ? null : describeBadToken('SVC_ADMIN_TOKEN', token);
  if (problem !== null) throw new SettingsError(problem);
  return token;
}

function readAddresses(name: string, text: string | undefined): readonly string[] | undefined {
  if (!text) return undefined;
  try {
    return readNetworks(name, text);
  } catch (error) {
    throw new SettingsError((error as Error).message);
  }
}

function readLimits(idleSeconds: number | undefined, requestsPerMinute: number | undefined): Settings['limits'] {
  const limits = defined<NonNullable<Settings['limits']>>({
    idleMs: idleSeconds === undefined ? undefined : idleSeconds * 1000,
    requestsPerMinute,
  });
  return Object.keys(limits).length > 0 ? limits : undefined;
}

function readLivekit(key: string | undefined, secret: string | undefined): Settings['livekit'] {
  if (!key && !secret) return undefined;
  if (!key || !secret) {
    throw new SettingsError(
      `${key ? 'SVC_LIVEKIT_SECRET' : 'SVC_LIVEKIT_KEY'} is missing: set both or neither of SVC_LIVEKIT_KEY and _SECRET.`,
    );
  }
  if (secret.length < LIVEKIT_SECRET_CHARACTERS) {
    throw new SettingsError(
      `SVC_LIVEKIT_SECRET must have at least ${LIVEKIT_SECRET_CHARACTERS} characters, as LiveKit's own: openssl rand -hex 32.`,
    );
  }
  return { key, secret };
}

function readNodeName(text: string | undefined): string | undefined {
  if (!text || /^[A-Za-z0-9_.-]{1,128}$/.test(text)) return text || undefined;
  throw new SettingsError('SVC_NODE_NAME must be 1 to 128 letters, digits, dots, - or _.');
}

/** Reads the variables of OpenTelemetry. The variable for all signals enables traces and is a base address. */
function readTracesUrl(environment: Environment): string | undefined {
  const base = readUrl('OTEL_EXPORTER_OTLP_ENDPOINT', environment.OTEL_EXPORTER_OTLP_ENDPOINT);
  const own = readUrl('OTEL_EXPORTER_OTLP_TRACES_ENDPOINT', environment.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT);
  return base && (own ?? `${base.replace(/\/$/, '')}/v1/traces`);
}
