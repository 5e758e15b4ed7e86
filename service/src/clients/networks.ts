import { BlockList, isIP } from 'node:net';

/** Networks of this machine, for the entry `loopback` in settings. */
const LOOPBACK = ['127.0.0.0/8', '::1/128'];

/**
 * Reads a setting that lists addresses and networks: `10.0.0.5`, `10.1.0.0/16`, `2001:db8::/32`, `loopback`.
 *
 * @param setting - Name of the setting, for the message.
 * @param list - Text with commas, or a list.
 * @returns The entries, with `loopback` replaced by its networks.
 * @throws {RangeError} If an entry is none of these, or matches every address (`true`, `*`, `0.0.0.0/0`).
 */
export function readNetworks(setting: string, list: string | readonly string[]): string[] {
  const entries = (typeof list === 'string' ? list.split(',') : list).map((entry) => entry.trim()).filter(Boolean);
  const wrong = entries.find((entry) => entry !== 'loopback' && !isNetwork(entry));
  if (wrong !== undefined) {
    throw new RangeError(
      `${setting} must be addresses or networks, such as 10.0.0.5, 10.1.0.0/16 or loopback, not ${wrong}. ` +
        'Every address would be too many: nobody could be told apart or counted.',
    );
  }
  return entries.flatMap((entry) => (entry === 'loopback' ? LOOPBACK : entry));
}

function isNetwork(entry: string): boolean {
  const [, address, bits] = /^([^/%]+)(?:\/(\d{1,3}))?$/.exec(entry) ?? [];
  const version = isIP(address ?? '');
  if (!version) return false;
  return bits === undefined || (Number(bits) >= 1 && Number(bits) <= (version === 4 ? 32 : 128));
}

/** A set of addresses and networks. */
export class Networks {
  readonly #list = new BlockList();

  /** @param entries - As {@link readNetworks} returns them. */
  constructor(entries: readonly string[]) {
    for (const entry of entries) {
      const [address = '', bits] = entry.split('/');
      const family = isIP(address) === 6 ? 'ipv6' : 'ipv4';
      if (bits === undefined) this.#list.addAddress(address, family);
      else this.#list.addSubnet(address, Number(bits), family);
    }
  }

  /** Returns true if the set contains the address. An IPv4 address also matches in its IPv6 form. */
  has(address: string): boolean {
    const version = isIP(address);
    return version !== 0 && this.#list.check(address, version === 6 ? 'ipv6' : 'ipv4');
  }
}

const thisMachine = new Networks(LOOPBACK);

/** Returns true if a host name or address can only be reached from this machine. */
export function isLoopback(host: string): boolean {
  return host === 'localhost' || thisMachine.has(host);
}
