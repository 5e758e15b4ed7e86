/** What a request is for, as its path says. */
export type Route =
  | { readonly name: 'session'; readonly method: 'POST' }
  | { readonly name: 'bundle'; readonly method: 'GET'; readonly avatarId: string }
  | { readonly name: 'room'; readonly method: 'GET' };

/**
 * Finds the route by the end of a path, so that it does not matter where the backend is mounted.
 *
 * @param path - Of a URL, still percent-encoded.
 * @returns `null` if there is nothing.
 */
export function findRoute(path: string): Route | null {
  if (/\/session\/?$/.test(path)) return { name: 'session', method: 'POST' };
  if (/\/rooms\/token\/?$/.test(path)) return { name: 'room', method: 'GET' };
  const avatarId = /\/avatars\/([^/]+)\/bundle\/?$/.exec(path)?.[1];
  if (avatarId === undefined) return null;
  try {
    return { name: 'bundle', method: 'GET', avatarId: decodeURIComponent(avatarId) };
  } catch {
    return null; // a percent sign without two digits, or bytes that are no UTF-8
  }
}
