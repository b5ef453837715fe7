// Which IP addresses and ports outbound requests may reach. The tables here are the policy; ipaddr.js does the arithmetic.
// Sources: the IANA special-purpose registries, and the addresses of cloud metadata services.
import ipaddr from 'ipaddr.js';

/** A network, and optionally the only port that is meant. */
type Network = readonly [ipaddr.IPv4 | ipaddr.IPv6, bits: number, port?: number];

/** Networks that the operator allows although they are not public, from parseAllowedNetworks. */
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

/** The only IPv6 space with public addresses. Everything else (compatible, NAT64, ULA…) is refused. */
const PUBLIC_IPV6 = '2000::/3';

/** Refused although within 2000::/3. */
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
 * Parses networks in CIDR form (`127.0.0.0/8`, `::1/128`), single addresses, and addresses with a single port
 * (`127.0.0.1:8090`, `[::1]:8090`).
 * @throws Error that says what is expected
 */
export function parseAllowedNetworks(texts: readonly string[]): AllowedNetworks {
  return texts.map((text) => parseSocketAddress(text) ?? parseNetwork(text));
}

/**
 * Whether the address may be contacted on this port. Does not check the port of public addresses (isAllowedPort does).
 * Anything that is not an IP address in its usual form is refused.
 */
export function isAllowedAddress(ip: string, port: number, allowed: AllowedNetworks): boolean {
  const address = parseAddress(ip);
  return address !== undefined && (isIn(allowed, address, port) || isPublic(address));
}

/** Whether the operator has explicitly allowed this address and port. Then any port is allowed. */
export function isInAllowedNetworks(ip: string, port: number, allowed: AllowedNetworks): boolean {
  const address = parseAddress(ip);
  return address !== undefined && isIn(allowed, address, port);
}

/** Whether the operator has allowed whole networks. Then names are resolved as on this machine. */
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

/** An ISATAP interface identifier (RFC 5214: 5efe, any scope bits) contains an IPv4 address, under any prefix. */
function isIsatap(address: ipaddr.IPv4 | ipaddr.IPv6): boolean {
  if (!(address instanceof ipaddr.IPv6)) return false;
  const [, , , , scope = 0, marker = 0] = address.parts;
  return marker === 0x5efe && (scope & 0xfcff) === 0;
}

/** Turns IPv4-mapped IPv6 into the IPv4 address that the socket really reaches. */
function parseAddress(text: string): ipaddr.IPv4 | ipaddr.IPv6 | undefined {
  if (!text.includes(':')) {
    return ipaddr.IPv4.isValidFourPartDecimal(text) ? ipaddr.IPv4.parse(text) : undefined;
  }
  if (!/^[0-9a-f:.]+$/i.test(text)) return undefined;
  // ipaddr.js would read ::1.2.3.4 as ::ffff:1.2.3.4. The URL parser is strict and writes dotted parts in hex.
  const host = URL.parse(`http://[${text}]/`)?.hostname;
  if (host === undefined) return undefined;
  const address = ipaddr.IPv6.parse(host.slice(1, -1));
  return address.isIPv4MappedAddress() ? address.toIPv4Address() : address;
}

function parseSocketAddress(text: string): Network | undefined {
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

const LOW_PORTS: ReadonlySet<number> = new Set([80, 443]);

/** High ports of databases, queues, remote control and other internal services. */
const REFUSED_PORTS: ReadonlySet<number> = new Set([
  1433, 1434, 1521, 1719, 1720, 1723, 1883, 2049, 2181, 2375, 2376, 2379, 2380, 3268, 3269, 3306, 3389, 3659,
  4045, 4190, 4369, 5060, 5061, 5432, 5433, 5672, 5900, 5901, 5984, 5985, 5986, 6000, 6379, 6380, 6432, 6443,
  6566, 6660, 6661, 6662, 6663, 6664, 6665, 6666, 6667, 6668, 6669, 6679, 6697, 7000, 7001, 7199, 7233, 8086,
  8200, 8500, 8600, 9042, 9092, 9100, 9160, 9200, 9300, 10_080, 10_250, 10_255, 11_211, 15_672, 26_257,
  26_379, 27_017, 27_018, 27_019, 28_017, 50_070, 61_613, 61_616,
]);

/** Whether a port of a public address may be contacted. */
export function isAllowedPort(port: number): boolean {
  return LOW_PORTS.has(port) || (port >= 1024 && port <= 65_535 && !REFUSED_PORTS.has(port));
}
