// Delivery slots of endpoints: never more than the share, released once, and different retry times for callers without a slot.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  createEndpointShares,
  SHARE_LIMITS,
  type ShareLimits,
} from '../../../activities/deliveries/endpoint-shares.ts';
import { createBodyRoom } from '../../../activities/deliveries/body-room.ts';
import { propertyRuns } from '../../support/runner/property-runs.ts';

const LIMITS: ShareLimits = { perEndpoint: 3, perEndpointBacklog: 2, perAccount: 5, perAccountFirst: 6 };
const at = (webhookId: string, accountId = 'acc_1') => ({ webhookId, accountId });

describe('shares of endpoints', () => {
  it('are never exceeded, in any order of acquiring and releasing', () => {
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
          const accountRoom = inFlight(webhook) === 0 ? LIMITS.perAccountFirst : LIMITS.perAccount;
          const isFree = inFlight(webhook) < room && taken.length < accountRoom;
          const place = shares.take(at(`wh_${webhook}`), isBacklog);
          expect(place !== undefined).toBe(isFree);
          if (place !== undefined) taken.push({ webhook, release: place.release });
        }
      }),
      propertyRuns(),
    );
  });

  it('of one account do not affect another account', () => {
    const shares = createEndpointShares(LIMITS);
    for (const id of ['a', 'a', 'a', 'b', 'b', 'c']) expect(shares.take(at(id))).toBeDefined();
    expect(shares.take(at('d'))).toBeUndefined();
    expect(shares.take(at('d', 'acc_2'))).toBeDefined();
  });

  it('leave a slot to an endpoint without one when others of its account use all of theirs', () => {
    const shares = createEndpointShares();
    for (const id of Array.from({ length: 10 }, (_, index) => `hanging_${index}`)) {
      for (let taken = 0; taken < SHARE_LIMITS.perEndpoint; taken += 1) shares.take(at(id));
    }
    expect(shares.take(at('hanging_0'))).toBeUndefined();
    const place = shares.take(at('healthy'));
    expect(place).toBeDefined();
    expect(shares.take(at('healthy'))).toBeUndefined();
    place?.release();
    expect(shares.take(at('healthy'), true)).toBeDefined();
    const others = Array.from({ length: 60 }, (_, index) => shares.take(at(`other_${index}`)));
    expect(others.filter((one) => one !== undefined)).toHaveLength(49);
  });

  it('give a slot back when there is no room for the body', () => {
    const shares = createEndpointShares(LIMITS, createBodyRoom(100));
    const sized = (id: string, maxBodyBytes: number) => ({
      ...at(id),
      bodySettings: { rows: { maxBodyBytes } },
    });
    expect(shares.take(sized('a', 50))).toBeDefined();
    expect(shares.take(sized('b', 51))).toBeUndefined();
    // Were a slot still held, the limit of the account would be reached.
    for (const id of ['b', 'b', 'b', 'c']) expect(shares.take(at(id))).toBeDefined();
  });

  it('spread callers without a slot over time, none of them far off', () => {
    const shares = createEndpointShares(LIMITS);
    const waits = Array.from({ length: 200 }, () => shares.waitMs(at('a')));
    expect(waits.slice(0, 20)).toEqual(waits.slice(0, 20).toSorted((left, right) => left - right));
    expect((waits[1] ?? 0) - (waits[0] ?? 0)).toBeGreaterThan(4_000);
    expect(Math.min(...waits)).toBeGreaterThan(0);
    expect(Math.max(...waits)).toBeLessThanOrEqual(301_000);
  });
});
