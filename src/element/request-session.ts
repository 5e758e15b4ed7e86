import type { PlayableSession, SessionReason } from '../playback/index.js';
import type { Failure } from '../playback/speaker-error.js';
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

/** A source that has not answered for so long is not waited for any more, in ms: else `play()` might hang for ever. */
const ANSWER_LIMIT_MS = 30_000;

/** What each element's source gave last, and when first. */
const latest = new WeakMap<SessionSources, { url: string; since: number }>();

/**
 * Gets a session from the page's source, and checks it.
 *
 * @throws {Failure} If there is none, or none that can be played.
 */
export async function requestSession(
  sources: SessionSources,
  reason: SessionReason,
  signal: AbortSignal,
): Promise<PlayableSession> {
  const { session, src, sessionProvider, sessionEndpoint, sessionRequest } = sources;
  if (session) {
    const advice = 'Set sessionProvider or session-endpoint instead of session, so that each socket gets a fresh one.';
    refuseExpired(session, sources.sessionSetAt, advice);
    return fromResponse(session, 'The session that was set');
  }
  if (src) return fromUrl(src, 'src');
  const name = sessionProvider ? 'The sessionProvider' : `session-endpoint ${sessionEndpoint}`;
  const provided = await soon(name, signal, (limited) =>
    sessionProvider ? ask(sessionProvider, reason, limited) : post(sessionEndpoint, sessionRequest, limited),
  );
  const from = sessionProvider ? 'What the sessionProvider returned' : `What ${name} answered`;
  if (typeof provided === 'string') return fromUrl(provided, from);
  const given = fromResponse(provided, from);
  const before = latest.get(sources);
  if (before?.url !== given.url) {
    latest.set(sources, { url: given.url, since: Date.now() });
  } else {
    const advice = `${name} gave it before: it must get a new one each time it is asked.`;
    refuseExpired(provided as SessionResponse, before.since, advice);
  }
  return given;
}

/**
 * What a source answers, unless it takes too long or is not wanted any more.
 *
 * @param name - Of the source.
 * @param work - Is given a signal for both.
 */
async function soon<T>(name: string, signal: AbortSignal, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const limited = new AbortController();
  const end = (reason: unknown): void => limited.abort(reason);
  const stop = (): void => end(signal.reason);
  const timer = setTimeout(() => {
    const message = `${name} has not answered for ${ANSWER_LIMIT_MS / 1000} s: see to it that it answers, or fails, in time.`;
    end(failed('session-request-failed', message, { retryable: true }));
  }, ANSWER_LIMIT_MS);
  try {
    return await new Promise((resolve, reject) => {
      limited.signal.addEventListener('abort', () => reject(limited.signal.reason));
      signal.addEventListener('abort', stop);
      if (signal.aborted) stop();
      work(limited.signal).then(resolve, reject);
    });
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', stop);
  }
}

async function ask(provider: SessionProvider, reason: SessionReason, signal: AbortSignal): Promise<unknown> {
  try {
    return await provider({ signal, reason });
  } catch (cause) {
    if ((cause as Error | undefined)?.name === 'SpeakerError') throw cause;
    if ((cause as Error | undefined)?.name === 'AbortError') {
      const message =
        'The sessionProvider gave up although nothing was cancelled: let it abort only when its signal does.';
      throw failed('aborted', message, { cause, retryable: true });
    }
    const said = cause instanceof Error ? cause.message : String(cause);
    const message = `The sessionProvider failed, so check it and the backend it asks: ${said}`;
    throw failed('session-request-failed', message, { cause });
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
    throw failed('session-request-failed', message, { cause, retryable: true });
  }
  const { status, ok } = response;
  const body: unknown = await response.json().catch(() => undefined);
  if (ok && body !== undefined) return body;
  const detail = (body as { detail?: unknown } | null | undefined)?.detail;
  const said = typeof detail === 'string' ? ` (${detail})` : '';
  const message = `session-endpoint ${endpoint} answered ${status}${ok ? ' and something that is not JSON' : ''}: `;
  throw failed('session-request-failed', message + remedyFor(status) + said, {
    httpStatus: status,
    retryable: status === 429 || status >= 500,
  });
}

function remedyFor(status: number): string {
  if (status >= 500) return 'try again later, and look into the log of the backend.';
  return remedies[status] ?? 'check that this is the address where the backend gives sessions.';
}

const remedies: Readonly<Record<number, string>> = {
  401: 'the user has to log in.',
  402: 'the account needs credits.',
  403: 'the user, or the plan, has to be allowed this.',
  422: 'mend session-request.',
  429: 'wait, and try again.',
};

/**
 * A token that has run out opens no socket, and the close code would say less. Only our own clock is asked: that of the
 * service, by which `expires_at` goes, may differ.
 */
function refuseExpired({ expires_in_seconds: seconds }: SessionResponse, since: number, advice: string): void {
  if (typeof seconds !== 'number' || Date.now() - since < seconds * 1000) return;
  const message = `The session is more than ${seconds} s old and its token has expired. ${advice}`;
  throw failed('session-expired', message, { retryable: true });
}

function fromResponse(value: unknown, from: string): PlayableSession {
  const parsed = parseSessionResponse(value);
  const { protocol, format, url, sample_rate, messages } = valid(parsed, from, ' Hand on what the service answered.');
  if (protocol !== PROTOCOL) {
    const message = `The session speaks ${protocol}; this player speaks ${PROTOCOL}: update svc-speaker, or the service.`;
    throw failed('protocol-unsupported', message);
  }
  refuseFormat(format);
  return { url, sampleRate: sample_rate, messages };
}

function fromUrl(text: string, from: string): PlayableSession {
  const { url, sampleRate, format } = valid(sessionFromUrl(text), from);
  refuseFormat(format);
  return { url, sampleRate, messages: [] };
}

function valid<T>(parsed: Parsed<T>, from: string, advice = ''): T {
  if (parsed.ok) return parsed.value;
  const message = `${from} is no usable session: ${describeFieldErrors(parsed.errors)}.${advice}`;
  throw failed('session-invalid', message);
}

function refuseFormat(format: string): void {
  if (format === SESSION_DEFAULTS.format) return;
  throw failed(
    'format-unsupported',
    `The session's format is ${format}; this player plays ${SESSION_DEFAULTS.format}. Ask for it in the session request.`,
  );
}

/** As a value: the class that it becomes is not needed here. */
function failed(reason: Failure['failure'][0], message: string, details: Failure['failure'][1] = {}): Failure {
  return Object.assign(new Error(message), { failure: [reason, details] satisfies Failure['failure'] });
}
