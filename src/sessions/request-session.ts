import { measureStep } from '../base/measure-step.js';
import { SpeakerError } from '../base/speaker-error.js';
import { withoutSecrets } from '../base/without-secrets.js';
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
import type { PlayableSession } from '../protocol/playable-session.js';
import type { SessionProvider, SessionReason, SessionSource } from './session-source.js';

// The folder is compiled without what only pages have.
declare const document: { readonly baseURI: string };

/** Time limit for the response of a source, in ms. Without it, `play()` might stay pending forever. */
const ANSWER_LIMIT_MS = 30_000;

/** The latest URL that each source returned, and the time in ms since the epoch at which it first returned it. */
const latest = new WeakMap<SessionSource, { url: string; since: number }>();

/**
 * Requests a session from the page's source, and validates it.
 *
 * @throws {SpeakerError} If the source returns no session, or one that cannot be played.
 */
export async function requestSession(
  source: SessionSource,
  reason: SessionReason,
  signal: AbortSignal,
): Promise<PlayableSession> {
  const { session, sessionUrl: src, provider, request } = source;
  const { sessionEndpoint } = source.attributes;
  if (session) {
    const advice = 'Set sessionProvider or session-endpoint instead, so that each socket gets a fresh one.';
    refuseExpired(session, source.sessionSetAtMs, advice);
    return fromResponse(session, 'The session that was set');
  }
  if (src) return fromUrl(src, 'src');
  const name = provider ? 'The sessionProvider' : nameOf(sessionEndpoint);
  const askedMs = performance.now();
  const provided = await withTimeout(name, signal, (limited) =>
    provider ? ask(provider, reason, limited) : post(sessionEndpoint, request, reason, limited),
  );
  measureStep('session', askedMs);
  const from = provider ? 'The value that the sessionProvider returned' : `The answer of ${name}`;
  if (typeof provided === 'string') return fromUrl(provided, from);
  const given = await fromResponse(provided, from);
  const before = latest.get(source);
  if (before?.url !== given.url) {
    latest.set(source, { url: given.url, since: Date.now() });
  } else {
    const advice = `${name} gave the same session before. It must get a new one each time.`;
    refuseExpired(provided as SessionResponse, before.since, advice);
  }
  return given;
}

/**
 * Waits for the response of a source, at most `ANSWER_LIMIT_MS`, and only until `signal` is aborted.
 *
 * @param name - Name of the source, for the error message.
 * @param work - Asks the source. Its signal is aborted on timeout and with `signal`.
 */
