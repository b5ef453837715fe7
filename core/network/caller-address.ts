// The address that rate limits count a caller by.
import ipaddr from 'ipaddr.js';

/** An IPv4 address, or the /64 of an IPv6 address, because a customer usually has a whole /64. */
export function callerAddress(text: string): string {
  if (!ipaddr.isValid(text)) return 'unknown';
  const address = ipaddr.process(text);
  if (address.kind() === 'ipv4') return address.toString();
  return networkOf(address.toString(), 64);
}

/**
 * The /48 of an address that `callerAddress` returned: a customer may have all of its 65,536. It may also hold many
 * customers, so its limits are larger. Undefined for other addresses.
 */
export function siteOf(address: string): string | undefined {
  const [network, bits] = address.split('/');
  return network === undefined || bits === undefined ? undefined : networkOf(network, 48);
}

const networkOf = (address: string, bits: number): string =>
  `${ipaddr.IPv6.networkAddressFromCIDR(`${address}/${bits}`).toString()}/${bits}`;
