import type { FastifyRequest } from 'fastify';
import { STREAM_PATH } from './stream-route.js';

/** A host name, IPv4 or IPv6 address, with an optional port. Excludes characters that begin another part of a URL. */
const HOST = /^(?:[\w.-]+|\[[\da-fA-F:.]+\])(?::\d{1,5})?$/;

/**
 * Returns the address of the socket for the sender of a request, without a query. It is below the public address if
 * there is one, else on the host that the client used. The service itself has no TLS, so the address uses TLS only if a
 * trusted proxy reports it.
 *
 * @throws {Error} With status 400, if the Host header is invalid.
 */
export function socketUrlFor(request: FastifyRequest, publicUrl: URL | null): URL {
  const url = new URL(publicUrl ?? readHost(request));
  const path = url.pathname.replace(/\/$/, '');
  url.protocol = url.protocol === 'https:' ? 'wss:' : 'ws:';
  url.pathname = path + STREAM_PATH;
  return url;
}

function readHost({ host, protocol }: FastifyRequest): string {
  const address = `${protocol === 'https' ? 'https' : 'http'}://${host}`;
  if (HOST.test(host) && URL.canParse(address)) return address;
  throw Object.assign(new Error('The Host header is not a host.'), { statusCode: 400 });
}
