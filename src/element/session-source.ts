import { type PlayableSession, type SessionReason, SpeakerError } from '../playback/index.js';
import {
  describeFieldErrors,
  parseSessionResponse,
  type Parsed,
  PROTOCOL,
  SESSION_DEFAULTS,
  type SessionRequest,
  type SessionResponse,
  sessionFromUrl,
} from '../protocol/index.js';

/**
 * Fetches a session when a socket is needed: the token in its URL lives about thirty seconds.
 *
 * @param request - `signal` is aborted when the session is not wanted any more.
 * @returns The service's answer, or just its URL.
 */
export type SessionProvider = (request: {
  signal: AbortSignal;
  reason: SessionReason;
}) => Promise<SessionResponse | string>;

/** The ways a page may name where sessions come from; the first that is set wins. */
export interface SessionSources {
  session: SessionResponse | null;
  /** When `session` was set, in ms since the epoch. */
  sessionSetAt: number;
  src: string;
  sessionProvider: SessionProvider | null;
  sessionEndpoint: string;
  sessionRequest: SessionRequest | null;
}

/** True if the page has named a source. */
export function hasSource(sources: SessionSources): boolean {
  return Boolean(sources.session ?? (sources.src || sources.sessionProvider || sources.sessionEndpoint));
}

/** True if the source can give more than one session. */
export function canRenew(sources: SessionSources): boolean {
  return !sources.session && !sources.src && hasSource(sources);
}

/**
 * Gets a session from the page's source, and checks it.
 *
 * @throws {SpeakerError} If there is none, or none that can be played.
 */
export async function requestSession(
  sources: SessionSources,
  reason: SessionReason,
  signal: AbortSignal,
): Promise<PlayableSession> {
  const { session, src, sessionProvider, sessionEndpoint } = sources;
  if (session) {
    refuseExpired(session, sources.sessionSetAt);
    return fromResponse(session, 'The session that was set');
  }
  if (src) return fromUrl(src, 'src');
  if (!sessionProvider)
    return fromResponse(await post(sessionEndpoint, sources.sessionRequest, signal), sessionEndpoint);
  const provided = await sessionProvider({ signal, reason }).catch((cause: unknown) => {
    if (cause instanceof SpeakerError) throw cause;
    const said = cause instanceof Error ? cause.message : String(cause);
    throw new SpeakerError('session-request-failed', `The sessionProvider failed: ${said}`, { cause });
  });
  const from = 'What the sessionProvider returned';
  return typeof provided === 'string' ? fromUrl(provided, from) : fromResponse(provided, from);
}

async function post(endpoint: string, request: SessionRequest | null, signal: AbortSignal): Promise<unknown> {
  let response: Response;
  try {
    response = await fetch(endpoint, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(request ?? {}),
      credentials: 'same-origin',
      signal,
    });
  } catch (cause) {
    const message = `No answer from session-endpoint ${endpoint}: check the address, the network and the page's connect-src.`;
    throw new SpeakerError('session-request-failed', message, { cause, retryable: true });
  }
  const body: unknown = await response.json().catch(() => null);
  if (response.ok) return body;
  const detail = (body as { detail?: unknown } | null)?.detail;
  const said = typeof detail === 'string' ? `: ${detail}` : '';
  throw new SpeakerError('session-request-failed', `session-endpoint ${endpoint} answered ${response.status}${said}`, {
    httpStatus: response.status,
    retryable: response.status === 429 || response.status >= 500,
  });
}

/** A token that has run out opens no socket, and the close code would say less. */
function refuseExpired(session: SessionResponse, setAt: number): void {
  const seconds = session.expires_in_seconds;
  if (typeof seconds !== 'number' || Date.now() - setAt < seconds * 1000) return;
  throw new SpeakerError(
    'session-expired',
    `The session was set more than ${seconds} s ago and its token has expired. Set sessionProvider or ` +
      'session-endpoint instead of session, so that each socket gets a fresh one.',
    { retryable: true },
  );
}

function fromResponse(value: unknown, from: string): PlayableSession {
  const { protocol, format, url, sample_rate, messages } = valid(parseSessionResponse(value), from);
  if (protocol !== PROTOCOL) {
    throw new SpeakerError('protocol-unsupported', `The session speaks ${protocol}; this player speaks ${PROTOCOL}.`);
  }
  refuseFormat(format);
  return { url, sampleRate: sample_rate, messages };
}

function fromUrl(text: string, from: string): PlayableSession {
  const { url, sampleRate, format } = valid(sessionFromUrl(text), from);
  refuseFormat(format);
  return { url, sampleRate, messages: [] };
}

function valid<T>(parsed: Parsed<T>, from: string): T {
  if (parsed.ok) return parsed.value;
  throw new SpeakerError('session-invalid', `${from} is no usable session: ${describeFieldErrors(parsed.errors)}`);
}

function refuseFormat(format: string): void {
  if (format === SESSION_DEFAULTS.format) return;
  throw new SpeakerError(
    'format-unsupported',
    `The session's format is ${format}; this player plays ${SESSION_DEFAULTS.format}. Ask for it in the session request.`,
  );
}
