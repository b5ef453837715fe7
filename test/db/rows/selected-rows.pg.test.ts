// Filtered rows as a file reads them: all of them, in order, over any number of pages.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { exportSelectedRows, type RunRead } from '../../../db/rows/selected-rows.ts';
import { rawRows } from '../../../db/driver/knex.ts';
import type { RowSelection } from '../../../db/rows/row-filters.ts';
import { createTestDatabase, type TestDatabase } from '../../support/servers/database.ts';
import { createManyRows } from '../../support/rows/many-rows.ts';
import { createAccount } from '../../support/rows/factories.ts';

let database: TestDatabase;
let accountId: string;
beforeAll(async () => {
  database = await createTestDatabase();
  accountId = await createAccount(database.db);
});
afterAll(() => database.drop());

const EVERYTHING: RowSelection = { search: null, searchColumns: [], filters: [] };
/** Every tenth row. */
const TENTHS: RowSelection = { ...EVERYTHING, search: '5', searchColumns: ['id'] };

/** @param averageBytes as the snapshot has it: says how many rows a page looks at */
async function makeSnapshot(rowCount: number, averageBytes: number, textLength = 10) {
  const { snapshotId: id, ...rest } = await createManyRows(database.db, accountId, { rowCount, textLength });
  const bytes = rowCount * averageBytes;
  return { ...rest, id, generation: 1, sequence: 1, totalRows: rowCount, bytes, keyFields: ['id'] };
}

type Snapshot = Awaited<ReturnType<typeof makeSnapshot>>;

async function readPages(snapshot: Snapshot, selection: RowSelection, beforeRead = async () => {}) {
  const run: RunRead = async (read) => {
    await beforeRead();
    return read(database.db);
  };
  const pages: string[][] = [];
  for await (const { bytes, spans } of exportSelectedRows(run, snapshot, selection)) {
    const texts = Array.from({ length: spans.length / 2 }, (_, at) =>
      Buffer.from(bytes).toString('utf8', spans[2 * at], spans[2 * at + 1]),
    );
    pages.push(texts.map((text) => JSON.parse(text).id));
  }
  return pages;
}

const LARGE = 8 * 1024 * 1024;
const idsUpTo = (count: number, isWanted: (id: string) => boolean = () => true): string[] =>
  Array.from({ length: count }, (_, at) => String(at).padStart(7, '0')).filter(isWanted);

it('are complete for every number of rows at the edges of pages', async () => {
  for (const count of [1, 100, 101, 102, 202, 203, 500]) {
    const snapshot = await makeSnapshot(count, LARGE);
    expect((await readPages(snapshot, EVERYTHING)).flat()).toEqual(idsUpTo(count));
    const fives = await readPages(snapshot, TENTHS);
    expect(fives.flat()).toEqual(idsUpTo(count, (id) => id.includes('5')));
    expect(fives).toHaveLength(Math.max(1, Math.ceil(count / 101)));
  }
});

it('are read in pages of bounded size if rows are larger than the average', async () => {
  const snapshot = await makeSnapshot(60, 100, 400_000);
  const pages = await readPages(snapshot, EVERYTHING);
  expect(pages.flat()).toEqual(idsUpTo(60));
  for (const page of pages) expect(page.length).toBeLessThanOrEqual(22);
});

it('are found by their keys without reading the others', async () => {
  const snapshot = await makeSnapshot(1_000, LARGE);
  const wanted = ['0000003', '0000500', '0000999', '9999999'];
  const byKey = { ...EVERYTHING, filters: [{ column: 'id', operator: 'in', value: wanted } as const] };
  expect(await readPages(snapshot, byKey)).toEqual([wanted.slice(0, 3)]);
});

it('are an empty page when there are none', async () => {
  const snapshot = await makeSnapshot(5, 100);
  expect(await readPages(snapshot, { ...EVERYTHING, search: 'nothing like it' })).toEqual([[]]);
});

it.each([
  ['the snapshot', ({ id }: Snapshot) => rawRows(database.db, 'delete from snapshots where id = ?', [id])],
  [
    'its record',
    ({ recordId }: Snapshot) =>
      rawRows(database.db, 'update records set deleted_at = now() where id = ?', [recordId]),
  ],
  [
    'the events that need it',
    ({ recordId }: Snapshot) =>
      rawRows(database.db, 'update delta_events set sequence = 3, is_no_change = false where record_id = ?', [
        recordId,
      ]),
  ],
])('are not reported as complete when %s is deleted meanwhile', async (_what, drop) => {
  const snapshot = await makeSnapshot(300, LARGE);
  let reads = 0;
  const onThird = async (): Promise<void> => {
    reads += 1;
    if (reads === 3) await drop(snapshot);
  };
  await expect(readPages(snapshot, TENTHS, onThird)).rejects.toMatchObject({ code: 'gone' });
});
