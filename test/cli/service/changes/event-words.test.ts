// Events of the feed in words.
import { expect, it } from 'vitest';
import type { FeedEvent } from '../../../../clients/typescript/src/models.ts';
import { eventLine, rowLines } from '../../../../cli/service/changes/event-words.ts';
import { parseExactly } from '../../../../core/text/exact-json.ts';

const plain = (_style: string, text: string): string => text;

const event = (members: Partial<FeedEvent>): FeedEvent => ({
  cursor: 'c',
  event: 'delta',
  type: 'delta',
  timestamp: new Date().toISOString(),
  sourceId: 'src_1',
  sourceName: 'Prices',
  sourceSlug: 'prices',
  labels: {},
  deltaEventId: null,
  ...members,
});

it('says what happened to the checks of a record', () => {
  const line = (members: Partial<FeedEvent>): string => eventLine(event(members), plain).slice(10);
  const error = { code: 'http_error' as const, detail: 'It was 503.\u001b[2J' };
  const failingSince = '2026-03-02T09:00:04.512Z';
  expect(line({ type: 'check.failed', failingSince, error })).toMatch(
    /^prices {2}checks fail since 2026-03-0\d \S+: It was 503\.\\u001b\[2J \(http_error\)$/,
  );
  expect(line({ type: 'check.recovered', failingSince })).toMatch(
    /^prices {2}checks succeed again; .* 2026-/,
  );
  const held = { code: 'sharp_drop' as const, detail: 'Far fewer rows.' };
  expect(line({ type: 'check.held', error: held })).toBe(
    'prices  a check is held: Far fewer rows. (sharp_drop)',
  );
  const unchangedSince = failingSince;
  expect(line({ type: 'record.quiet', unchangedSince })).toMatch(/^prices {2}no change since 2026-03-0\d /);
});

it('regression: prints no text in place of a count', () => {
  // The service sends numbers. Another one may send what commands a terminal.
  const newCount = '\u001b[2J' as unknown as number;
  const summary = { newCount, changedCount: 1, deletedCount: 0, unchangedCount: 2, totalCount: 3 };
  expect(eventLine(event({ summary }), plain)).toMatch(/ NaN new, 1 changed, 0 deleted, 2 unchanged$/);
});

it('has the date of an event that is not of today', () => {
  expect(eventLine(event({ timestamp: '2026-03-02T12:00:00.000Z' }), plain)).toMatch(
    /^2026-03-0\d \d\d:\d\d:\d\d {2}prices/,
  );
  expect(eventLine(event({}), plain)).toMatch(/^\d\d:\d\d:\d\d {2}prices/);
});

it('shows rows with the numbers of the origin, and how many are left', () => {
  const after = parseExactly('{"id":"A1","price":12345678901234567890}') as { id: string };
  const row = {
    key: 'A1',
    changeType: 'changed' as const,
    before: { id: 'A1', price: 1 },
    after,
    changedFields: [],
  };
  expect(rowLines({ rows: [row], total: 3, keyFields: ['id'] }, plain)).toEqual([
    '          ~ A1  price: “1” → “12345678901234567890”',
    '          … and 2 more',
  ]);
});

it('names the values of a pair that are the same, because its key is a hash', () => {
  const row = {
    key: 'sha256:2',
    changeType: 'changed' as const,
    before: { name: 'Ann', city: 'Oslo' },
    after: { name: 'Ann', city: 'Bern' },
    changedFields: ['city'],
    pairedBy: 'similarity' as const,
    previousKey: 'sha256:1',
  };
  expect(rowLines({ rows: [row], total: 1, keyFields: [] }, plain)).toEqual([
    '          ~  name “Ann”; city: “Oslo” → “Bern”',
  ]);
});

it('regression: shows every value of a row that had another key than the record has now', () => {
  const id = '1';
  const row = { key: id, changeType: 'new' as const, before: null, after: { id, sku: 'A1', name: 'Jam' } };
  const shown = { rows: [{ ...row, changedFields: [] }], total: 1 };
  expect(rowLines({ ...shown, keyFields: ['id'] }, plain)).toEqual(['          + 1  sku “A1”, name “Jam”']);
  for (const keyFields of [['sku'], ['id', 'sku'], []]) {
    expect(rowLines({ ...shown, keyFields }, plain)).toEqual(['          + 1  id “1”, sku “A1”, name “Jam”']);
  }
  const before = { id, sku: 'A1', name: 'Tea' };
  const changed = { ...row, changeType: 'changed' as const, before, changedFields: ['name'] };
  expect(rowLines({ rows: [changed], total: 1, keyFields: [] }, plain)).toEqual([
    '          ~ 1  name: “Tea” → “Jam”',
  ]);
});

it('says where a condition is undecided', () => {
  const summary = { newCount: 1, changedCount: 0, deletedCount: 0, unchangedCount: 2, totalCount: 3 };
  const line = (condition: 'met' | 'undecided') => eventLine(event({ summary, condition }), plain).slice(10);
  expect(line('met')).toBe('prices  1 new, 0 changed, 0 deleted, 2 unchanged');
  expect(line('undecided')).toBe('prices  1 new, 0 changed, 0 deleted, 2 unchanged, condition undecided');
});
