// The bodies of deliveries have exactly the fields of the interface and the additional ones of the guide.
import { describe, expect, it } from 'vitest';
import {
  type DeliveredEvent,
  type DeliveryRecord,
  deliveryPayload,
  deltaPayload,
  fitKeys,
  type KeyLists,
  MAX_PAYLOAD_BYTES,
  checkEventPayload,
} from '../../core/delivery-payload.ts';
import fc from 'fast-check';
import { propertyRuns } from '../support/runner/property-runs.ts';

const RECORD: DeliveryRecord = {
  webhookId: 'wh_1',
  recordId: 'src_1',
  recordName: 'Prices “now”',
  recordSlug: 'prices',
};

const EVENT: DeliveredEvent = {
  deltaEventId: 'evt_1',
  snapshotId: 'snap_1',
  detectedAt: new Date('2026-01-02T03:04:05.006Z'),
  newCount: 1,
  changedCount: 2,
  deletedCount: 4,
  unchangedCount: 4,
  totalCount: 7,
  newKeys: ['a\tb'],
  changedKeys: ['😀', ''],
  deletedKeys: ['x', 'y', 'z'],
};
const BASE_URL = 'https://watch.example';

interface Body {
  newKeys: string[];
  changedKeys: string[];
  deletedKeys: string[];
  truncated: unknown;
  previousKeys?: Record<string, string>;
}
const bodyOf = (event: DeliveredEvent) => deltaPayload(RECORD, event, BASE_URL);
// The members of the payload.
const read = (text: string) => JSON.parse(text) as Body;
const sizeBytes = (text: string) => Buffer.byteLength(text);
const keys = (count: number, length: number, letter: string) =>
  Array.from({ length: count }, (_, index) => `${index}`.padStart(4, '0') + letter.repeat(length - 4));

describe('the body of a delta event', () => {
  it('has exactly the fields of interface 6.1, and the others of the guide', () => {
    expect(read(bodyOf(EVENT))).toStrictEqual({
      event: 'delta',
      type: 'delta',
      timestamp: '2026-01-02T03:04:05.006Z',
      webhookId: 'wh_1',
      sourceId: 'src_1',
      sourceName: 'Prices “now”',
      sourceSlug: 'prices',
      deltaEventId: 'evt_1',
      snapshotId: 'snap_1',
      detectedAt: '2026-01-02T03:04:05.006Z',
      summary: { newCount: 1, changedCount: 2, deletedCount: 4, unchangedCount: 4, totalCount: 7 },
      newKeys: ['a\tb'],
      changedKeys: ['😀', ''],
      deletedKeys: ['x', 'y', 'z'],
      truncated: { newKeys: false, changedKeys: false, deletedKeys: true },
      rowsUrl: 'https://watch.example/v1/sources/src_1/delta/evt_1/rows',
    });
  });

  it('names the rows before pairs beside the changed keys that it has', () => {
    const previousKeys = { '😀': 'before' };
    const paired = bodyOf({ ...EVENT, previousKeys });
    expect(paired.replace(`"previousKeys":${JSON.stringify(previousKeys)},`, '')).toBe(bodyOf(EVENT));
    expect(paired).toContain('"deletedKeys":["x","y","z"],"previousKeys":{');
    expect(bodyOf({ ...EVENT, previousKeys: null })).toBe(bodyOf(EVENT));
  });

  it('has as many changed keys as fit with their previous ones', () => {
    const [changedKeys, before] = [keys(100, 1000, 'c'), keys(100, 1000, 'p')];
    const previousKeys = Object.fromEntries(changedKeys.map((key, index) => [key, before[index] ?? '']));
    const event = { ...EVENT, changedCount: 100, changedKeys, previousKeys };
    const text = bodyOf(event);
    const body = read(text);
    expect(sizeBytes(text)).toBeLessThanOrEqual(MAX_PAYLOAD_BYTES);
    expect(sizeBytes(text)).toBeGreaterThan(MAX_PAYLOAD_BYTES - 4000);
    expect(body.truncated).toMatchObject({ changedKeys: true });
    expect(body.changedKeys).toEqual(changedKeys.slice(0, body.changedKeys.length));
    expect(Object.keys(body.previousKeys ?? {})).toEqual(body.changedKeys);
    expect(Object.values(body.previousKeys ?? {})).toEqual(before.slice(0, body.changedKeys.length));
  });

  it('is, byte for byte, what it was before bodies could have rows', () => {
    expect(bodyOf(EVENT)).toBe(
      [
        '{"event":"delta","type":"delta","timestamp":"2026-01-02T03:04:05.006Z","webhookId":"wh_1","sourceId":"src_1",',
        '"sourceName":"Prices “now”","sourceSlug":"prices","deltaEventId":"evt_1","snapshotId":"snap_1",',
        '"detectedAt":"2026-01-02T03:04:05.006Z","summary":{"newCount":1,"changedCount":2,"deletedCount":4,',
        '"unchangedCount":4,"totalCount":7},"newKeys":["a\\tb"],"changedKeys":["😀",""],"deletedKeys":["x","y","z"],',
        '"truncated":{"newKeys":false,"changedKeys":false,"deletedKeys":true},',
        '"rowsUrl":"https://watch.example/v1/sources/src_1/delta/evt_1/rows"}',
      ].join(''),
    );
  });

  it('is the same text for every attempt, whatever else the delivery carries', () => {
    const more = { sealedSecret: 'secret', attemptCount: 3, ...RECORD };
    expect(deltaPayload(more, EVENT, BASE_URL)).toBe(bodyOf(EVENT));
  });

  it('includes the milliseconds even when they are zero', () => {
    expect(bodyOf({ ...EVENT, detectedAt: new Date('2026-01-02T03:04:05Z') })).toContain(
      '"detectedAt":"2026-01-02T03:04:05.000Z"',
    );
  });

  it('interface 8: "Keys per category in a webhook payload: 100", also of the longest keys of one kind', () => {
    const longest = { ...EVENT, newCount: 100, newKeys: keys(100, 1_024, 'k') };
    expect(read(bodyOf(longest))).toMatchObject({ newKeys: longest.newKeys, truncated: { newKeys: false } });
  });

  it('omits keys beyond 256 KiB, evenly of both kinds, and says so', () => {
    // Each of its letters takes six bytes in JSON.
    const wide = keys(100, 1_024, '\u0001');
    const text = bodyOf({
      ...EVENT,
      newCount: 100,
      changedCount: 100,
      deletedCount: 1,
      newKeys: wide,
      changedKeys: wide,
      deletedKeys: ['one'],
    });
    expect(sizeBytes(text)).toBeLessThanOrEqual(MAX_PAYLOAD_BYTES);
    expect(sizeBytes(text)).toBeGreaterThan(MAX_PAYLOAD_BYTES - 13_000);
    const body = read(text);
    expect(body.newKeys).toEqual(wide.slice(0, body.newKeys.length));
    expect(body.newKeys.length).toBe(body.changedKeys.length);
    expect(body.deletedKeys).toEqual(['one']);
    expect(body.truncated).toEqual({ newKeys: true, changedKeys: true, deletedKeys: false });
  });
});

