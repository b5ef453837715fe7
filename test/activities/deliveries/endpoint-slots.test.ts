// Delivery slots of endpoints: never more than the limit, released once, and different retry times for callers without a slot.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  createEndpointSlots,
  SLOT_LIMITS,
  type SlotLimits,
} from '../../../activities/deliveries/endpoint-slots.ts';
import { createBodyMemory } from '../../../activities/deliveries/body-memory.ts';
import { propertyRuns } from '../../support/runner/property-runs.ts';

const LIMITS: SlotLimits = { perEndpoint: 3, perEndpointBacklog: 2, perAccount: 5, perAccountFirst: 6 };
const at = (webhookId: string, accountId = 'acc_1') => ({ webhookId, accountId });

describe('slots of endpoints', () => {
  it('are never exceeded, in any order of acquiring and releasing', () => {
    const step = fc.record({
      webhook: fc.integer({ min: 0, max: 3 }),
      isBacklog: fc.boolean(),
      gives: fc.boolean(),
    });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const slots = createEndpointSlots(LIMITS);
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
          const slot = slots.take(at(`wh_${webhook}`), isBacklog);
          expect(slot !== undefined).toBe(isFree);
          if (slot !== undefined) taken.push({ webhook, release: slot.release });
        }
      }),
      propertyRuns(),
    );
  });

  it('of one account do not affect another account', () => {
    const slots = createEndpointSlots(LIMITS);
    for (const id of ['a', 'a', 'a', 'b', 'b', 'c']) expect(slots.take(at(id))).toBeDefined();
    expect(slots.take(at('d'))).toBeUndefined();
    expect(slots.take(at('d', 'acc_2'))).toBeDefined();
  });

  it('leave a slot to an endpoint without one when others of its account use all of theirs', () => {
    const slots = createEndpointSlots();
    for (const id of Array.from({ length: 10 }, (_, index) => `hanging_${index}`)) {
      for (let taken = 0; taken < SLOT_LIMITS.perEndpoint; taken += 1) slots.take(at(id));
    }
    expect(slots.take(at('hanging_0'))).toBeUndefined();
    const slot = slots.take(at('healthy'));
    expect(slot).toBeDefined();
    expect(slots.take(at('healthy'))).toBeUndefined();
    slot?.release();
    expect(slots.take(at('healthy'), true)).toBeDefined();
    const others = Array.from({ length: 60 }, (_, index) => slots.take(at(`other_${index}`)));
    expect(others.filter((one) => one !== undefined)).toHaveLength(49);
  });

  it('give a slot back when there is no room for the body', () => {
    const slots = createEndpointSlots(LIMITS, createBodyMemory(100));
    const sized = (id: string, maxBodyBytes: number) => ({
      ...at(id),
      bodySettings: { rows: { maxBodyBytes } },
    });
    expect(slots.take(sized('a', 50))).toBeDefined();
    expect(slots.take(sized('b', 51))).toBeUndefined();
    // Were a slot still held, the limit of the account would be reached.
    for (const id of ['b', 'b', 'b', 'c']) expect(slots.take(at(id))).toBeDefined();
  });

  it('spread callers without a slot over time, none of them far off', () => {
    const slots = createEndpointSlots(LIMITS);
    const waits = Array.from({ length: 200 }, () => slots.waitMs(at('a')));
    expect(waits.slice(0, 20)).toEqual(waits.slice(0, 20).toSorted((left, right) => left - right));
    expect((waits[1] ?? 0) - (waits[0] ?? 0)).toBeGreaterThan(4_000);
    expect(Math.min(...waits)).toBeGreaterThan(0);
    expect(Math.max(...waits)).toBeLessThanOrEqual(301_000);
  });
});
