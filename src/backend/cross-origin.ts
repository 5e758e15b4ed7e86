import { urlOf } from './route.js';

/** Decides which pages of other origins may use the backend, and sets the CORS headers for them. */
export interface CrossOrigin {
  /**
   * Returns true if a request that needs no preflight, such as a GET, may come from a page that is not allowed. Such a
   * page could not read the answer, but the visitor whose browser sends the request would be charged.
   */
  readonly isForeign: (request: Request) => boolean;
  /** Returns true if the request is a preflight of an allowed page. */
  readonly isPreflight: (request: Request) => boolean;
  /** Adds the headers that let an allowed page read the response. */
  readonly admit: (request: Request, response: Response) => Response;
  /** Returns the response to a preflight. */
  readonly answerPreflight: (request: Request, method: string) => Response;
}

/** How long a browser may cache the response to a preflight, in seconds. */
const PREFLIGHT_SECONDS = 600;

/**
 * @param origins - Exact origins of the allowed pages, in addition to the backend's own origin.
 * @throws {TypeError} If an entry is not exactly an origin: `*`, `null`, or an origin with a path or a trailing slash.
 */
export function allowOrigins(origins: readonly string[]): CrossOrigin {
  for (const origin of origins) {
    if (!isOrigin(origin)) {
      throw new TypeError(`corsOrigins takes exact origins such as https://app.example, not ${origin}`);
    }
  }
  const allowed = new Set(origins);
  const isAllowed = (request: Request): boolean => allowed.has(request.headers.get('Origin') ?? '');

  return {
    isForeign(request) {
      const { headers } = request;
      if (isAllowed(request)) return false;
      const site = headers.get('Sec-Fetch-Site');
      if (site !== null) return site !== 'same-origin' && site !== 'none';
      // The header is missing in an old browser, on a page without TLS, and outside browsers. Images send no Origin.
      const origin = headers.get('Origin');
      const page = origin ?? (headers.get('Referer') || null);
      if (page === null) return false;
      if (!URL.canParse(page)) return true;
      if (origin === null && allowed.has(new URL(page).origin)) return false;
      // A proxy or a framework may have changed the first of these. A page of another origin can send neither header.
      const own = [urlOf(request).host, headers.get('Host'), headers.get('X-Forwarded-Host')].join();
      // Schemes are not compared: TLS may end before this server.
      const [host] = hostsIn(new URL(page).host);
      return !host || !hostsIn(own).includes(host);
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
      // Allow every header that `authorize` may want: the origin is trusted by name.
      const asked = request.headers.get('Access-Control-Request-Headers');
      if (asked !== null) response.headers.set('Access-Control-Allow-Headers', asked);
      response.headers.set('Access-Control-Max-Age', String(PREFLIGHT_SECONDS));
      response.headers.set('Vary', 'Access-Control-Request-Headers');
      return response;
    },
  };
}

/** Returns the hosts in a list, without the ports that browsers leave out. */
function hostsIn(list: string): string[] {
  return list
    .toLowerCase()
    .replaceAll(/:(?:80|443)\b| /g, '')
    .split(',')
    .filter(Boolean);
}

/** True for the origin of a website, and for that of an extension or app, such as `capacitor://localhost`. */
function isOrigin(text: string): boolean {
  if (!URL.canParse(text) || text.includes('*')) return false;
  const { origin, protocol } = new URL(text);
  if (protocol === 'http:' || protocol === 'https:') return origin === text;
  // The URL standard gives other schemes an opaque origin; browsers send scheme and host.
  return origin === 'null' && /^[a-z][a-z\d+.-]*:\/\/[^/?#@]+$/.test(text);
}
