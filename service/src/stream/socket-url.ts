import type { FastifyRequest } from 'fastify';
import { STREAM_PATH } from './stream-route.js';

/** A name, an IPv4 or an IPv6 address, with a port or without; nothing that would turn into another part of a URL. */
const HOST = /^(?:[\w.-]+|\[[\da-fA-F:.]+\])(?::\d{1,5})?$/;

/**
 * Address of the socket for whoever sent this request, without a query: below the public address if there is one, else at
 * the host that the client used, with TLS only if a proxy that is believed says so, since we have none ourselves.
 *
 * @throws {Error} With the status 400, if the Host header is not a host.
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
