// The address policy: named addresses, forms of writing, and a million random ones against an independent oracle.
import { describe, expect, it } from 'vitest';
import {
  isAllowedAddress,
  isInAllowedNetworks,
  parseAllowedNetworks,
} from '../../../core/network/address-policy.ts';

const REFUSED = [
  // IPv4, first and last of each network
  '0.0.0.0', '0.255.255.255', '10.0.0.0', '10.255.255.255', '100.64.0.0', '100.127.255.255', '127.0.0.1',
  '127.255.255.255', '169.254.0.0', '169.254.255.255', '172.16.0.0', '172.31.255.255', '192.0.0.0', '192.0.0.255',
  '192.0.2.1', '192.31.196.1', '192.52.193.1', '192.88.99.1', '192.168.0.0', '192.168.255.255', '192.175.48.1',
  '198.18.0.0', '198.19.255.255', '198.51.100.1', '203.0.113.1', '224.0.0.1', '239.255.255.255', '240.0.0.1',
  '255.255.255.255',
  // metadata services
  '169.254.169.254', '169.254.170.2', '100.100.100.200', '192.0.0.192', '168.63.129.16', 'fd00:ec2::254',
  'fd20:ce::254',
  // IPv6
  '::', '::1', 'fc00::1', 'fdff::1', 'fe80::1', 'febf::1', 'fec0::1', 'ff02::1', '100::1', '100:0:0:1::1', '2001::1',
  '2001:db8::1', '2620:4f:8000::1', '3fff::1', '3fff:fff::1', '5f00::1', '4000::1', '8000::1', '1::1', '1fff::1',
  // IPv4 inside IPv6: mapped, compatible, translated, NAT64, 6to4, Teredo, ISATAP
  '::ffff:127.0.0.1', '::ffff:7f00:1', '::ffff:a9fe:a9fe', '0:0:0:0:0:ffff:10.0.0.1', '::127.0.0.1', '::7f00:1',
  '::8.8.8.8', '::ffff:0:127.0.0.1', '::ffff:0:8.8.8.8', '64:ff9b::127.0.0.1', '64:ff9b::8.8.8.8', '64:ff9b:1::1',
  '2002:7f00:1::', '2002:808:808::1', '2001:0:4136:e378:8000:63bf:3fff:fdd2', '2a00:1450::5efe:10.0.0.1',
  '2a00:1450::200:5efe:808:808', '2a00:1450:0:0:100:5efe:7f00:1',
  // not addresses, or not in the usual form
  '', 'localhost', '127.1', '2130706433', '0177.0.0.1', '0x7f.0.0.1', '08.8.8.8', '8.8.8.8 ', ' 8.8.8.8', '8.8.8.8/8',
  '8.8.8', '8.8.8.8.8', '256.1.1.1', '[2a00:1450::1]', '2a00:1450::1%eth0', 'fe80::1%lo', '2a00::1::2', ':', '::g',
  '2a00:1450::1]/', '1:2:3:4:5:6:7', '１.1.1.1',
]; // prettier-ignore

const PUBLIC = [
  '1.1.1.1', '8.8.8.8', '9.255.255.255', '11.0.0.0', '100.63.255.255', '100.128.0.0', '126.255.255.255', '128.0.0.0',
  '168.63.129.15', '168.63.129.17', '169.253.255.255', '169.255.0.0', '172.15.255.255', '172.32.0.0', '192.0.1.0',
  '192.167.255.255', '192.169.0.0', '198.17.255.255', '198.20.0.0', '223.255.255.255', '::ffff:8.8.8.8',
  '::FFFF:808:808', '2a00:1450:4001::200e', '2606:4700::1111', '2001:200::1', '2001:4860:4860::8888', '2003::1',
  '3ffe:ffff::1', '2A00:1450:0:0:0:0:0:1',
]; // prettier-ignore

describe('isAllowedAddress', () => {
  it.each(REFUSED)('refuses %s', (ip) => {
    expect(isAllowedAddress(ip, [])).toBe(false);
  });

  it.each(PUBLIC)('allows %s', (ip) => {
    expect(isAllowedAddress(ip, [])).toBe(true);
  });

  it('agrees with bit masks on a million addresses', () => {
    const random = xorshift(0x9e3779b9);
    const disagreements: string[] = [];
    for (let i = 0; i < 600_000; i += 1) {
      const bits = nearAnEdge(random);
      const ip = ipv4Text(bits);
      if (isAllowedAddress(ip, []) !== isPublicIpv4(bits)) disagreements.push(ip);
    }
    for (let i = 0; i < 400_000; i += 1) {
      const groups = randomGroups(random);
      const ip = groups.map((group) => group.toString(16)).join(':');
      if (isAllowedAddress(ip, []) !== isPublicIpv6(groups)) disagreements.push(ip);
    }
    expect(disagreements).toEqual([]);
  }, 60_000);
});