it('the body of another event says its type, and that it is no delta event', () => {
  const news = {
    eventType: 'check.failed',
    happenedAt: new Date('2026-01-02T03:04:05Z'),
    eventData: '{"checkId":"chk_1","error":{"code":"http_error"}}',
  };
  expect(JSON.parse(checkEventPayload(RECORD, news))).toStrictEqual({
    event: 'check.failed',
    type: 'check.failed',
    timestamp: '2026-01-02T03:04:05.000Z',
    webhookId: 'wh_1',
    sourceId: 'src_1',
    sourceName: 'Prices “now”',
    sourceSlug: 'prices',
    deltaEventId: null,
    checkId: 'chk_1',
    error: { code: 'http_error' },
  });
});

it('the body of a delivery is that of its event type; there is none without its event', () => {
  const news = {
    ...RECORD,
    eventType: 'check.recovered',
    happenedAt: new Date(0),
    eventData: '{"checkId":"chk_1"}',
  };
  const delta = { ...RECORD, eventType: 'delta', happenedAt: new Date(0), eventData: null };
  expect(deliveryPayload(news, undefined, BASE_URL)).toBe(checkEventPayload(RECORD, news));
  expect(deliveryPayload(delta, EVENT, BASE_URL)).toBe(bodyOf(EVENT));
  expect(deliveryPayload(delta, undefined, BASE_URL)).toBeUndefined();
});

const MAX_BYTES = 1_000;
const write = (lists: KeyLists): string => JSON.stringify(lists);
const keyLists = fc.array(fc.string({ unit: 'binary', maxLength: 60, size: 'max' }), {
  maxLength: 30,
  size: 'max',
});

it('leaves a text that fits unchanged, and shortens any other', () => {
  fc.assert(
    fc.property(keyLists, keyLists, keyLists, (newKeys, changedKeys, deletedKeys) => {
      const lists = { newKeys, changedKeys, deletedKeys };
      const text = fitKeys(lists, MAX_BYTES, write);
      expect(Buffer.byteLength(text)).toBeLessThanOrEqual(MAX_BYTES);
      const fits = Buffer.byteLength(write(lists)) <= MAX_BYTES;
      expect(text === write(lists)).toBe(fits);
      // Written by `write` above.
      const kept = JSON.parse(text) as Record<keyof KeyLists, string[]>;
      for (const name of ['newKeys', 'changedKeys', 'deletedKeys'] as const) {
        expect(kept[name]).toEqual(lists[name].slice(0, kept[name].length));
        // Each list may use a third of the room, whatever the others need.
        const third =
          (MAX_BYTES - Buffer.byteLength(write({ newKeys: [], changedKeys: [], deletedKeys: [] })) - 16) / 3;
        const needed = lists[name]
          .slice(0, kept[name].length + 1)
          .map((key) => Buffer.byteLength(JSON.stringify(key)) + 1);
        const isAll = kept[name].length === lists[name].length;
        expect(isAll || needed.reduce((sum, next) => sum + next, 0) > Math.floor(third)).toBe(true);
      }
    }),
    propertyRuns(),
  );
});
