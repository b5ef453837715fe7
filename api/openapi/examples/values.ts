// Values that several examples share.
import { atomDocument } from '../../feed/atom.ts';

export const id = {
  record: 'src_019a2f6b7c8d7e9fa0b1c2d3e4f50617',
  baseline: 'snap_019a2f6b9a1b7c2d8e3f405162738495',
  snapshot: 'snap_019a346c1d2e7f30a1b2c3d4e5f60718',
  event: 'evt_019a346c1d2e7a4b9c8d7e6f50413223',
  check: 'chk_019a346c18f0700182a3b4c5d6e7f809',
  webhook: 'wh_019a30112233744586a7b8c9d0e1f203',
  delivery: 'dlv_019a346c20117b3c8d4e5f6071829304',
  key: 'key_019a2f70a1b27c3d94e5f60718293a4b',
};
export const URL = 'https://shop.example/prices.csv';
export const EXAMPLE_TIME = '2026-03-02T09:00:04.512Z';

export const counts = { newCount: 0, changedCount: 1, deletedCount: 0, unchangedCount: 417, totalCount: 418 };
export const keys = { newKeys: [], changedKeys: ['A-1001'], deletedKeys: [] };

export const checkError = {
  code: 'http_error',
  detail: 'The origin answered with an error status. It was 503.',
};

export const atomFeed = atomDocument(
  {
    baseUrl: 'https://recordwatch.example',
    accountId: id.record,
    recordId: null,
    createdAt: new Date(EXAMPLE_TIME),
  },
  [
    {
      position: 1,
      type: 'delta',
      happenedAt: new Date(EXAMPLE_TIME),
      data: { ...counts, snapshotId: id.snapshot },
      deltaEventId: id.event,
      recordId: id.record,
      recordName: 'Shop prices',
      ...keys,
    },
  ],
);