async function withTimeout<T>(
  name: string,
  signal: AbortSignal,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const limited = new AbortController();
  const stop = (): void => limited.abort(signal.reason);
  const timer = setTimeout(() => {
    const message = `${name} has not answered within ${ANSWER_LIMIT_MS / 1000} s. Make it answer sooner.`;
    limited.abort(new SpeakerError('session-request-failed', message, { retryable: true }));
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

/** Returns the name of an endpoint, for messages. */
function nameOf(endpoint: string): string {
  const [address] = endpoint.split(/[?#]/, 1);
  return `session-endpoint ${withoutSecrets(address!)}`;
}

async function ask(provider: SessionProvider, reason: SessionReason, signal: AbortSignal): Promise<unknown> {
  try {
    await Promise.resolve(); // The page's code does not run within the page's own call of `speak()`.
    return await provider({ signal, reason });
  } catch (cause) {
    if (cause instanceof SpeakerError) throw cause;
    if ((cause as Error | undefined)?.name === 'AbortError') {
      const message =
        'The sessionProvider threw an AbortError, but its signal was not aborted. Abort only when the signal does.';
      throw new SpeakerError('aborted', message, { cause, retryable: true });
    }
    const said = cause instanceof Error ? cause.message : String(cause);
    const message = `The sessionProvider failed: ${withoutSecrets(said)}. Check it and the backend that it calls.`;
    throw new SpeakerError('session-request-failed', message, { cause });
  }
}

async function post(
  endpoint: string,
  request: SessionRequest | null,
  reason: SessionReason,
  signal: AbortSignal,
): Promise<unknown> {
  let response: Response;
  try {
    // The address of a page may have a password, which fetch() refuses in a URL, and which browsers send by themselves.
    response = await fetch(new URL(endpoint, withoutSecrets(document.baseURI)).href, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ ...request, ...(reason === 'resume' && { reason }) }),
      credentials: 'same-origin',
      signal,
    });
  } catch (cause) {
    const message = `No answer from ${nameOf(endpoint)}: check the address, the network and the page's connect-src.`;
    throw new SpeakerError('session-request-failed', message, { cause, retryable: true });
  }
  const { status, ok, redirected, url } = response;
  const body: unknown = await response.json().catch(() => undefined);
  if (ok && body !== undefined) return body;
  const detail = (body as { detail?: unknown } | null | undefined)?.detail;
  const said = typeof detail === 'string' ? ` (${detail})` : '';
  const place = redirected ? `, after a redirect to ${withoutSecrets(url)}` : '';
  const what = `${status}${ok ? ' and something that is not JSON' : ''}${place}`;
  const message = `${nameOf(endpoint)} answered ${what}: ${remedyFor(status)}${said}`;
  throw new SpeakerError('session-request-failed', message, {
    httpStatus: status,
    retryable: status === 429 || status >= 500,
  });
}

function remedyFor(status: number): string {
  if (status >= 500) return 'look into the log of the backend.';
  return remedies[status] ?? 'check that this is the address where the backend gives sessions.';
}

const remedies: Readonly<Record<number, string>> = {
  401: 'the user has to log in.',
  402: 'the account needs credits.',
  403: 'the user, or the plan, has to be allowed this.',
  422: 'correct session-request.',
  429: 'wait, and try again.',
};

/**
 * Refuses a session whose token has expired, because the close code of the socket would say less. Uses only the page's
 * clock: `expires_at` follows the clock of the service, which may differ.
 */
function refuseExpired({ expires_in_seconds: seconds }: SessionResponse, since: number, advice: string): void {
  if (typeof seconds !== 'number' || Date.now() - since < seconds * 1000) return;
  const message = `The session is more than ${seconds} s old and its token has expired. ${advice}`;
  throw new SpeakerError('session-expired', message, { retryable: true });
}

async function fromResponse(value: unknown, from: string): Promise<PlayableSession> {
  const parsed = parseSessionResponse(value);
  const { protocol, format, url, sample_rate, messages, timings, dialect, voice_id } = valid(
    parsed,
    from,
    ' Pass on the answer of the service unchanged.',
  );
  if (dialect) {
    const { checkDialect, checkQuery } = await import('../protocol/check-dialect.js');
    const problem = checkDialect(dialect) ?? checkQuery(dialect, url, sample_rate);
    if (problem !== null) {
      const message = `${from} has a dialect that this player cannot speak: ${problem}. Correct it, or use one of svc-speaker/dialects.js.`;
      throw new SpeakerError('protocol-unsupported', message);
    }
  } else if (protocol !== PROTOCOL) {
    const message = `The session speaks ${protocol}; this player speaks ${PROTOCOL}: update svc-speaker, or the service.`;
    throw new SpeakerError('protocol-unsupported', message);
  }
  refuseFormat(format);
  return {
    url,
    sampleRate: sample_rate,
    messages,
    // A copy, because the page may give a proxy, as of a reactive state, which cannot be posted to the worker.
    ...(dialect && { dialect: JSON.parse(JSON.stringify(dialect)) as typeof dialect, voice: voice_id }),
    ...(timings && { timings: true }),
  };
}

function fromUrl(text: string, from: string): PlayableSession {
  const { url, sampleRate, format } = valid(sessionFromUrl(text), from);
  refuseFormat(format);
  const timings = /[?&]timings=\w/.test(url) && { timings: true };
  return { url, sampleRate, messages: [], isBareUrl: true, ...timings };
}

function valid<T>(parsed: Parsed<T>, from: string, advice = ''): T {
  if (parsed.ok) return parsed.value;
  const message = `${from} is not a usable session: ${describeFieldErrors(parsed.errors)}.${advice}`;
  throw new SpeakerError('session-invalid', message);
}

function refuseFormat(format: string): void {
  if (format === SESSION_DEFAULTS.format) return;
  throw new SpeakerError(
    'format-unsupported',
    `The session's format is ${format}; this player plays ${SESSION_DEFAULTS.format}. Ask for it in the session request.`,
  );
}
