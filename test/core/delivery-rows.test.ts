// Bodies with rows: never too large, cut at a row, and the URL continues exactly there.
import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import type { ChangedColumn, DeliveredEvent, DeliveryRecord } from '../../core/delivery-payload.ts';
import { BODY_BYTES, payloadWithRows, type SelectedRows } from '../../core/delivery-rows.ts';
import { rowText } from '../../core/delta/row-texts.ts';
import { propertyRuns } from '../support/runner/property-runs.ts';

const RECORD: DeliveryRecord = {
  webhookId: 'wh_1',
  recordId: 'src_1',
  recordName: 'Prices',
  recordSlug: 'p',
};
const keys = Array.from({ length: 100 }, (_, index) => `${index}`.padEnd(80, 'k'));
const EVENT: DeliveredEvent = {
  deltaEventId: 'evt_1',
  snapshotId: 'snap_1',
  detectedAt: new Date(0),
  newCount: 100,
  changedCount: 100,
  deletedCount: 100,
  unchangedCount: 0,
  totalCount: 200,
  newKeys: keys,
  changedKeys: keys,
  deletedKeys: keys,
};
const COLUMNS = Array.from({ length: 1_000 }, (_, index) => ({
  field: `ä column ${index}`,
  rows: 1_000 - index,
}));
const SMALLEST = { maxBodyBytes: BODY_BYTES.min, fields: null };
/** As long as that of a key of 1,024 bytes. */
const urlAfter = (key: string | null) =>
  `https://watch.example/rows?after=${key === null ? '' : Buffer.from(key).toString('hex').slice(0, 1_400)}`;

interface Body {
  rows: { key: string }[];
  newKeys: string[];
  changedColumns?: ChangedColumn[] | null;
  truncated: { newKeys: boolean; rows: boolean; changedColumns?: boolean };
  rowsUrl: string;
}
const read = (text: string) => JSON.parse(text) as Body;

/** The body with the same members and with the most of these rows. Each row takes a byte more than its text. */
function fullestBody(text: string, { rows, goesOnAfter }: SelectedRows, maxBytes: number): string {
  const { rows: _, ...members } = read(text);
  const bodyWith = (count: number): string => {
    const isCut = count < rows.length || goesOnAfter !== null;
    const truncated = { ...members.truncated, rows: isCut };
    const lastKey = count < rows.length ? (rows[count - 1]?.key ?? null) : goesOnAfter;
    const all = JSON.stringify({ ...members, truncated, rowsUrl: urlAfter(isCut ? lastKey : null) });
    const texts = rows.slice(0, count).map((one) => one.text);
    return `${all.slice(0, -1)},"rows":[${texts.join(',')}]}`;
  };
  let count = rows.length;
  while (count > 0 && Buffer.byteLength(bodyWith(count)) + 1 > maxBytes) count--;
  return bodyWith(count);
}

const row = fc
  .record({
    key: fc.string({ maxLength: 40 }),
    cell: fc.string({ maxLength: 20, unit: 'grapheme' }),
    length: fc.nat(1_000),
  })
  .map(({ key, cell, length }) => ({
    key,
    text: rowText({
      key,
      changeType: 'new',
      before: null,
      after: JSON.stringify({ cell: cell + 'é'.repeat(length) }),
    }),
  }));
const found = fc.record({
  rows: fc.array(row, { maxLength: 40 }),
  goesOnAfter: fc.option(fc.constant('the last key that was read')),
});

describe('a body with rows', () => {
  it('has the first rows that fit, and says after which one to continue', () => {
    fc.assert(
      fc.property(
        found,
        fc.integer({ min: BODY_BYTES.min, max: 24 * 1024 }),
        fc.nat(1_000),
        (rows, maxBytes, columns) => {
          const event = { ...EVENT, changedColumns: COLUMNS.slice(0, columns) };
          const settings = { maxBodyBytes: maxBytes, fields: null, changedColumns: true } as const;
          const text = payloadWithRows(RECORD, event, settings, rows, urlAfter);
          expect(Buffer.byteLength(text)).toBeLessThanOrEqual(maxBytes);
          const body = read(text);
          const listed = body.changedColumns ?? [];
          expect(listed).toEqual(COLUMNS.slice(0, listed.length));
          expect(body.truncated.changedColumns).toBe(listed.length < columns);
          const count = body.rows.length;
          expect(body.rows).toEqual(rows.rows.slice(0, count).map((one) => JSON.parse(one.text)));
          const isCut = count < rows.rows.length;
          expect(body.truncated.rows).toBe(isCut || rows.goesOnAfter !== null);
          const lastKey = isCut ? (rows.rows[count - 1]?.key ?? null) : rows.goesOnAfter;
          expect(body.rowsUrl).toBe(urlAfter(lastKey));
          expect(text).toBe(fullestBody(text, rows, maxBytes));
        },
      ),
      propertyRuns(),
    );
  });

  it.each([1_000, 10_000])('regression: is written a few times with %i short rows too many', (count) => {
    const detectedAt = new Date(0);
    const written = vi.spyOn(detectedAt, 'toISOString');
    const asked = vi.fn<typeof urlAfter>(urlAfter);
    const rows = Array.from({ length: 6 * count }, (_, number) => ({ key: `${number}`, text: '{}' }));
    const event = {
      ...EVENT,
      detectedAt,
      newKeys: ['x'.repeat(3 * count)],
      changedKeys: [],
      deletedKeys: [],
    };
    const settings = { maxBodyBytes: 16 * count, fields: null };
    const body = read(payloadWithRows(RECORD, event, settings, { rows, goesOnAfter: null }, asked));
    expect(body.truncated.rows).toBe(true);
    expect(written.mock.calls.length).toBeLessThan(10);
    expect(asked.mock.calls.length).toBeLessThan(100);
  });

  it('leaves out keys before it leaves out rows', () => {
    const one = {
      key: 'a',
      text: rowText({ key: 'a', changeType: 'new', before: null, after: '{"a":1.10}' }),
    };
    const text = payloadWithRows(RECORD, EVENT, SMALLEST, { rows: [one], goesOnAfter: null }, urlAfter);
    expect(read(text)).toMatchObject({ truncated: { newKeys: true, rows: false } });
    expect(read(text).newKeys.length).toBeGreaterThan(0);
    expect(text).toContain('"after":{"a":1.10}');
  });

  const noRows = { rows: [], goesOnAfter: null };
  const columnsOf = (event: Partial<DeliveredEvent>, fields: string[] | null = null) =>
    read(
      payloadWithRows(
        RECORD,
        { ...EVENT, ...event },
        { ...SMALLEST, fields, changedColumns: true },
        noRows,
        urlAfter,
      ),
    ).changedColumns;

  it('counts the changed rows of each column, with `fields` of those alone', () => {
    const [first, second] = COLUMNS;
    expect(columnsOf({ changedColumns: COLUMNS.slice(0, 2) })).toEqual([first, second]);
    expect(columnsOf({ changedColumns: COLUMNS.slice(0, 2) }, ['ä column 1'])).toEqual([second]);
    expect(columnsOf({ changedColumns: null })).toBeNull();
    expect(columnsOf({ changedCount: 0, changedColumns: null })).toEqual([]);
  });

  it('has no columns where earlier attempts had none', () => {
    const body = read(
      payloadWithRows(RECORD, { ...EVENT, changedColumns: COLUMNS }, SMALLEST, noRows, urlAfter),
    );
    expect(body).not.toHaveProperty('changedColumns');
    expect(body.truncated).not.toHaveProperty('changedColumns');
  });
});
