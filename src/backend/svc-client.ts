import {
  describeFieldErrors,
  parseSessionResponse,
  type SessionRequest,
  type SessionResponse,
} from '../protocol/index.js';
import { readErrorDetail, readJson } from './error-detail.js';
import { readText } from './read-text.js';
import { parseRetryAfter, retryDelayMs, systemClock, type Clock } from './retry.js';
import { holdsSecret, redact } from './secret.js';
import { codeOfStatus, SvcApiError } from './svc-api-error.js';

/** Largest answer that is read, in bytes. An answer repeats the `input` of its request, so it may not be small. */
const ANSWER_MAX_BYTES = 4 * 1024 * 1024;

/** Longest detail taken over from the service, in characters. */
const DETAIL_MAX = 500;

/** Longest delay asked for by the service that is waited out, in milliseconds; people wait for the answer meanwhile. */
const WAIT_MAX_MS = 10_000;

/** How to reach the service. */
export interface SvcClientOptions {
  /** Address of the service, without `/api/v1`; `http:` or `https:`. */
  readonly baseUrl: string;
  /** Key of the account. It goes out in the header of calls to `baseUrl` and nowhere else. */
  readonly apiKey: string;
  /** How often a call that the service answers with 429 or 503 is tried again; 3 by default, 0 for never. */
  readonly retries?: number;
  /** How long one try may take, its answer's body included, in milliseconds; 15000 by default. */
  readonly timeoutMs?: number;
  /** Makes the calls; the runtime's `fetch` by default. It must honour `redirect: 'manual'`. */
  readonly fetch?: (url: string, init: RequestInit) => Promise<Response>;
  /** Time for delays; the runtime's by default. */
  readonly clock?: Clock;
  /** Numbers in [0, 1) that spread the delays; `Math.random` by default. */
  readonly random?: () => number;
}

/** Options of a single call. */
export interface SvcCallOptions {
  /** Ends the call, and the wait before another try. */
  readonly signal?: AbortSignal | null;
}

/**
 * Calls the service over HTTPS, with the key (interface-spec 4 and 5). For trusted backends only: never in a page.
 *
 * Runs wherever there is `fetch`. It never follows a redirect, since the key must not go anywhere but to `baseUrl`, and
 * neither shows the key in errors nor when it is printed.
 */
export class SvcClient {
  readonly #baseUrl: string;
  readonly #apiKey: string;
  readonly #retries: number;
  readonly #timeoutMs: number;
  readonly #fetch: (url: string, init: RequestInit) => Promise<Response>;
  readonly #clock: Clock;
  readonly #random: () => number;
  #rateLimitRemaining: number | null = null;

