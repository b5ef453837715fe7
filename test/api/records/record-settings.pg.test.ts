import { expect, it } from 'vitest';
import {
  validateSettings,
  defaultIntervalSeconds,
  type GivenSettings,
} from '../../../api/records/record-settings.ts';
import { parseConfig } from '../../../core/config.ts';
import { ApiError } from '../../../core/errors.ts';
import { parseAllowedNetworks } from '../../../core/network/address-policy.ts';
import type { Tier } from '../../../core/tiers.ts';

const withMinimum = (seconds: number) => parseConfig({ MIN_CHECK_SECONDS: String(seconds) });

function faultsOf(given: GivenSettings, tier: Tier = 'free', minCheckSeconds = 0): string[] {
  try {
    validateSettings(given, {
      tier,
      config: withMinimum(minCheckSeconds),
      reach: { account: [], anonymous: [] },
    });
    return [];
  } catch (error) {
    return error instanceof ApiError ? error.errors.map(({ pointer }) => pointer) : [String(error)];
  }
}

it.each(['free', 'watch', 'max'] as const)(
  'a record on %s is checked every hour unless told otherwise',
  (tier) => {
    expect(defaultIntervalSeconds(tier)).toBe(3_600);
  },
);

it('limits an interval to the tier’s, or to the operator’s lower minimum', () => {
  expect(faultsOf({ checkIntervalMinutes: 5 }, 'free')).toEqual(['/checkIntervalMinutes']);
  expect(faultsOf({ checkIntervalMinutes: 5 }, 'watch')).toEqual([]);
  expect(faultsOf({ checkIntervalMinutes: 4.9 }, 'watch')).toEqual(['/checkIntervalMinutes']);
  expect(faultsOf({ checkIntervalMinutes: 0.1 }, 'free', 6)).toEqual([]);
  expect(faultsOf({ checkIntervalMinutes: 0.09 }, 'free', 6)).toEqual(['/checkIntervalMinutes']);
});

it('names every error, the URL first', () => {
  const given = {
    url: 'http://10.1.1.1/',
    slug: 'self',
    checkIntervalMinutes: 1,
    format: 'jsonl',
    delimiter: ';',
  } as const;
  expect(faultsOf(given)).toEqual(['/url', '/checkIntervalMinutes', '/slug', '/delimiter']);
});

it('allows a tab for TSV, and a delimiter for any detected format', () => {
  expect(faultsOf({ format: 'tsv', delimiter: '\t' })).toEqual([]);
  expect(faultsOf({ format: 'tsv', delimiter: ';' })).toEqual(['/delimiter']);
  expect(faultsOf({ delimiter: ';' })).toEqual([]);
});

it('returns the URL in its stored form', () => {
  const rules = {
    tier: 'free',
    config: withMinimum(0),
    reach: { account: parseAllowedNetworks(['127.0.0.0/8']), anonymous: [] },
  } as const;
  expect(validateSettings({ url: 'HTTP://127.0.0.1:8090/a b#c' }, rules)?.href).toBe(
    'http://127.0.0.1:8090/a%20b',
  );
  expect(validateSettings({}, rules)).toBeUndefined();
});
