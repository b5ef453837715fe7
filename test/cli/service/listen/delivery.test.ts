// What `recordwatch listen` sends for an event of the feed.
import { expect, it } from 'vitest';
import { deliveryOf, subjectOf } from '../../../../cli/service/listen/delivery.ts';
import type { FeedEvent } from '../../../../clients/typescript/src/models.ts';

const QUIET: FeedEvent = {
  cursor: 'c',
  event: 'record.quiet',
  type: 'record.quiet',
  timestamp: '2026-03-02T09:00:04.512Z',
  sourceId: 'src_019a2f6b7c8d7e9fa0b1c2d3e4f50617',
  sourceName: 'Prices',
  sourceSlug: 'prices',
  labels: {},
  deltaEventId: null,
  snapshotId: 'snap_019a346c1d2e7f30a1b2c3d4e5f60718',
  unchangedSince: '2026-03-01T09:00:00.000Z',
  checkedAt: '2026-03-02T09:00:04.512Z',
  quietHours: 24,
};

it('is for a quiet record the body of a webhook, under an id of the version of the data', () => {
  const sent = deliveryOf(QUIET, 'wh_1');
  expect(JSON.parse(sent.body)).toEqual({
    event: 'record.quiet',
    type: 'record.quiet',
    timestamp: QUIET.timestamp,
    webhookId: 'wh_1',
    sourceId: QUIET.sourceId,
    sourceName: 'Prices',
    sourceSlug: 'prices',
    deltaEventId: null,
    snapshotId: QUIET.snapshotId,
    unchangedSince: QUIET.unchangedSince,
    checkedAt: QUIET.checkedAt,
    quietHours: 24,
  });
  expect(subjectOf(QUIET)).toBe(QUIET.snapshotId);
  expect(deliveryOf(QUIET, 'wh_1')).toEqual(sent);
  expect(deliveryOf({ ...QUIET, snapshotId: 'snap_019a346c1d2e7f30a1b2c3d4e5f60719' }, 'wh_1').id).not.toBe(sent.id); // prettier-ignore
});
