import { SvcApiError } from './svc-api-error.js';

/** Returns a JSON response that caches do not store. */
export function answer(status: number, content: unknown, headers: Readonly<Record<string, string>> = {}): Response {
  return new Response(JSON.stringify(content), {
    status,
    headers: {
      'Content-Type': 'application/json',
      'Cache-Control': 'no-store',
      'X-Content-Type-Options': 'nosniff',
      ...headers,
    },
  });
}

/** Returns an error response in the only shape this backend uses: `{detail}`. */
export function refuse(status: number, detail: string, headers?: Readonly<Record<string, string>>): Response {
  return answer(status, { detail }, headers);
}

/**
 * Converts a failed call to the service into the response for the page.
 *
 * Errors that the page or its user can act on pass through: 402, 422 (with the service's text, which names the field),
 * 429 and 503; for avatars and rooms also 403 and 404, with the service's text about the avatar. If the service refuses
 * the key, this server is misconfigured and the visitor cannot help, so the response is 502 instead of 401. Other
 * failures between the two servers are not explained to the visitor either.
 */
export function answerTo(error: SvcApiError, aboutAvatar: boolean): Response {
  const retry: Record<string, string> =
    error.retryAfterMs === undefined ? {} : { 'Retry-After': String(Math.ceil(error.retryAfterMs / 1000)) };
  if (isForPage(error, aboutAvatar)) return refuse(error.status, error.detail);
  switch (error.code) {
    case 'payment-required':
      return refuse(402, 'the account behind this server has no plan or no credits for speech');
    case 'rate-limited':
      return refuse(429, 'too many requests: try again later', retry);
    case 'unavailable':
      return refuse(503, 'the speech service is unavailable: try again later', retry);
    case 'timeout':
      return refuse(504, 'the speech service did not answer in time');
    case 'unauthorized':
      return refuse(502, 'the speech service refused the key of this server');
    case 'network':
      return refuse(502, 'the speech service cannot be reached');
    default:
      return refuse(502, 'the speech service gave no usable answer');
  }
}

/** Returns true if the page receives the service's own text, because the error is about what the page asked for. */
export function isForPage({ code }: SvcApiError, aboutAvatar: boolean): boolean {
  return code === 'invalid-request' || (aboutAvatar && (code === 'forbidden' || code === 'not-found'));
}
