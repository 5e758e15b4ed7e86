import { describeFieldErrors, type Parsed } from '../protocol/index.js';
import { readErrorDetail, readJson } from './error-detail.js';
import { readText } from './read-text.js';
import { retryDelayMs } from '../base/retry-delay.js';
import { parseRetryAfter, systemClock, type Clock } from './retry.js';
import { holdsSecret, redact } from './secret.js';
import { codeOfStatus, SvcApiError } from './svc-api-error.js';

/** Longest error detail copied from the service, in characters. */
const DETAIL_MAX = 500;

/** Longest delay requested by the service that a call waits out, in milliseconds: a user is waiting for the answer. */
const WAIT_MAX_MS = 10_000;

/** Address and key of the service, and how it is called. */
export interface SvcClientOptions {
  /** Address of the service; `http:` or `https:`. A path `/api/v1` at its end is left out. */
  readonly baseUrl: string;
  /** Key of the account. It is sent only in the header of calls to `baseUrl`. */
  readonly apiKey: string;
  /**
   * How many times a call that the service answers with 429 or 503 is retried; 3 by default, 0 for never. Unless it is 0,
   * each try whose connection breaks is repeated once.
   */
  readonly retries?: number;
  /** Time limit of one try, including the response body, in milliseconds; 15000 by default. */
  readonly timeoutMs?: number;
  /** Makes the calls; the runtime's `fetch` by default. It must honour `redirect: 'manual'`. */
  readonly fetch?: (url: string, init: RequestInit) => Promise<Response>;
  /** Clock for delays; the runtime's by default. */
  readonly clock?: Clock;
  /** Returns numbers in [0, 1) that randomize the delays; `Math.random` by default. */
  readonly random?: () => number;
}

/** One call to the service. */
export interface ApiCall<Answer> {
  readonly method: 'GET' | 'POST';
  /** Path below the service's address, with its query. */
  readonly path: string;
  /** Sent as JSON. A call without it has no body. */
  readonly content?: unknown;
  /** Largest response that is read, in bytes after decompression. */
  readonly maxBytes: number;
  /** Validates the response. */
  readonly parse: (content: unknown) => Parsed<Answer>;
  /** Aborts the call, and the wait before another try. */
  readonly signal: AbortSignal | null | undefined;
}

/**
 * Makes calls with the key and keeps the key between this process and the service: it follows no redirects, and neither
 * errors nor answers contain the key.
 */
export class ApiCaller {
  /** Address of the service, without a slash at its end. */
  readonly baseUrl: string;
  readonly #apiKey: string;
  readonly #headers: Readonly<Record<string, string>>;
  readonly #retries: number;
  readonly #timeoutMs: number;
  readonly #fetch: (url: string, init: RequestInit) => Promise<Response>;
  readonly #clock: Clock;
  readonly #random: () => number;
  #rateLimitRemaining: number | null = null;

