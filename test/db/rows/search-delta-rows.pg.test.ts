// Searching the rows that differ, held to the same search over plain comparisons: nothing is missed where pages end.
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { RowVersion } from '../../../core/delta/compare.ts';
import { changedFields } from '../../../core/delta/keys/keyed-row.ts';
import { type DeltaEventRow, listDeltaEvents } from '../../../db/rows/delta-events.ts';
import { CHANGE_TYPES, type DeltaRow } from '../../../db/rows/delta-rows.ts';
import {
  type DeltaSearch,
  type DeltaSelection,
  searchDeltaRows,
  type SearchedDeltaRows,
} from '../../../db/rows/search-delta-rows.ts';
import type { Database } from '../../../db/driver/knex.ts';
import { searchComparedRows } from '../../../db/rows/compare-snapshots.ts';
import type { PageRequest } from '../../../db/page.ts';
import { createTestDatabase, type TestDatabase } from '../../support/servers/database.ts';
import { commitTable, getRecord, keyedRows, makeAccount, makeRecord, type Table } from '../factories.ts';
import { type Change, changesBetween } from '../changes-between.ts';

let database: TestDatabase;
let db: Database;
let accountId: string;
beforeAll(async () => {
  database = await createTestDatabase();
  db = database.db;
  accountId = await makeAccount(db);
});
afterAll(() => database.drop());

const KEYS = ['a', 'b', 'B', '10', 'é', '\u{1f600}', '', '%'];
const COLUMNS = ['id', 'one', 'two'];
/** Some that JSON writes otherwise than they are. */
const CELLS = ['"x"', '"X y"', '"a\\"b"', '"\\\\"', '1', '1.0', 'null', undefined];

const version: fc.Arbitrary<Table> = fc
  .uniqueArray(fc.tuple(fc.constantFrom(...KEYS), fc.constantFrom(...CELLS), fc.constantFrom(...CELLS)), {
    selector: ([key]) => key,
  })
  .map((rows) => ({
    columns: COLUMNS,
    rows: rows.map(([key, ...cells]) => [JSON.stringify(key), ...cells]),
  }));

const selection: fc.Arbitrary<DeltaSelection> = fc.record({
  search: fc.constantFrom(null, 'x', 'Y', '"', '\\', '1', '1.0', 'a', 'É', 'null', '%'),
  searchColumns: fc.subarray(COLUMNS),
  changedFields: fc.oneof({ weight: 2, arbitrary: fc.constant([]) }, fc.subarray(COLUMNS)),
});

function isWanted(change: Change, { search, searchColumns, changedFields: wanted }: DeltaSelection): boolean {
  const { key, before, after } = change;
  const changed = before === null || after === null ? [] : changedFields(before, after);
  if (wanted.length > 0 && !wanted.some((column) => changed.includes(column))) return false;
  if (search === null) return true;
  const holds = (text: string): boolean => text.toLowerCase().includes(search.toLowerCase());
  const isIn = (data: string | null): boolean =>
    // A row's data is an object text.
    Object.entries(JSON.parse(data ?? '{}') as Record<string, string | number | null>).some(
      ([column, value]) =>
        (searchColumns.length === 0 || searchColumns.includes(column)) &&
        value !== null &&
        holds(typeof value === 'string' ? value : tokenOf(data ?? '', column)),
    );
  return (searchColumns.length === 0 && holds(key)) || isIn(before) || isIn(after);
}

/** A number as it is written. */
const tokenOf = (data: string, column: string): string =>
  new RegExp(`"${column}":([0-9.]+)`).exec(data)?.[1] ?? '';

/** All pages, of which each continues where the last one stopped. */
async function readAll(
  limit: number,
  read: (page: PageRequest<string>) => Promise<SearchedDeltaRows | undefined>,
): Promise<Change[]> {
  const all: DeltaRow[] = [];
  for (let after: string | null = null; ;) {
    const found = await read({ after, limit });
    if (found === undefined) throw new Error('The event is gone');
    const shown = found.rows.slice(0, limit);
    all.push(...shown);
    after = found.rows.length > limit ? (shown.at(-1)?.key ?? null) : found.stoppedAt;
    if (after === null) break;
  }
  return all.map(({ fits: _fits, ...change }) => change);
}

it('finds the same as a comparison of all rows, in events and between any two snapshots', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(version, { minLength: 2, maxLength: 4 }),
      fc.array(fc.tuple(fc.constantFrom(null, ...CHANGE_TYPES), selection), { minLength: 4, maxLength: 4 }),
      fc.integer({ min: 1, max: 4 }),
      fc.integer({ min: 1, max: 4 }),
      async (versions, asked, visits, limit) => {
        const recordId = await makeRecord(db, { accountId });
        const snapshots: RowVersion[][] = [];
        for (const one of versions) {
          const { outcome } = await commitTable(db, recordId, one);
          if (outcome === 'changed' || snapshots.length === 0) snapshots.push(keyedRows(one));
        }
        const { recordNo, generation } = await getRecord(db, recordId);
        const events = await listDeltaEvents(db, recordId, { changesOnly: false }, 'asc', {
          after: null,
          limit: 10,
        });
        for (const [changeType, selection] of asked) {
          const search = { changeType, selection, visits, fieldsOf: changedFields };
          const wanted = (changes: Change[]): Change[] =>
            changes.filter(
              (change) =>
                (changeType === null || change.changeType === changeType) && isWanted(change, selection),
            );
          for (const event of events) await expectEvent(event, recordNo, search, limit, wanted, snapshots);
          for (const [from, before] of snapshots.entries()) {
            for (const [to, after] of snapshots.entries()) {
              const pair = { recordNo, generation, from: from + 1, to: to + 1 };
              expect(await readAll(limit, (page) => searchComparedRows(db, pair, search, page))).toEqual(
                wanted(changesBetween(before, after)),
              );
            }
          }
        }
      },
    ),
    { numRuns: 20 },
  );
});

async function expectEvent(
  event: DeltaEventRow,
  recordNo: number,
  search: DeltaSearch,
  limit: number,
  wanted: (changes: Change[]) => Change[],
  snapshots: readonly RowVersion[][],
): Promise<void> {
  const [before = [], after = []] = snapshots.slice(event.sequence - 2, event.sequence);
  const expected = event.isNoChange ? [] : wanted(changesBetween(before, after));
  const ref = { ...event, recordNo };
  expect(await readAll(limit, (page) => searchDeltaRows(db, ref, search, page))).toEqual(expected);
}
