// Addresses behind NAT64, by the examples of RFC 6052 2.4.
import { describe, expect, it } from 'vitest';
import { behindNat64, parseNat64Prefixes } from '../../../core/network/nat64.ts';

it.each([
  ['2001:db8::/32', '2001:db8:c000:221::'],
  ['2001:db8:100::/40', '2001:db8:1c0:2:21::'],
  ['2001:db8:122::/48', '2001:db8:122:c000:2:2100::'],
  ['2001:db8:122:300::/56', '2001:db8:122:3c0:0:221::'],
  ['2001:db8:122:344::/64', '2001:db8:122:344:c0:2:2100::'],
  ['2001:db8:122:344::/96', '2001:db8:122:344::192.0.2.33'],
  ['64:ff9b::/96', '64:ff9b::c000:221'],
])('under %s, %s is 192.0.2.33', (prefix, ip) => {
  expect(behindNat64(ip, parseNat64Prefixes(['2a00:1::/96', prefix]))).toBe('192.0.2.33');
});

it.each(['64:ff9c::c000:221', '192.0.2.33', 'example.com', '', '::ffff:192.0.2.33'])(
  '%j is none of them',
  (ip) => {
    expect(behindNat64(ip, parseNat64Prefixes(['64:ff9b::/96']))).toBeUndefined();
  },
);

describe('a prefix', () => {
  it.each(['', '64:ff9b::', '64:ff9b::/95', '10.0.0.0/8', 'nonsense/96', '64:ff9b::/96/96'])(
    'is not %j',
    (text) => {
      expect(() => parseNat64Prefixes([text])).toThrow('such as 64:ff9b::/96');
    },
  );
});