  /**
   * @param headersOf - Returns the headers that show the key.
   * @throws {TypeError} If `baseUrl` is not the address of a service, or `apiKey` is not valid in a header.
   * @throws {RangeError} If `retries` or `timeoutMs` is out of range.
   */
  constructor(
    options: SvcClientOptions,
    headersOf = (key: string): Record<string, string> => ({ 'X-SVC-Api-Key': key }),
  ) {
    this.baseUrl = checkBaseUrl(options.baseUrl);
    this.#apiKey = checkApiKey(options.apiKey);
    this.#headers = { ...headersOf(this.#apiKey), Accept: 'application/json' };
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

  /** Requests left in the current minute, as last reported by the service; `null` until it reports them. */
  get rateLimitRemaining(): number | null {
    return this.#rateLimitRemaining;
  }

  /**
   * Makes a call. Repeats it after 429 and 503 with a growing delay, unless the service asks for more than ten seconds.
   * Each try whose connection breaks is repeated once.
   *
   * @throws {SvcApiError} If the service refuses, cannot be reached, or sends an answer that `parse` rejects.
   * @throws The signal's reason, if the signal aborts.
   */
  async call<Answer>(call: ApiCall<Answer>): Promise<Answer> {
    const { status, body } = await this.#untilAnswered(call);
    const invalid = (detail: string): SvcApiError => new SvcApiError(status, 'invalid-response', detail);
    if (body === null) throw invalid(`the answer is larger than ${call.maxBytes} bytes: check baseUrl`);
    const content = readJson(body);
    if (content === undefined) throw invalid('the answer is not JSON: check baseUrl');
    const answer = call.parse(content);
    if (!answer.ok) throw invalid(redact(describeFieldErrors(answer.errors), this.#apiKey));
    if (holdsSecret(JSON.stringify(answer.value), this.#apiKey)) {
      throw invalid('the answer contains the API key, which must not reach the page');
    }
    return answer.value;
  }

  async #untilAnswered(call: ApiCall<unknown>): Promise<RawAnswer> {
    for (let tries = 1; ; tries++) {
      const answer = await this.#try(call).catch((error: unknown) => {
        // A connection that was kept may be one that the service is just closing: https://github.com/nodejs/undici/issues/3492
        if (this.#retries === 0 || (Object(error) as Partial<SvcApiError>).code !== 'network') throw error;
        return this.#try(call);
      });
      if (answer.status >= 200 && answer.status < 300) return answer;
      const error = this.#errorOf(answer);
      const retryable = answer.status === 429 || answer.status === 503;
      if (!retryable || tries > this.#retries || (error.retryAfterMs ?? 0) > WAIT_MAX_MS) throw error;
      const delayMs = Math.max(retryDelayMs(tries, this.#random()), error.retryAfterMs ?? 0);
      await this.#clock.sleep(delayMs, call.signal ?? undefined);
    }
  }

  async #try({ method, path, content, maxBytes, signal }: ApiCall<unknown>): Promise<RawAnswer> {
    signal?.throwIfAborted();
    const timeout = AbortSignal.timeout(this.#timeoutMs);
    const headers = this.#headers;
    const init: RequestInit & { next: object } = {
      method,
      headers: content === undefined ? headers : { ...headers, 'Content-Type': 'application/json' },
      redirect: 'manual',
      // Next.js 13 and 14 keep answers for ever, also to POST. Workers refuse the standard way to forbid it, `cache`:
      // https://github.com/cloudflare/workerd/issues/698
      next: { revalidate: 0 },
      signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
    };
    if (content !== undefined) init.body = JSON.stringify(content);
    try {
      const response = await this.#fetch(this.baseUrl + path, init);
      const remaining = response.headers.get('X-RateLimit-Remaining');
      if (remaining !== null && /^\d+$/.test(remaining)) this.#rateLimitRemaining = Number(remaining);
      const body = await readText(response.body, maxBytes);
      // In a browser-like runtime, a redirect that is not followed has status 0.
      const status = response.type === 'opaqueredirect' ? 302 : response.status;
      return { status, headers: response.headers, body };
    } catch (error) {
      signal?.throwIfAborted();
      if (timeout.aborted) throw new SvcApiError(0, 'timeout', `no answer within ${this.#timeoutMs} ms`);
      // Not kept as a cause: a fetch had the key and may put anything into its errors.
      throw new SvcApiError(0, 'network', redact(describeNetworkError(this.baseUrl, error), this.#apiKey));
    }
  }

  #errorOf({ status, headers, body }: RawAnswer): SvcApiError {
    const code = codeOfStatus(status);
    const detail =
      code === 'redirected'
        ? `the service redirects to ${originOf(headers.get('Location'), this.baseUrl)}: set baseUrl to where it is`
        : (readErrorDetail(body ?? '') ?? 'the service gave no reason');
    // A date follows the clock of the service, which may differ.
    const sentMs = Date.parse(String(headers.get('Date')));
    const retryAfterMs = parseRetryAfter(headers.get('Retry-After'), sentMs || this.#clock.now());
    // Truncate only after the key is removed, or part of the key might remain at the end.
    return new SvcApiError(status, code, redact(detail, this.#apiKey).slice(0, DETAIL_MAX), retryAfterMs);
  }
}

/** A response of the service with any status. */
interface RawAnswer {
  readonly status: number;
  readonly headers: Headers;
  /** `null` if it is larger than allowed. */
  readonly body: string | null;
}

/** Returns the error message for an option that is not set. */
export function missingOption(name: 'baseUrl' | 'apiKey'): string {
  return `${name} is missing: set the variable that it is read from`;
}

function checkBaseUrl(baseUrl: string): string {
  if (!baseUrl) throw new TypeError(missingOption('baseUrl'));
  const url = URL.canParse(baseUrl) ? new URL(baseUrl) : null;
  // The value is not in the message: it may contain a password, or a key that was put into the wrong setting.
  if (url?.username || url?.password) throw new TypeError('baseUrl must not contain a user or password: use apiKey');
  if (!url || !/^https?:$/.test(url.protocol) || url.search || url.hash) {
    throw new TypeError('baseUrl must be an http: or https: URL without query or hash');
  }
  return url.href.replace(/\/*(\/api\/v1)?\/*$/, '');
}

function checkApiKey(apiKey: string): string {
  if (!apiKey) throw new TypeError(missingOption('apiKey'));
  if (typeof apiKey !== 'string' || !/^(?!["'])[\x21-\x7e]+$/.test(apiKey)) {
    // The message leaves out the offending value on purpose.
    throw new TypeError('apiKey must be visible ASCII characters, without spaces, line breaks or quotes around it');
  }
  return apiKey;
}

function describeNetworkError(baseUrl: string, error: unknown): string {
  const { message, cause } = Object(error) as { message?: unknown; cause?: { code?: unknown } };
  const code = typeof cause?.code === 'string' ? ` (${cause.code})` : '';
  return `${baseUrl} cannot be reached: ${typeof message === 'string' ? message : 'no reason given'}${code}`;
}

function originOf(location: string | null, base: string): string {
  return location !== null && URL.canParse(location, base) ? new URL(location, base).origin : 'an unknown place';
}
