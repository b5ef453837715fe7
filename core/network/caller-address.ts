// Whom to count a caller for: one IPv4 address, or the network that an IPv6 customer gets.
import ipaddr from 'ipaddr.js';

/** The address as text; for IPv6 its /64, because whoever has one address of it has them all. */
export function callerAddress(text: string): string {
  if (!ipaddr.isValid(text)) return 'unknown';
  const address = ipaddr.process(text);
  if (address.kind() === 'ipv4') return address.toString();
  const network = ipaddr.IPv6.networkAddressFromCIDR(`${address.toString()}/64`);
  return `${network.toString()}/64`;
}
