// The address that rate limits count a caller by.
import ipaddr from 'ipaddr.js';

/** An IPv4 address, or the /64 of an IPv6 address, because a customer usually has a whole /64. */
export function callerAddress(text: string): string {
  if (!ipaddr.isValid(text)) return 'unknown';
  const address = ipaddr.process(text);
  if (address.kind() === 'ipv4') return address.toString();
  const network = ipaddr.IPv6.networkAddressFromCIDR(`${address.toString()}/64`);
  return `${network.toString()}/64`;
}
