/**
 * Escapes the path of a URL that cannot be decoded (`/api/v1/100%`), for Fastify's option `rewriteUrl`.
 *
 * Fastify answers such a request before it can be counted, authenticated, or given the usual body of a refusal. The
 * escaped path is handled like any other path that does not exist.
 *
 * @returns The escaped URL; the same URL if it can be decoded.
 */
export function literalUrl({ url = '/' }: { readonly url?: string | undefined }): string {
  if (!url.includes('%')) return url;
  const end = url.search(/[?#]/);
  const path = end < 0 ? url : url.slice(0, end);
  try {
    decodeURIComponent(path);
    return url;
  } catch {
    return path.replaceAll('%', '%25') + url.slice(path.length);
  }
}
