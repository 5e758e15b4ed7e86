import { SvcApiError } from './svc-api-error.js';

/** Makes a JSON response that no cache keeps. */
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

/** Makes an error response of the one shape this backend has: `{detail}`. */
export function refuse(status: number, detail: string, headers?: Readonly<Record<string, string>>): Response {
  return answer(status, { detail }, headers);
}

/**
 * Turns a failed call to the service into the answer for the page.
 *
 * What the page or its user can act on passes through: 402, 422 (with the service's words, which name the field), 429
 * and 503; for avatars and rooms also 403 and 404, with the service's words, which are about the avatar. A key that is
 * refused is this server's fault, not the visitor's, so it becomes 502 and not 401, and like everything else that went
 * wrong between the two servers it is not explained to the visitor.
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
    default:
      return refuse(502, 'the speech service gave no usable answer');
  }
}

/** Tells whether the page is told what the service said, since it is about what the page asked for. */
export function isForPage({ code }: SvcApiError, aboutAvatar: boolean): boolean {
  return code === 'invalid-request' || (aboutAvatar && (code === 'forbidden' || code === 'not-found'));
}