describe('parseAllowedNetworks', () => {
  const allowed = parseAllowedNetworks(['127.0.0.0/8', '::1/128', '10.1.2.3', 'fd12::/16', '0.0.0.0/32']);

  it.each(['127.0.0.1', '::ffff:127.9.9.9', '::1', '10.1.2.3', 'fd12:1::1', '0.0.0.0'])('opens %s', (ip) => {
    expect(isAllowedAddress(ip, allowed)).toBe(true);
    expect(isInAllowedNetworks(ip, allowed)).toBe(true);
  });

  it.each(['10.1.2.4', '::2', 'fd13::1', '0.0.0.1', '169.254.169.254', '::127.0.0.1'])(
    'leaves %s shut',
    (ip) => {
      expect(isAllowedAddress(ip, allowed)).toBe(false);
    },
  );

  it('does not call public addresses allowed by name', () => {
    expect(isInAllowedNetworks('8.8.8.8', allowed)).toBe(false);
    expect(isAllowedAddress('8.8.8.8', allowed)).toBe(true);
  });

  it.each([
    'localhost',
    '127.0.0.0/33',
    '::1/129',
    '127.0.0.0/',
    '127.0.0.0/8/8',
    '10/8',
    '/8',
    '',
    '::1/-1',
    '1.1.1.1/1e1',
  ])('says what is wanted in place of %j', (text) => {
    expect(() => parseAllowedNetworks([text])).toThrow('must be networks such as 127.0.0.0/8');
  });
});

/** Small, seeded, and good enough to scatter addresses. */
function xorshift(seed: number): () => number {
  let state = seed;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return state >>> 0;
  };
}

// The oracle: written from the registries as masks over numbers, sharing nothing with the code under test.
const V4_MASKS: readonly (readonly [number, number])[] = [
  [0x00000000, 0xff000000], [0x0a000000, 0xff000000], [0x64400000, 0xffc00000], [0x7f000000, 0xff000000],
  [0xa83f8110, 0xffffffff], [0xa9fe0000, 0xffff0000], [0xac100000, 0xfff00000], [0xc0000000, 0xffffff00],
  [0xc0000200, 0xffffff00], [0xc01fc400, 0xffffff00], [0xc034c100, 0xffffff00], [0xc0586300, 0xffffff00],
  [0xc0a80000, 0xffff0000], [0xc0af3000, 0xffffff00], [0xc6120000, 0xfffe0000], [0xc6336400, 0xffffff00],
  [0xcb007100, 0xffffff00], [0xe0000000, 0xf0000000], [0xf0000000, 0xf0000000],
]; // prettier-ignore

function isPublicIpv4(bits: number): boolean {
  return !V4_MASKS.some(([network, mask]) => (bits & mask) >>> 0 === network);
}

function isPublicIpv6(groups: readonly number[]): boolean {
  const [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = groups;
  if ((a | b | c | d | e) === 0 && f === 0xffff) return isPublicIpv4(((g << 16) | h) >>> 0);
  if (a >> 13 !== 1) return false;
  const isSpecial =
    (a === 0x2001 && b < 0x200) ||
    (a === 0x2001 && b === 0xdb8) ||
    a === 0x2002 ||
    (a === 0x2620 && b === 0x4f && c === 0x8000) ||
    (a === 0x3fff && b < 0x1000);
  const isIsatap = f === 0x5efe && [0, 0x100, 0x200, 0x300].includes(e);
  return !isSpecial && !isIsatap;
}

/** Half of the numbers lie within four of the edge of a refused network, where mistakes live. */
function nearAnEdge(random: () => number): number {
  const bits = random();
  const [network, mask] = V4_MASKS[random() % V4_MASKS.length] ?? [0, 0];
  if (bits % 2 === 0) return bits;
  const edge = random() % 2 === 0 ? network : network + (~mask >>> 0);
  return (edge + (random() % 9) - 4) >>> 0;
}

const HEADS: readonly (readonly number[])[] = [
  [], [0x2000], [0x3fff], [0x3fff, 0xfff], [0x3fff, 0x1000], [0x1fff], [0x4000], [0x2001], [0x2001, 0x1ff],
  [0x2001, 0x200], [0x2001, 0xdb8], [0x2001, 0xdb7], [0x2002], [0x2003], [0x2620, 0x4f, 0x8000], [0x2620, 0x4f, 0x8001],
  [0, 0, 0, 0, 0, 0xffff], [0, 0, 0, 0, 0, 0], [0, 0, 0, 0, 0xffff, 0], [0x64, 0xff9b], [0xfd00], [0xfe80], [0xff02],
  [0x2a00, 0x1450, 0, 0, 0, 0x5efe], [0x2a00, 0x1450, 0, 0, 0x200, 0x5efe], [0x2a00, 0x1450, 0, 0, 0x400, 0x5efe],
]; // prettier-ignore

function randomGroups(random: () => number): number[] {
  const head = HEADS[random() % HEADS.length] ?? [];
  return Array.from({ length: 8 }, (_, i) => head[i] ?? random() & 0xffff);
}

function ipv4Text(bits: number): string {
  return `${bits >>> 24}.${(bits >>> 16) & 255}.${(bits >>> 8) & 255}.${bits & 255}`;
}
