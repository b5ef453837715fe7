// The body of a delivery: the fields of the interface, to the letter.
import { expect, it } from 'vitest';
import { type DeliveredEvent, deliveryPayload } from '../../core/delivery-payload.ts';

const EVENT: DeliveredEvent = {
  webhookId: 'wh_1',
  recordId: 'src_1',
  recordName: 'Prices “now”',
  recordSlug: 'prices',
  deltaEventId: 'evt_1',
  snapshotId: 'snap_1',
  detectedAt: new Date('2026-01-02T03:04:05.006Z'),
  newCount: 1,
  changedCount: 2,
  deletedCount: 3,
  unchangedCount: 4,
  totalCount: 7,
  newKeys: ['a\tb'],
  changedKeys: ['😀', ''],
  deletedKeys: ['x', 'y', 'z'],
};

it('has exactly the fields of interface 6.1, and sourceSlug and snapshotId', () => {
  expect(JSON.parse(deliveryPayload(EVENT))).toStrictEqual({
    event: 'delta',
    webhookId: 'wh_1',
    sourceId: 'src_1',
    sourceName: 'Prices “now”',
    sourceSlug: 'prices',
    deltaEventId: 'evt_1',
    snapshotId: 'snap_1',
    detectedAt: '2026-01-02T03:04:05.006Z',
    summary: { newCount: 1, changedCount: 2, deletedCount: 3, unchangedCount: 4, totalCount: 7 },
    newKeys: ['a\tb'],
    changedKeys: ['😀', ''],
    deletedKeys: ['x', 'y', 'z'],
  });
});

it('is the same text for every attempt, whatever else the delivery carries', () => {
  const more = { sealedSecret: 'secret', attemptCount: 3, ...EVENT };
  expect(deliveryPayload(more)).toBe(deliveryPayload(EVENT));
});

it('tells the milliseconds also when they are zero', () => {
  const payload = deliveryPayload({ ...EVENT, detectedAt: new Date('2026-01-02T03:04:05Z') });
  expect(payload).toContain('"detectedAt":"2026-01-02T03:04:05.000Z"');
});
