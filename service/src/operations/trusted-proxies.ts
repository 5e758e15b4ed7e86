import { isNetwork } from './address-list.js';

/**
 * Turns the list of `SVC_TRUST_PROXY` into Fastify's option `trustProxy`: whose `X-Forwarded-For`, `-Host` and `-Proto`
 * are believed. Who is not on it is the client, whatever it writes there; of a chain, the client is the first address from
 * the right that is not on it.
 *
 * @param list - Addresses and networks (`10.0.0.5`, `10.1.0.0/16`, `2001:db8::/32`), separated by commas or as a list.
 * @returns `false` for an empty list: nobody is trusted.
 * @throws {RangeError} If something in it is neither, or is everybody (`true`, `0.0.0.0/0`): every client could choose
 *   its address then.
 */
export function trustedProxies(list: string | readonly string[]): string[] | false {
  const entries = (typeof list === 'string' ? list.split(',') : list).map((entry) => entry.trim()).filter(Boolean);
  const wrong = entries.find((entry) => !isNetwork(entry));
  if (wrong !== undefined) {
    throw new RangeError(
      `SVC_TRUST_PROXY must be addresses or networks of proxies, such as 10.0.0.5 or 10.1.0.0/16, not ${wrong}.`,
    );
  }
  return entries.length ? entries : false;
}
