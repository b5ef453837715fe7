// Comparisons of any two snapshots, and histories of rows, must equal plain comparisons of the committed rows.
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { RowVersion } from '../../../core/delta/compare.ts';
import { compareSnapshots, listComparedRows } from '../../../db/rows/compare-snapshots.ts';
import type { SnapshotPair } from '../../../db/rows/differing-rows.ts';
import { CHANGE_TYPES, type ChangeType, type DeltaRow } from '../../../db/rows/delta-rows.ts';
import type { Database } from '../../../db/driver/knex.ts';
import { followRow, listRowHistory } from '../../../db/rows/row-history.ts';
import type { PageRequest } from '../../../db/page.ts';
import { createTestDatabase, type TestDatabase } from '../../support/servers/database.ts';
import {
  commitTable,
  getRecord,
  keyedRows,
  makeAccount,
  makeRecord,
  rekeyTable,
  type Table,
  table,
} from '../factories.ts';
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

/** Few keys and values, so that rows often change back, vanish and come again. Some keys sort oddly. */
const KEYS = ['a', 'b', 'B', '10', '9', 'é', '\u{1f600}', '！', '', '%', "'"];
const version = fc
  .dictionary(fc.constantFrom(...KEYS), fc.constantFrom('1', '1.0', '2'), { noNullPrototype: true })
  .map(table);
const history = fc.array(version, { minLength: 2, maxLength: 6 });

const changeOf = ({ key, changeType, previousKey, before, after }: DeltaRow): Change => ({
  key,
  changeType,
  previousKey,
  before,
  after,
});

/** All pages of a list, whose rows come one more than the limit. */
async function readAll<Row, Position>(
  limit: number,
  read: (page: PageRequest<Position>) => Promise<Row[]>,
  positionOf: (row: Row) => Position,
): Promise<Row[]> {
  const all: Row[] = [];
  let after: Position | null = null;
  for (;;) {
    const rows: Row[] = await read({ after, limit });
    const shown = rows.slice(0, limit);
    all.push(...shown);
    const last = shown.at(-1);
    if (rows.length <= limit || last === undefined) return all;
    after = positionOf(last);
  }
}

/** Commits the versions. @returns the rows of each snapshot, by sequence from 1 */
async function play(recordId: string, versions: readonly Table[]): Promise<RowVersion[][]> {
  const snapshots: RowVersion[][] = [];
  for (const one of versions) {
    const { outcome } = await commitTable(db, recordId, one);
    if (outcome === 'changed' || snapshots.length === 0) snapshots.push(keyedRows(one));
  }
  return snapshots;
}

it('any two snapshots differ like their rows, in either order', async () => {
  await fc.assert(
    fc.asyncProperty(history, fc.integer({ min: 1, max: 4 }), async (versions, limit) => {
      const recordId = await makeRecord(db, { accountId });
      const snapshots = await play(recordId, versions);
      const { recordNo, generation } = await getRecord(db, recordId);
      for (const [from, before] of snapshots.entries()) {
        for (const [to, after] of snapshots.entries()) {
          const pair = { recordNo, generation, from: from + 1, to: to + 1 };
          await expectComparison(pair, changesBetween(before, after), limit);
        }
      }
    }),
    { numRuns: 25 },
  );
});

async function expectComparison(pair: SnapshotPair, expected: Change[], limit: number): Promise<void> {
  const read = (changeType: ChangeType | null) =>
    readAll<DeltaRow, string>(
      limit,
      (page) => listComparedRows(db, pair, changeType, page),
      (row) => row.key,
    );
  expect((await read(null)).map(changeOf)).toEqual(expected);
  const { counts, keys } = await compareSnapshots(db, pair, 2);
  for (const changeType of CHANGE_TYPES) {
    const those = expected.filter((change) => change.changeType === changeType);
    expect((await read(changeType)).map(changeOf)).toEqual(those);
    expect(counts[changeType]).toBe(those.length);
    expect(keys[`${changeType}Keys`]).toEqual(those.slice(0, 2).map(({ key }) => key));
  }
}

/** Versions, and after which of them other settings begin a generation. */
const settled = fc.array(fc.record({ next: version, isRekeyed: fc.boolean() }), {
  minLength: 2,
  maxLength: 6,
});

it('a row’s history is its changes from snapshot to snapshot, over generations with the same key', async () => {
  await fc.assert(
    fc.asyncProperty(settled, fc.integer({ min: 1, max: 3 }), async (steps, limit) => {
      const recordId = await makeRecord(db, { accountId });
      const snapshots: RowVersion[][] = [];
      for (const { next, isRekeyed } of steps) {
        const { outcome } = await commitTable(db, recordId, next);
        if (outcome === 'changed' || snapshots.length === 0) snapshots.push(keyedRows(next));
        if (!isRekeyed) continue;
        await rekeyTable(db, recordId, next);
        snapshots.push(keyedRows(next));
      }
      const { recordNo, generation } = await getRecord(db, recordId);
      const ids = await db('snapshots').where({ recordId }).orderBy('sequence').pluck('id');
      for (const key of KEYS) {
        const expected = snapshots.flatMap((rows, at) =>
          changesBetween(snapshots[at - 1] ?? [], rows)
            .filter((change) => change.key === key)
            .map((change) => ({ ...change, sequence: at + 1, snapshotId: ids[at] })),
        );
        const followed = await followRow(db, { recordId, recordNo, generation, key }, ['id']);
        for (const order of ['asc', 'desc'] as const) {
          const entries = await readAll(
            limit,
            async (page: PageRequest<number>) =>
              followed === undefined ? [] : listRowHistory(db, followed, order, page),
            (entry) => entry.sequence,
          );
          const shown = entries.map(({ sequence, snapshotId, ...entry }) => ({
            ...changeOf(entry),
            sequence,
            snapshotId,
          }));
          expect(shown).toEqual(order === 'asc' ? expected : expected.toReversed());
        }
      }
    }),
    { numRuns: 15 },
  );
});