  /**
   * @throws {TypeError} If `baseUrl` is no address of a service, or `apiKey` cannot stand in a header.
   * @throws {RangeError} If `retries` or `timeoutMs` is not a number in range.
   */
  constructor(options: SvcClientOptions) {
    this.#baseUrl = checkBaseUrl(options.baseUrl);
    this.#apiKey = checkApiKey(options.apiKey);
    this.#retries = options.retries ?? 3;
    this.#timeoutMs = options.timeoutMs ?? 15_000;
    if (!(Number.isInteger(this.#retries) && this.#retries >= 0)) {
      throw new RangeError(`retries must be an integer, 0 or more: ${this.#retries}`);
    }
    if (!(this.#timeoutMs > 0 && this.#timeoutMs < 2 ** 31)) {
      throw new RangeError(`timeoutMs must be above 0 and below 2^31: ${this.#timeoutMs}`);
    }
    this.#fetch = options.fetch ?? ((url, init) => fetch(url, init));
    this.#clock = options.clock ?? systemClock;
    this.#random = options.random ?? Math.random;
  }

  /** Requests left in the current minute, as the service last said; `null` as long as it has not. */
  get rateLimitRemaining(): number | null {
    return this.#rateLimitRemaining;
  }

  /**
   * Asks for a session (interface-spec 4.1). The URL in the answer is good for about thirty seconds, so ask right before
   * the socket is opened. The request goes out as it is: what is wrong with it, the service says with 422.
   *
   * @throws {SvcApiError} If the service refuses, cannot be reached, or answers what is not a session. 429 and 503 were
   *   tried again before, unless the service asked for more than ten seconds of patience.
   * @throws The reason of the signal, if that aborts.
   */
  async createSession(request: SessionRequest = {}, { signal }: SvcCallOptions = {}): Promise<SessionResponse> {
    const { status, body } = await this.#call('POST', '/api/v1/realtime/stream/session', request, signal ?? undefined);
    if (body === null) throw new SvcApiError(status, 'invalid-response', `larger than ${ANSWER_MAX_BYTES} bytes`);
    const content = readJson(body);
    if (content === undefined) throw new SvcApiError(status, 'invalid-response', 'not JSON');
    const session = parseSessionResponse(content);
    if (!session.ok) throw new SvcApiError(status, 'invalid-response', describeFieldErrors(session.errors));
    if (holdsSecret(JSON.stringify(session.value), this.#apiKey)) {
      throw new SvcApiError(status, 'invalid-response', 'holds the API key, which must not be passed on');
    }
    return session.value;
  }

  async #call(method: string, path: string, content: unknown, signal: AbortSignal | undefined): Promise<Answer> {
    for (let tries = 1; ; tries++) {
      const answer = await this.#try(method, path, content, signal);
      if (answer.status >= 200 && answer.status < 300) return answer;
      const error = this.#errorOf(answer);
      const retryable = answer.status === 429 || answer.status === 503;
      if (!retryable || tries > this.#retries || (error.retryAfterMs ?? 0) > WAIT_MAX_MS) throw error;
      await this.#clock.sleep(retryDelayMs(tries, error.retryAfterMs, this.#random()), signal);
    }
  }

  async #try(method: string, path: string, content: unknown, signal: AbortSignal | undefined): Promise<Answer> {
    signal?.throwIfAborted();
    const timeout = AbortSignal.timeout(this.#timeoutMs);
    const init: RequestInit = {
      method,
      headers: { 'X-SVC-Api-Key': this.#apiKey, 'Content-Type': 'application/json', Accept: 'application/json' },
      body: JSON.stringify(content),
      redirect: 'manual',
      signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
    };
    try {
      const response = await this.#fetch(this.#baseUrl + path, init);
      const remaining = response.headers.get('X-RateLimit-Remaining');
      if (remaining !== null && /^\d+$/.test(remaining)) this.#rateLimitRemaining = Number(remaining);
      const body = await readText(response.body, ANSWER_MAX_BYTES);
      // In a browser-like runtime a redirect that is not followed has no status.
      const status = response.type === 'opaqueredirect' ? 302 : response.status;
      return { status, headers: response.headers, body };
    } catch (error) {
      signal?.throwIfAborted();
      if (timeout.aborted) throw new SvcApiError(0, 'timeout', `no answer within ${this.#timeoutMs} ms`);
      // Not kept as a cause: what a fetch puts into its errors is not known, and the key was in its hands.
      throw new SvcApiError(0, 'network', redact(describeNetworkError(error), this.#apiKey));
    }
  }

  #errorOf({ status, headers, body }: Answer): SvcApiError {
    const code = codeOfStatus(status);
    const detail =
      code === 'redirected'
        ? `the service redirects to ${originOf(headers.get('Location'), this.#baseUrl)}: set baseUrl to where it is`
        : (readErrorDetail(body ?? '') ?? 'the service gave no reason');
    const retryAfterMs = parseRetryAfter(headers.get('Retry-After'), this.#clock.now());
    // Cut only after the key is out, or a piece of it might stay at the end.
    return new SvcApiError(status, code, redact(detail, this.#apiKey).slice(0, DETAIL_MAX), retryAfterMs);
  }
}

/** An answer of the service, whatever its status. */
interface Answer {
  readonly status: number;
  readonly headers: Headers;
  /** `null` if it is larger than {@link ANSWER_MAX_BYTES}. */
  readonly body: string | null;
}

function checkBaseUrl(baseUrl: string): string {
  const url = URL.canParse(baseUrl) ? new URL(baseUrl) : null;
  // A password in it is a secret, so that one is not repeated.
  if (url?.username || url?.password) throw new TypeError('baseUrl must not hold a user or password');
  if (!url || !/^https?:$/.test(url.protocol) || url.search || url.hash) {
    throw new TypeError(`baseUrl must be an http: or https: URL without query or hash: ${baseUrl}`);
  }
  return url.href.replace(/\/+$/, '');
}

function checkApiKey(apiKey: string): string {
  if (typeof apiKey !== 'string' || !/^[\x21-\x7e]+$/.test(apiKey)) {
    // The offending value is left out on purpose.
    throw new TypeError('apiKey must be visible ASCII characters, without spaces or line breaks');
  }
  return apiKey;
}

function describeNetworkError(error: unknown): string {
  const { message, cause } = Object(error) as { message?: unknown; cause?: { code?: unknown } };
  const code = typeof cause?.code === 'string' ? ` (${cause.code})` : '';
  return `the service cannot be reached: ${typeof message === 'string' ? message : 'no reason given'}${code}`;
}

function originOf(location: string | null, base: string): string {
  return location !== null && URL.canParse(location, base) ? new URL(location, base).origin : 'an unknown place';
}
