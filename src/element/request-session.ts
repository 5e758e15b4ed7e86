import type { PlayableSession, SessionReason } from '../playback/index.js';
import { SpeakerError } from '../playback/speaker-error.js';
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
import type { SessionProvider, SessionSources } from './session-sources.js';

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
  const { session, src, sessionProvider, sessionEndpoint, sessionRequest } = sources;
  if (session) {
    refuseExpired(session, sources.sessionSetAt);
    return fromResponse(session, 'The session that was set');
  }
  if (src) return fromUrl(src, 'src');
  if (!sessionProvider) {
    const answer = await post(sessionEndpoint, sessionRequest, signal);
    return fromResponse(answer, `What session-endpoint ${sessionEndpoint} answered`);
  }
  const provided = await ask(sessionProvider, reason, signal);
  const from = 'What the sessionProvider returned';
  return typeof provided === 'string' ? fromUrl(provided, from) : fromResponse(provided, from);
}

async function ask(provider: SessionProvider, reason: SessionReason, signal: AbortSignal): Promise<unknown> {
  try {
    return await provider({ signal, reason });
  } catch (cause) {
    if (cause instanceof SpeakerError) throw cause;
    const said = cause instanceof Error ? cause.message : String(cause);
    throw new SpeakerError('session-request-failed', `The sessionProvider failed: ${said}`, { cause });
  }
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
  const { status, ok } = response;
  const body: unknown = await response.json().catch(() => undefined);
  if (ok && body !== undefined) return body;
  const detail = (body as { detail?: unknown } | null | undefined)?.detail;
  const said = typeof detail === 'string' ? `: ${detail}` : ok ? ' with something that is not JSON' : '';
  throw new SpeakerError('session-request-failed', `session-endpoint ${endpoint} answered ${status}${said}`, {
    httpStatus: status,
    retryable: status === 429 || status >= 500,
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
