// Which IP addresses outbound requests may reach: the policy is the table here; ipaddr.js only does the arithmetic.
// Sources: the IANA special-purpose registries, and the addresses at which clouds serve metadata.
import ipaddr from 'ipaddr.js';

/** A network, and the one port that is meant; every port unless given. */
type Network = readonly [ipaddr.IPv4 | ipaddr.IPv6, bits: number, port?: number];

/** Networks that the operator allows although they are not public. Made by parseAllowedNetworks. */
export type AllowedNetworks = readonly Network[];

/** Every IPv4 address is public unless it is in one of these. */
export const REFUSED_IPV4 = [
  '0.0.0.0/8', // "this network"; Linux connects 0.0.0.0 to loopback
  '10.0.0.0/8', // private
  '100.64.0.0/10', // carrier-grade NAT; Alibaba metadata 100.100.100.200
  '127.0.0.0/8', // loopback
  '168.63.129.16/32', // Azure WireServer, an otherwise public address
  '169.254.0.0/16', // link-local; metadata of AWS, GCP, Azure and others
  '172.16.0.0/12', // private
  '192.0.0.0/24', // protocol assignments; Oracle metadata 192.0.0.192
  '192.0.2.0/24', // documentation
  '192.31.196.0/24', // AS112
  '192.52.193.0/24', // automatic multicast tunnelling
  '192.88.99.0/24', // 6to4 relays
  '192.168.0.0/16', // private
  '192.175.48.0/24', // AS112
  '198.18.0.0/15', // benchmarking
  '198.51.100.0/24', // documentation
  '203.0.113.0/24', // documentation
  '224.0.0.0/4', // multicast
  '240.0.0.0/4', // reserved, broadcast
] as const;

/** The only IPv6 space in which public addresses are assigned; all else (compatible, NAT64, ULA…) is refused. */
const PUBLIC_IPV6 = '2000::/3';

/** Refused although inside 2000::/3. */
export const REFUSED_IPV6 = [
  '2001::/23', // protocol assignments, Teredo, benchmarking, ORCHID
  '2001:db8::/32', // documentation
  '2002::/16', // 6to4: carries any IPv4 address
  '2620:4f:8000::/48', // AS112
  '3fff::/20', // documentation
] as const;

const refusedIpv4 = REFUSED_IPV4.map(parseNetwork);
const refusedIpv6 = REFUSED_IPV6.map(parseNetwork);
const publicIpv6 = parseNetwork(PUBLIC_IPV6);

/**
 * Reads networks in CIDR form (`127.0.0.0/8`, `::1/128`); a bare address stands for itself alone, and one with a port
 * (`127.0.0.1:8090`, `[::1]:8090`) for that port alone.
 * @throws Error that says what is wanted
 */
export function parseAllowedNetworks(texts: readonly string[]): AllowedNetworks {
  return texts.map((text) => parsePlace(text) ?? parseNetwork(text));
}

/**
 * Whether a connection to this address and port may be made, as far as the address goes. Anything that is not an IP
 * address in its usual textual form is refused.
 */
export function isAllowedAddress(ip: string, port: number, allowed: AllowedNetworks): boolean {
  const address = parseAddress(ip);
  return address !== undefined && (isIn(allowed, address, port) || isPublic(address));
}

/** Whether the operator has allowed this address and port by name: then it may be a port that others may not use. */
export function isInAllowedNetworks(ip: string, port: number, allowed: AllowedNetworks): boolean {
  const address = parseAddress(ip);
  return address !== undefined && isIn(allowed, address, port);
}

/** Whether the operator has allowed more than single ports: then names may mean what they mean on this machine. */
export const allowsNetworks = (allowed: AllowedNetworks): boolean =>
  allowed.some(([, , port]) => port === undefined);

function isPublic(address: ipaddr.IPv4 | ipaddr.IPv6): boolean {
  if (address.kind() === 'ipv4') return !isIn(refusedIpv4, address);
  return isIn([publicIpv6], address) && !isIn(refusedIpv6, address) && !isIsatap(address);
}

function isIn(networks: readonly Network[], address: ipaddr.IPv4 | ipaddr.IPv6, port?: number): boolean {
  return networks.some(
    ([network, bits, only]) =>
      (only === undefined || only === port) &&
      network.kind() === address.kind() &&
      address.match(network, bits),
  );
}

/** An ISATAP interface identifier (RFC 5214: 5efe, any scope bits) carries an IPv4 address under any prefix. */
function isIsatap(address: ipaddr.IPv4 | ipaddr.IPv6): boolean {
  if (!(address instanceof ipaddr.IPv6)) return false;
  const [, , , , scope = 0, marker = 0] = address.parts;
  return marker === 0x5efe && (scope & 0xfcff) === 0;
}

/** IPv4-mapped IPv6 becomes the IPv4 address that the socket really reaches. */
function parseAddress(text: string): ipaddr.IPv4 | ipaddr.IPv6 | undefined {
  if (!text.includes(':')) {
    return ipaddr.IPv4.isValidFourPartDecimal(text) ? ipaddr.IPv4.parse(text) : undefined;
  }
  if (!/^[0-9a-f:.]+$/i.test(text)) return undefined;
  // The URL parser is strict and writes dotted tails in hex; ipaddr.js alone reads ::1.2.3.4 as ::ffff:1.2.3.4.
  const host = URL.parse(`http://[${text}]/`)?.hostname;
  if (host === undefined) return undefined;
  const address = ipaddr.IPv6.parse(host.slice(1, -1));
  return address.isIPv4MappedAddress() ? address.toIPv4Address() : address;
}

function parsePlace(text: string): Network | undefined {
  const [, host = '', port = ''] = /^([\d.]+|\[[^\]]*\]):(\d{1,5})$/.exec(text) ?? [];
  const address = parseAddress(host.replace(/^\[(.*)\]$/, '$1'));
  if (address === undefined || Number(port) < 1 || Number(port) > 65_535) return undefined;
  return [address, address.kind() === 'ipv4' ? 32 : 128, Number(port)];
}

function parseNetwork(cidr: string): Network {
  const [text = '', length, ...rest] = cidr.split('/');
  const address = parseAddress(text);
  const most = address?.kind() === 'ipv4' ? 32 : 128;
  const bits = length === undefined ? most : Number(length);
  const isLength = length === undefined || /^\d{1,3}$/.test(length);
  if (address === undefined || rest.length > 0 || !isLength || bits > most) {
    throw new Error('must be networks such as 127.0.0.0/8 or ::1/128, or places such as 127.0.0.1:8090');
  }
  return [address, bits];
}
