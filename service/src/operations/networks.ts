import { BlockList, isIP } from 'node:net';

/** Whether it is an address or a network: `10.0.0.5`, `10.1.0.0/16`, `2001:db8::/32`. Everybody (`/0`) is none. */
export function isNetwork(entry: string): boolean {
  const [, address, bits] = /^([^/%]+)(?:\/(\d{1,3}))?$/.exec(entry) ?? [];
  const version = isIP(address ?? '');
  if (!version) return false;
  return bits === undefined || (Number(bits) >= 1 && Number(bits) <= (version === 4 ? 32 : 128));
}

/** Makes a list of addresses and networks, in which {@link isIn} looks. @param entries - Each a {@link isNetwork}. */
export function blockListOf(entries: readonly string[]): BlockList {
  const list = new BlockList();
  for (const entry of entries) {
    const [address = '', bits] = entry.split('/');
    const family = isIP(address) === 6 ? 'ipv6' : 'ipv4';
    if (bits === undefined) list.addAddress(address, family);
    else list.addSubnet(address, Number(bits), family);
  }
  return list;
}

/** Whether an address is in a list. An IPv4 address is the same when it is written as IPv6. */
export function isIn(list: BlockList, address: string): boolean {
  const version = isIP(address);
  return version !== 0 && list.check(address, version === 6 ? 'ipv6' : 'ipv4');
}
