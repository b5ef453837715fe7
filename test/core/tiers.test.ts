// Tiers: each allows at least as much as the one below it, and paid ones unlock keys and webhooks.
import { expect, it } from 'vitest';
import { isPaidTier, type Tier, type TierLimits, TIERS } from '../../core/tiers.ts';

const ORDER: Tier[] = ['anonymous', 'free', 'watch', 'max'];
const limitsOf = (tier: Tier): TierLimits => TIERS[tier];

it('are the four of the interface', () => {
  expect(Object.keys(TIERS)).toEqual(ORDER);
});

it.each([0, 1, 2])('tier %i allows no more than the one above it', (at) => {
  const [lower, upper] = ORDER.slice(at, at + 2).map(limitsOf);
  if (lower === undefined || upper === undefined) throw new Error('No such tier');
  expect(upper.minIntervalSeconds).toBeLessThanOrEqual(lower.minIntervalSeconds);
  for (const limit of [
    'maxRows',
    'maxBodyBytes',
    'retentionDays',
    'mcpCallsPerDay',
    'requestsPerMinute',
  ] as const) {
    expect(upper[limit]).toBeGreaterThanOrEqual(lower[limit]);
  }
});

it('unlock keys and webhooks when they are paid', () => {
  expect(ORDER.filter(isPaidTier)).toEqual(['watch', 'max']);
});

it('allow anonymous sessions the calls of the interface', () => {
  expect(TIERS.anonymous.mcpCallsPerDay).toBe(50);
});
