// Places at endpoints: never more than the share, given back once, and different times for those who find none.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createEndpointShares, type ShareLimits } from '../../../activities/deliveries/endpoint-shares.ts';
import { propertyRuns } from '../../support/property-runs.ts';

const LIMITS: ShareLimits = { perEndpoint: 3, perEndpointBacklog: 2, perAccount: 5 };
const at = (webhookId: string, accountId = 'acc_1') => ({ webhookId, accountId });

describe('shares of endpoints', () => {
  it('are never exceeded, whoever takes and gives back in which order', () => {
    const step = fc.record({
      webhook: fc.integer({ min: 0, max: 3 }),
      isBacklog: fc.boolean(),
      gives: fc.boolean(),
    });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const shares = createEndpointShares(LIMITS);
        const taken: { webhook: number; release: () => void }[] = [];
        const inFlight = (webhook: number) => taken.filter((one) => one.webhook === webhook).length;
        for (const { webhook, isBacklog, gives } of steps) {
          if (gives) {
            taken.shift()?.release();
            continue;
          }
          const room = isBacklog ? LIMITS.perEndpointBacklog : LIMITS.perEndpoint;
          const isFree = inFlight(webhook) < room && taken.length < LIMITS.perAccount;
          const release = shares.take(at(`wh_${webhook}`), isBacklog);
          expect(release !== undefined).toBe(isFree);
          if (release !== undefined) taken.push({ webhook, release });
        }
      }),
      propertyRuns(),
    );
  });

  it('of one account leave those of another alone', () => {
    const shares = createEndpointShares(LIMITS);
    for (const id of ['a', 'a', 'a', 'b', 'b']) expect(shares.take(at(id))).toBeDefined();
    expect(shares.take(at('c'))).toBeUndefined();
    expect(shares.take(at('d', 'acc_2'))).toBeDefined();
  });

  it('give those who find none times one after the other, none of them far off', () => {
    const shares = createEndpointShares(LIMITS);
    const waits = Array.from({ length: 200 }, () => shares.waitMs(at('a')));
    expect(waits.slice(0, 20)).toEqual(waits.slice(0, 20).toSorted((left, right) => left - right));
    expect((waits[1] ?? 0) - (waits[0] ?? 0)).toBeGreaterThan(4_000);
    expect(Math.min(...waits)).toBeGreaterThan(0);
    expect(Math.max(...waits)).toBeLessThanOrEqual(301_000);
  });
});
