// The counts of a period are shown only if they are those of all its events.
import { expect, it } from 'vitest';
import { type ChangeBucket, wholeBuckets } from '../../../../../dashboard/src/parts/chart/change-series.ts';

const at = (hour: number, minute = 0): number => Date.UTC(2026, 4, 1, hour, minute);
const bucket = (hour: number): ChangeBucket => ({
  start: new Date(at(hour)).toISOString(),
  newCount: hour,
  changedCount: 0,
  deletedCount: 0,
});
/** From 10 to 13 o'clock. */
const BUCKETS = [bucket(10), bucket(11), bucket(12)];
const EVER = Number.MAX_SAFE_INTEGER;

it.each([
  ['all of the chart', at(10), at(13), [10, 11, 12]],
  ['some buckets', at(11), at(12), [11]],
  ['from a border on', at(12), EVER, [12]],
  ['until after the chart', at(11), at(20), [11, 12]],
])('a period of whole buckets has its buckets: %s', (_name, sinceMs, untilMs, hours) => {
  const found = wholeBuckets(BUCKETS, { sinceMs, untilMs }, 'hour');
  expect(found?.map(({ newCount }) => newCount)).toEqual(hours);
});

it.each([
  ['within a bucket', at(10, 10), at(10, 20)],
  ['that begins within one', at(10, 30), at(12)],
  ['that ends within one', at(10), at(12, 30)],
  ['that begins before the chart', at(9), at(12)],
  ['without a beginning', 0, at(12)],
  ['before the chart', at(7), at(8)],
  ['after the chart', at(14), at(15)],
  ['that ends before it begins', at(12), at(11)],
])('regression: a period has no counts %s', (_name, sinceMs, untilMs) => {
  expect(wholeBuckets(BUCKETS, { sinceMs, untilMs }, 'hour')).toBeNull();
});

it('a chart without buckets has none', () => {
  expect(wholeBuckets([], { sinceMs: at(10), untilMs: at(11) }, 'hour')).toBeNull();
});
