// Searching, profiling and counting a snapshot of 120,000 rows: bounded, resumable, and ended when it takes too long.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createCapacity } from '../../../api/capacity/capacity.ts';
import { readSlowly } from '../../../api/capacity/slow-reads.ts';
import { type Database, openDatabase } from '../../../db/driver/knex.ts';
import { profileRows, sampledPart } from '../../../db/rows/profile-rows.ts';
import { queryRows } from '../../../db/rows/query-rows.ts';
import type { RowSelection } from '../../../db/rows/row-filters.ts';
import { searchSnapshotRows, visitsOf } from '../../../db/rows/selected-rows.ts';
import type { SnapshotRef } from '../../../db/rows/snapshots.ts';
import { createTestDatabase, type TestDatabase } from '../../support/servers/database.ts';
import { commitTable, getRecord, makeRecord } from '../factories.ts';

const ROWS = 120_000;
const COLUMNS = ['id', 'brand', 'price', 'text'];

let database: TestDatabase;
let db: Database;
let ref: SnapshotRef;

beforeAll(async () => {
  database = await createTestDatabase();
  db = database.db;
  const recordId = await makeRecord(db);
  const rows = Array.from({ length: ROWS }, (_, at) => [
    `"row-${String(at).padStart(6, '0')}"`,
    `"brand ${at % 7}"`,
    `"${at}.${at % 10}"`,
    at % 10_000 === 9_999 ? '"Needle"' : '"hay"',
  ]);
  await commitTable(db, recordId, { columns: COLUMNS, rows });
  await db.raw('analyze row_versions');
  const { recordNo, generation, sequence } = await getRecord(db, recordId);
  ref = { recordNo, generation, sequence };
});
afterAll(() => database.drop());

const EVERYTHING: RowSelection = { search: null, searchColumns: [], filters: [] };
const NEEDLES: RowSelection = { ...EVERYTHING, search: 'needle' };

const search = (selection: RowSelection, visits: number, after: string | null, limit: number) =>
  searchSnapshotRows(db, ref, { selection, keyFields: ['id'], visits }, { after, limit });

describe('a search', () => {
  it('reads a bounded number of rows a page, and continues where it stopped', async () => {
    const keys: string[] = [];
    let after: string | null = null;
    let pages = 0;
    do {
      const found = await search(NEEDLES, 25_000, after, 100);
      keys.push(...found.rows.map(({ key }) => key));
      after = found.stoppedAt;
      pages += 1;
    } while (after !== null);
    expect(pages).toBe(Math.ceil(ROWS / 25_000));
    expect(keys).toEqual(
      Array.from({ length: 12 }, (_, at) => `row-${String(at * 10_000 + 9_999).padStart(6, '0')}`),
    );
  });

  it('says so when it has reached the last row', async () => {
    expect((await search(NEEDLES, ROWS, null, 100)).stoppedAt).toBeNull();
    expect((await search(NEEDLES, ROWS - 1, null, 100)).stoppedAt).toBe('row-119998');
  });

  it('for the value of the key field finds its row at once', async () => {
    const selection: RowSelection = {
      ...EVERYTHING,
      filters: [{ column: 'id', operator: 'in', value: ['row-119999', 'row-000001', 'row-x'] }],
    };
    const { rows, stoppedAt } = await search(selection, 100, null, 10);
    expect(rows.map(({ key }) => key)).toEqual(['row-000001', 'row-119999']);
    expect(stoppedAt).toBeNull();
  });

  it('reads fewer rows when they are large', () => {
    expect(visitsOf({ totalRows: 1_000_000, bytes: 200_000_000 })).toBe(100_000);
    expect(visitsOf({ totalRows: 1_000, bytes: 1_000 * 1024 * 1024 })).toBe(100);
    expect(visitsOf({ totalRows: 0, bytes: 0 })).toBe(100_000);
  });
});

describe('a profile', () => {
  const snapshot = { totalRows: ROWS, bytes: ROWS * 60, columns: COLUMNS };

  it('of a large snapshot counts a sample, always the same rows', async () => {
    const part = sampledPart(snapshot);
    expect(part).toBeCloseTo(100_000 / ROWS);
    const first = await profileRows(db, ref, COLUMNS, part);
    expect(first.rows).toBeGreaterThan(98_000);
    expect(first.rows).toBeLessThan(102_000);
    expect(await profileRows(db, ref, COLUMNS, part)).toEqual(first);
    expect(first.columns.find(({ column }) => column === 'brand')).toMatchObject({ distinct: 7 });
  });

  it('reads all rows when they have few values', async () => {
    const { rows, columns } = await profileRows(db, ref, ['price'], 1);
    expect(rows).toBe(ROWS);
    expect(columns).toMatchObject([
      { column: 'price', filled: ROWS, distinct: ROWS, numbers: ROWS, maximumNumber: '119999.9' },
    ]);
  });

  it('samples more if rows are wide or large', () => {
    const columns = Array.from({ length: 1_000 }, (_, at) => String(at));
    expect(sampledPart({ totalRows: 1_000, bytes: 1, columns })).toBe(1);
    expect(sampledPart({ totalRows: 10_000, bytes: 1, columns })).toBe(0.1);
    expect(sampledPart({ totalRows: 128, bytes: 128 * 1024 * 1024, columns: [] })).toBe(0.5);
    expect(sampledPart({ totalRows: 0, bytes: 0, columns: [] })).toBe(1);
  });
});

it('a query adds up all rows exactly', async () => {
  const { groups, isWhole } = await queryRows(
    db,
    ref,
    {
      selection: { ...EVERYTHING, filters: [{ column: 'price', operator: 'gte', value: '100000' }] },
      groupBy: ['brand'],
      measures: [
        { measure: 'count', column: null },
        { measure: 'sum', column: 'price' },
        { measure: 'distinct', column: 'id' },
      ],
      order: [{ by: 'measure', index: 1, direction: 'desc' }],
      limit: 100,
    },
    ['id'],
  );
  const expected = new Map<string, { count: number; tenths: bigint }>();
  for (let at = 100_000; at < ROWS; at += 1) {
    const brand = `brand ${at % 7}`;
    const { count, tenths } = expected.get(brand) ?? { count: 0, tenths: 0n };
    expected.set(brand, { count: count + 1, tenths: tenths + BigInt(at) * 10n + BigInt(at % 10) });
  }
  const inOrder = [...expected].sort(([, left], [, right]) => (left.tenths > right.tenths ? -1 : 1));
  expect(isWhole).toBe(true);
  expect(groups).toEqual(
    inOrder.map(([brand, { count, tenths }]) => ({
      group: [brand],
      measures: [count, `${tenths / 10n}.${tenths % 10n}`, count],
    })),
  );
});

it('a query that exceeds the statement timeout is query_too_expensive, with advice', async () => {
  const heavyDb = openDatabase(database.url, { poolSize: 1, statementTimeoutMs: 20 });
  const capacity = createCapacity();
  const principal = { kind: 'account', accountId: 'acc_1' } as const;
  const body = { selection: NEEDLES, groupBy: ['id'], measures: [], order: [], limit: 1 };
  try {
    await expect(
      readSlowly({ heavyDb, capacity, principal }, (heavy) => queryRows(heavy, ref, body, [])),
    ).rejects.toMatchObject({
      code: 'query_too_expensive',
      message: expect.stringContaining('fewer columns'),
    });
    const broken = readSlowly({ heavyDb, capacity, principal }, (heavy) => heavy.raw('select from nowhere'));
    await expect(broken).rejects.toMatchObject({ code: '42P01' });
  } finally {
    await heavyDb.destroy();
  }
});
