/** Which pages of other origins may use the backend, and the headers that tell their browsers. */
export interface CrossOrigin {
  /**
   * Tells whether a page that is not allowed may be behind a request that needs no preflight, as a GET does. Such a page
   * could not read the answer, but it would be charged to the visitor that it made ask.
   */
  readonly isForeign: (request: Request) => boolean;
  /** Tells whether a request asks, on behalf of an allowed page, what that page may send. */
  readonly isPreflight: (request: Request) => boolean;
  /** Adds the headers that let an allowed page read the answer. */
  readonly admit: (request: Request, response: Response) => Response;
  /** Answers a preflight. */
  readonly answerPreflight: (request: Request, method: string) => Response;
}

/** For how long a browser may remember the answer to a preflight, in seconds. */
const PREFLIGHT_SECONDS = 600;

/**
 * @param origins - Exact origins of the pages allowed, beside those of the backend's own origin.
 * @throws {TypeError} If one is not exactly an origin: `*`, `null`, one with a path or with a slash at the end.
 */
export function allowOrigins(origins: readonly string[]): CrossOrigin {
  for (const origin of origins) {
    if (!/^https?:[^*]*$/.test(origin) || !URL.canParse(origin) || new URL(origin).origin !== origin) {
      throw new TypeError(`corsOrigins takes exact origins such as https://app.example, not ${origin}`);
    }
  }
  const allowed = new Set(origins);
  const isAllowed = (request: Request): boolean => allowed.has(request.headers.get('Origin') ?? '');

  return {
    isForeign(request) {
      if (isAllowed(request)) return false;
      const site = request.headers.get('Sec-Fetch-Site');
      if (site !== null) return site !== 'same-origin' && site !== 'none';
      // An old browser, or one on a page without TLS, which has no such header; or no browser. Images have no Origin.
      const origin = request.headers.get('Origin');
      const page = origin ?? (request.headers.get('Referer') || null);
      if (page === null) return false;
      if (!URL.canParse(page)) return true;
      if (origin === null && allowed.has(new URL(page).origin)) return false;
      // Schemes are not compared: TLS may end before this server.
      return new URL(page).host !== new URL(request.url).host;
    },
    isPreflight: (request) =>
      request.method === 'OPTIONS' && request.headers.has('Access-Control-Request-Method') && isAllowed(request),
    admit(request, response) {
      if (allowed.size > 0) response.headers.append('Vary', 'Origin');
      if (isAllowed(request)) {
        response.headers.set('Access-Control-Allow-Origin', request.headers.get('Origin') ?? '');
        response.headers.set('Access-Control-Allow-Credentials', 'true');
        response.headers.set('Access-Control-Expose-Headers', 'Retry-After');
      }
      return response;
    },
    answerPreflight(request, method) {
      const response = new Response(null, { status: 204 });
      response.headers.set('Access-Control-Allow-Methods', method);
      // Whatever `authorize` wants to see: the origin is trusted by name.
      const asked = request.headers.get('Access-Control-Request-Headers');
      if (asked !== null) response.headers.set('Access-Control-Allow-Headers', asked);
      response.headers.set('Access-Control-Max-Age', String(PREFLIGHT_SECONDS));
      response.headers.set('Vary', 'Access-Control-Request-Headers');
      return response;
    },
  };
}
