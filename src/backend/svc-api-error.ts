/** Kind of failure of a {@link SvcApiError}. For HTTP statuses, the meaning is that of interface-spec 7. */
export type SvcApiErrorCode =
  /** 401: the key is wrong, revoked or absent. */
  | 'unauthorized'
  /** 402: no API plan on the account, or out of credits. */
  | 'payment-required'
  /** 403: the avatar is not available. */
  | 'forbidden'
  /** 404: there is no such avatar, or none that this account may have. */
  | 'not-found'
  /** 422: a field is wrong; `detail` names it if the service does. */
  | 'invalid-request'
  /** 429: too many requests. */
  | 'rate-limited'
  /** 503: the gateway is unreachable or not configured. */
  | 'unavailable'
  /** 3xx: the service redirects the call. The key is not sent to the new address. */
  | 'redirected'
  /** Any other status. */
  | 'unexpected-status'
  /** 2xx, but the body is not what the spec says. */
  | 'invalid-response'
  /** Status 0: no answer arrived, or the connection broke. */
  | 'network'
  /** Status 0: no complete answer arrived in time. */
  | 'timeout';

/** A failed call to the service. Nothing in it contains the API key. */
export class SvcApiError extends Error {
  override readonly name = 'SvcApiError';
  /** HTTP status of the answer; 0 if there was none. */
  readonly status: number;
  /** Kind of failure, for programs. */
  readonly code: SvcApiErrorCode;
  /** The service's error text, or the problem with its answer; a few hundred characters at most. */
  readonly detail: string;
  /** How long the service asks not to be called again, in milliseconds, if it specifies that. */
  readonly retryAfterMs?: number;

  constructor(status: number, code: SvcApiErrorCode, detail: string, retryAfterMs?: number) {
    super(`${status ? `${code} (${status})` : code}: ${detail}`);
    this.status = status;
    this.code = code;
    this.detail = detail;
    if (retryAfterMs !== undefined) this.retryAfterMs = retryAfterMs;
  }
}

const codes: Readonly<Record<number, SvcApiErrorCode>> = {
  401: 'unauthorized',
  402: 'payment-required',
  403: 'forbidden',
  404: 'not-found',
  422: 'invalid-request',
  429: 'rate-limited',
  503: 'unavailable',
};

/** Returns the code for an HTTP status that is not a success. */
export function codeOfStatus(status: number): SvcApiErrorCode {
  return codes[status] ?? (status >= 300 && status < 400 ? 'redirected' : 'unexpected-status');
}
