import { expect, it } from 'vitest';
import { callerAddress, networksOf, SITE_FACTOR } from '../../../core/network/caller-address.ts';

it.each([
  ['203.0.113.7', '203.0.113.7'],
  ['::ffff:203.0.113.7', '203.0.113.7'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:db8:1:2::', '2001:db8:1:2::/64'],
  ['fe80::1%eth0', 'fe80::/64'],
  ['::1', '::/64'],
  ['203.0.113.7:51234', '203.0.113.7'],
  ['[2001:db8:1:2:3:4:5:6]:51234', '2001:db8:1:2::/64'],
  ['[2001:db8:1:2:3:4:5:6]', '2001:db8:1:2::/64'],
  ['203.0.113.7:', 'unknown'],
  ['', 'unknown'],
  ['somewhere', 'unknown'],
])('counts %j for %s', (given, counted) => {
  expect(callerAddress(given)).toBe(counted);
});

it.each([
  ['203.0.113.7', undefined],
  ['unknown', undefined],
  ['2001:db8:1:2::/64', '2001:db8:1::/48'],
  ['::/64', '::/48'],
])('knows the site of %j', (address, site) => {
  const networks = site === undefined ? [] : [{ network: site, factor: SITE_FACTOR }];
  expect(networksOf(address)).toEqual([{ network: address, factor: 1 }, ...networks]);
});
