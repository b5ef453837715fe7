// IPv4 addresses within IPv6 addresses, for networks with a NAT64 gateway (RFC 6052).
import ipaddr from 'ipaddr.js';

/** A prefix under which this network's gateway reaches IPv4, from parseNat64Prefixes. */
export interface Nat64Prefix {
  network: ipaddr.IPv6;
  bits: number;
}

const LENGTHS: ReadonlySet<number> = new Set([32, 40, 48, 56, 64, 96]);
/** Always zero, and not part of the IPv4 address. */
const RESERVED_BYTE = 8;

/**
 * Parses prefixes such as `64:ff9b::/96`.
 * @throws Error that says what is expected
 */
export function parseNat64Prefixes(cidrs: readonly string[]): readonly Nat64Prefix[] {
  return cidrs.map((cidr) => {
    if (!ipaddr.IPv6.isValidCIDR(cidr)) throw unreadable();
    const [network, bits] = ipaddr.IPv6.parseCIDR(cidr);
    if (!LENGTHS.has(bits)) throw unreadable();
    return { network, bits };
  });
}

/** The IPv4 address in an IPv6 address; undefined if it has none of the prefixes. */
export function behindNat64(ip: string, prefixes: readonly Nat64Prefix[]): string | undefined {
  if (prefixes.length === 0 || !ipaddr.IPv6.isValid(ip)) return undefined;
  const address = ipaddr.IPv6.parse(ip);
  const prefix = prefixes.find(({ network, bits }) => address.match(network, bits));
  if (prefix === undefined) return undefined;
  const follows = address.toByteArray().filter((_, at) => at * 8 >= prefix.bits && at !== RESERVED_BYTE);
  return follows.slice(0, 4).join('.');
}

const unreadable = (): Error =>
  new Error('must be IPv6 prefixes of 32, 40, 48, 56, 64 or 96 bits such as 64:ff9b::/96');
