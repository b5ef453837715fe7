// The address that rate limits count a caller by.
import ipaddr from 'ipaddr.js';

/** An IPv4 address, or the /64 of an IPv6 address, because a customer usually has a whole /64. */
export function callerAddress(text: string): string {
  const bare = text.replace(WITH_PORT, '$<v4>$<v6>');
  if (!ipaddr.isValid(bare)) return 'unknown';
  const address = ipaddr.process(bare);
  if (address.kind() === 'ipv4') return address.toString();
  return networkOf(address.toString(), 64);
}

/** Some proxies send the port too: `192.0.2.7:51234`, `[2001:db8::7]:51234`. */
const WITH_PORT = /^(?:(?<v4>[\d.]+):\d+|\[(?<v6>[^\]]+)\](?::\d+)?)$/;

/** The /48 of an IPv6 address gets so many times as much. */
export const SITE_FACTOR = 20;

/**
 * The networks that a limit for an address counts, with the factor of the limit: the address, as `callerAddress` returned it,
 * and the /48 of an IPv6 address. A customer may have all 65,536 networks of a /48, or it may hold many customers. The address is
 * first: one that has no more must not use up what its site has.
 */
export function networksOf(address: string): { network: string; factor: number }[] {
  const own = { network: address, factor: 1 };
  const [network, bits] = address.split('/');
  if (network === undefined || bits === undefined) return [own];
  return [own, { network: networkOf(network, 48), factor: SITE_FACTOR }];
}

const networkOf = (address: string, bits: number): string =>
  `${ipaddr.IPv6.networkAddressFromCIDR(`${address}/${bits}`).toString()}/${bits}`;
