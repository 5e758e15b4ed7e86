import { isIP } from 'node:net';
import { normalizeIP } from '@fastify/rate-limit';

/** Shared key of clients without an address: a closed socket, a pipe, an invalid value from a proxy. */
const NO_ADDRESS = 'unknown';

/** An IPv4 or bracketed IPv6 address followed by a port, as some proxies write it into X-Forwarded-For. */
const WITH_PORT = /^(?:([\d.]+)|\[([^\]]+)\]):\d+$/;

/**
 * Returns the key by which a client is counted. An IPv4 address and its IPv6 form (`::ffff:1.2.3.4`) have the same key.
 * The key of an IPv6 client is its first 64 bits, which networks assign to one customer: a client could use a new
 * address for every request.
 *
 * @param address - Address of the client, from Fastify's `request.ip`.
 */
export function clientKey(address: string | undefined): string {
  const [, v4, v6] = WITH_PORT.exec(address ?? '') ?? [];
  const ip = v4 ?? v6 ?? address ?? '';
  return isIP(ip) ? normalizeIP(ip) : NO_ADDRESS;
}
