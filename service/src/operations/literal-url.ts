/**
 * For Fastify's option `rewriteUrl`: takes the path of a URL that cannot be decoded (`/api/v1/100%`) as it is written.
 * Otherwise Fastify answers such a request before anything can count it, ask for a key, or give the answer its shape;
 * so it is a path that does not exist, like others.
 *
 * @returns The URL; the same one if it can be decoded.
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
