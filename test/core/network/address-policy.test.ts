// The address policy: named addresses and forms of writing. Random ones: address-fuzz.test.ts.
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
    expect(isAllowedAddress(ip, 80, [])).toBe(false);
  });

  it.each(PUBLIC)('allows %s', (ip) => {
    expect(isAllowedAddress(ip, 80, [])).toBe(true);
  });
});

describe('parseAllowedNetworks', () => {
  const allowed = parseAllowedNetworks(['127.0.0.0/8', '::1/128', '10.1.2.3', 'fd12::/16', '0.0.0.0/32']);

  it.each(['127.0.0.1', '::ffff:127.9.9.9', '::1', '10.1.2.3', 'fd12:1::1', '0.0.0.0'])('opens %s', (ip) => {
    expect(isAllowedAddress(ip, 80, allowed)).toBe(true);
    expect(isInAllowedNetworks(ip, 80, allowed)).toBe(true);
  });

  it.each(['10.1.2.4', '::2', 'fd13::1', '0.0.0.1', '169.254.169.254', '::127.0.0.1'])(
    'leaves %s shut',
    (ip) => {
      expect(isAllowedAddress(ip, 80, allowed)).toBe(false);
    },
  );

  it('opens one port of an address', () => {
    const sockets = parseAllowedNetworks(['127.0.0.1:8090', '[::1]:8091']);
    expect(isAllowedAddress('127.0.0.1', 8090, sockets)).toBe(true);
    expect(isAllowedAddress('::ffff:127.0.0.1', 8090, sockets)).toBe(true);
    expect(isAllowedAddress('::1', 8091, sockets)).toBe(true);
    for (const [ip, port] of [
      ['127.0.0.1', 8091],
      ['127.0.0.1', 80],
      ['127.0.0.2', 8090],
      ['::1', 8090],
    ] as const) {
      expect([ip, port, isAllowedAddress(ip, port, sockets)]).toEqual([ip, port, false]);
    }
  });

  it('does not treat public addresses as allowed by name', () => {
    expect(isInAllowedNetworks('8.8.8.8', 80, allowed)).toBe(false);
    expect(isAllowedAddress('8.8.8.8', 80, allowed)).toBe(true);
  });

  it.each([
    'localhost',
    'localhost:80',
    '127.0.0.1:0',
    '127.0.0.1:65536',
    '127.0.0.0/8:80',
    '[127.0.0.1]x:80',
    '::1:',
    '127.0.0.0/33',
    '::1/129',
    '127.0.0.0/',
    '127.0.0.0/8/8',
    '10/8',
    '/8',
    '',
    '::1/-1',
    '1.1.1.1/1e1',
  ])('says what is expected instead of %j', (text) => {
    expect(() => parseAllowedNetworks([text])).toThrow('must be networks such as 127.0.0.0/8');
  });
});
