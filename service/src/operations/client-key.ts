import { isIP } from 'node:net';
import { normalizeIP } from '@fastify/rate-limit';

/** What is counted together because it has no address: a socket that is gone, a pipe, nonsense from a proxy. */
const NO_ADDRESS = 'unknown';

/** An IPv4 or bracketed IPv6 address with a port behind it, as some proxies write it into X-Forwarded-For. */
const WITH_PORT = /^(?:([\d.]+)|\[([^\]]+)\]):\d+$/;

/**
 * What a client is counted by. An IPv4 address is the same client when it is written as IPv6 (`::ffff:1.2.3.4`). An IPv6
 * client has the 64 bits that networks give to each customer: it could use a new address for every request.
 *
 * @param address - Address of the client as Fastify's `request.ip` has it.
 */
export function clientKey(address: string | undefined): string {
  const [, v4, v6] = WITH_PORT.exec(address ?? '') ?? [];
  const ip = v4 ?? v6 ?? address ?? '';
  return isIP(ip) ? normalizeIP(ip) : NO_ADDRESS;
}
