/** Purpose of a request, as given by its path. */
export type Route =
  | { readonly name: 'session'; readonly method: 'POST' }
  | { readonly name: 'bundle'; readonly method: 'GET'; readonly avatarId: string }
  | { readonly name: 'room'; readonly method: 'GET' };

/**
 * Returns the URL of a request. Without a usable `Host`, Bun gives only a path, or a URL that cannot be parsed
 * (https://github.com/oven-sh/bun/pull/33721): such a request has a host of its own here.
 */
export function urlOf({ url }: Request): URL {
  return new URL(URL.canParse(url) ? url : `https://host.invalid/${url.replace(/^https?:\/\/[^/]*/i, '')}`);
}

/**
 * Finds the route by the end of a path, so that it does not matter where the backend is mounted.
 *
 * @param path - Path of a URL, still percent-encoded.
 * @returns `null` if no route matches.
 */
export function findRoute(path: string): Route | null {
  if (/\/session\/?$/.test(path)) return { name: 'session', method: 'POST' };
  if (/\/rooms\/token\/?$/.test(path)) return { name: 'room', method: 'GET' };
  const avatarId = /\/avatars\/([^/]+)\/bundle\/?$/.exec(path)?.[1];
  if (avatarId === undefined) return null;
  try {
    return { name: 'bundle', method: 'GET', avatarId: decodeURIComponent(avatarId) };
  } catch {
    return null; // a percent sign without two hex digits, or bytes that are not UTF-8
  }
}
