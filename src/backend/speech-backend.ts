import { describeFieldErrors, parseSessionRequest, type SessionRequest } from '../protocol/index.js';
import { answer, answerTo, refuse } from './answer.js';
import { readJson } from './error-detail.js';
import { readText } from './read-text.js';
import { SvcApiError } from './svc-api-error.js';
import { SvcClient, type SvcClientOptions } from './svc-client.js';

/** Largest body of a request by default, in bytes. */
const BODY_MAX_BYTES = 64 * 1024;

const NO_AUTHORIZE =
  'this backend gives no sessions to anyone: pass authorize(request) to createSpeechBackend to say who may have one, ' +
  'or production: false where only you can reach it';

/** Options of {@link createSpeechBackend}: how to reach the service, and who may have what from it. */
export interface SpeechBackendOptions extends SvcClientOptions {
  /**
   * Says whether the sender of a request may speak at your expense: look at a cookie, a session, a header. It must not
   * read the body (clone the request for that). Without it, everyone may, except in production, where nobody may.
   */
  readonly authorize?: (request: Request) => boolean | Promise<boolean>;
  /** Says whether this session may be had: which voices, how much `input`. Without it, any valid one may. */
  readonly allow?: (sessionRequest: SessionRequest) => boolean | Promise<boolean>;
  /**
   * Whether strangers can reach this backend. By default: if `NODE_ENV` is `production`, or if the runtime has no
   * environment to ask, as on an edge platform.
   */
  readonly production?: boolean;
  /** Largest body of a request, in bytes; 65536 by default. */
  readonly maxBodyBytes?: number;
  /**
   * Told of every failure whose reason the page is not told: the service failed or refused the key ({@link SvcApiError}),
   * or a hook threw. Written to the console by default. Nothing of ours in it holds the key.
   */
  readonly onError?: (error: unknown) => void;
}

/** The half of a host page that holds the key. */
export interface SpeechBackend {
  /**
   * Answers a request, by the end of its path, so that it does not matter where it is mounted:
   *
   * - `POST …/session` with a session request as JSON (interface-spec 2.1): the session response (2.2).
   *
   * Everything else is 404 or 405, and every error has the body `{detail}`. There are no CORS headers, and the
   * `Content-Type` must be `application/json`, so pages of other origins cannot use it. Never rejects.
   */
  readonly fetch: (request: Request) => Promise<Response>;
}

/**
 * Makes the backend that gives sessions to the page and keeps the key to itself. Fetch API only: it runs on Node (see
 * `nodeHandler`), Deno, Bun and workers, and in any framework that has `Request` and `Response`.
 *
 * @throws {TypeError|RangeError} If an option is not usable, as {@link SvcClient} says.
 */
export function createSpeechBackend(options: SpeechBackendOptions): SpeechBackend {
  const client = new SvcClient(options);
  const { allow, maxBodyBytes = BODY_MAX_BYTES, onError = logError } = options;
  const authorize = options.authorize ?? (() => true);
  const locked = !options.authorize && (options.production ?? isProduction());

  async function answerSession(request: Request): Promise<Response> {
    if (request.method !== 'POST') return refuse(405, 'only POST is answered here', { Allow: 'POST' });
    if (locked) return refuse(403, NO_AUTHORIZE);
    if (!(await authorize(request))) return refuse(403, 'not allowed');
    // A page of another origin cannot send this type unasked, and when it asks (OPTIONS) it is told 405.
    if (!/^application\/json\s*(;|$)/i.test(request.headers.get('Content-Type') ?? '')) {
      return refuse(415, 'Content-Type must be application/json');
    }
    const tooLarge = Number(request.headers.get('Content-Length') ?? 0) > maxBodyBytes;
    const body = tooLarge ? null : await readText(request.body, maxBodyBytes);
    if (body === null) return refuse(413, `the body must be at most ${maxBodyBytes} bytes`);
    const content = readJson(body);
    if (content === undefined) return refuse(400, 'the body must be JSON');
    const parsed = parseSessionRequest(content);
    if (!parsed.ok) return refuse(422, describeFieldErrors(parsed.errors));
    if (allow && !(await allow(parsed.value))) return refuse(403, 'this session is not allowed');
    return answer(200, await client.createSession(parsed.value, { signal: request.signal }));
  }

  return {
    async fetch(request) {
      if (!/\/session\/?$/.test(new URL(request.url).pathname)) return refuse(404, 'there is nothing here');
      try {
        return await answerSession(request);
      } catch (error) {
        // The page has gone, so nobody reads this answer; 499 is what proxies write into their logs for it.
        if (request.signal?.aborted) return refuse(499, 'the request was given up');
        if (!(error instanceof SvcApiError && error.code === 'invalid-request')) onError(error);
        return error instanceof SvcApiError ? answerTo(error) : refuse(500, 'the server failed');
      }
    },
  };
}

/** Whether strangers can reach this process, as far as it can tell; no runtime's API is needed to ask. */
function isProduction(): boolean {
  const { process } = globalThis as { process?: { env?: Record<string, string | undefined> } };
  return !process?.env || process.env.NODE_ENV === 'production';
}

function logError(error: unknown): void {
  // oxlint-disable-next-line no-console -- without onError, the host's log is where its operator looks
  console.error('svc-speaker backend:', error);
}
