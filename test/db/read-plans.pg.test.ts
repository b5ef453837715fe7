// Searching, comparing and following a row read what they need and no more, on a record of 50,000 rows among others.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { changedFields } from '../../core/delta/keys/keyed-row.ts';
import { commitUnchangedCheck } from '../../db/commit/checks.ts';
import { compareSnapshots, listComparedRows, searchComparedRows } from '../../db/rows/compare-snapshots.ts';
import { listDeltaEvents } from '../../db/rows/delta-events.ts';
import { CHANGE_TYPES, listDeltaRows } from '../../db/rows/delta-rows.ts';
import { type DeltaSelection, searchDeltaRows } from '../../db/rows/search-delta-rows.ts';
import type { Database } from '../../db/driver/knex.ts';
import type { RowSelection } from '../../db/rows/row-filters.ts';
import { followRow, listRowHistory } from '../../db/rows/row-history.ts';
import { searchSnapshotRows } from '../../db/rows/selected-rows.ts';
import { findSnapshotRow } from '../../db/rows/snapshots.ts';
import { createTestDatabase, type TestDatabase } from '../support/servers/database.ts';
import { type Explainer, joinsByFilter, openExplainer, scansWhole } from '../support/rows/explain.ts';
import { checkFacts, commitTable, getRecord, makeAccount, makeRecord, type Table } from './factories.ts';

const ROWS = 50_000;

let database: TestDatabase;
let db: Database;
let explainer: Explainer;
let recordId: string;
let snapshot: { recordNo: number; generation: number; sequence: number };

/** One row in a hundred changes, goes or comes with each version. */
const bigTable = (version: number): Table => ({
  columns: ['id', 'value'],
  rows: Array.from({ length: ROWS }, (_, at) => {
    const key = at % 300 === version ? at + ROWS * version : at;
    return [`"row-${key}"`, `"${at % 150 === version ? version : 0}"`];
  }),
});

beforeAll(async () => {
  database = await createTestDatabase();
  db = database.db;
  const accountId = await makeAccount(db);
  for (let at = 0; at < 20; at += 1) {
    const neighbour = await makeRecord(db, { accountId });
    for (let version = 0; version < 3; version += 1) {
      const rows = Array.from({ length: 500 }, (_, row) => [`"row-${row}"`, `"${version}"`]);
      await commitTable(db, neighbour, { columns: ['id', 'value'], rows });
    }
  }
  recordId = await makeRecord(db, { accountId });
  for (let version = 0; version < 6; version += 1) await commitTable(db, recordId, bigTable(version));
  for (let check = 0; check < 200; check += 1) {
    await commitUnchangedCheck(db, checkFacts(recordId), { urlHash: 'hash', etag: null, lastModified: null });
  }
  // As the version before short rows left them.
  await db.raw(
    `insert into delta_events (id, record_id, number, check_id, snapshot_id, generation, sequence, detected_at, is_no_change,
       unchanged_count, total_count)
     select 'evt_' || n, record_id, 1000 + n, 'chk_' || n, snapshot_id, generation, sequence, now(), true, 1, 1
     from record_heads, generate_series(1, 1000) n where record_id = ?`,
    [recordId],
  );
  await db.raw('analyze');
  const { recordNo, generation, sequence } = await getRecord(db, recordId);
  snapshot = { recordNo, generation, sequence };
  explainer = await openExplainer(db, database.url);
});
afterAll(async () => {
  await explainer.end();
  await database.drop();
});

const EVERYTHING: RowSelection = { search: null, searchColumns: [], filters: [] };
const search = (selection: RowSelection, after: string | null) =>
  searchSnapshotRows(db, snapshot, { selection, keyFields: ['id'], visits: 5_000 }, { after, limit: 100 });

/** Of rows that differ: a text, and rows that changed in a column. */
const SELECTIONS: readonly DeltaSelection[] = [
  { search: 'x', searchColumns: [], changedFields: [] },
  { search: null, searchColumns: [], changedFields: ['value'] },
];

async function latestChange(id: string) {
  const [event] = await listDeltaEvents(db, id, { changesOnly: true }, 'desc', { after: null, limit: 1 });
  if (event === undefined) throw new Error('Nothing has changed');
  return event;
}

describe.each([
  ['first', null],
  ['middle', 'row-3'],
])('the %s page', (_, after) => {
  it('of a search walks a part of the primary key', async () => {
    const nodes = await explainer.plansOf(() => search({ ...EVERYTHING, search: 'x' }, after));
    expect(nodes).toContain('Index Scan row_versions_pkey');
    expect(scansWhole(nodes)).toEqual([]);
  });

  it.each(CHANGE_TYPES)('of %s rows of an event walks them in their order', async (changeType) => {
    const event = await latestChange(recordId);
    const nodes = await explainer.plansOf(() =>
      listDeltaRows(db, { ...event, ...snapshot }, { after, limit: 100 }, changeType),
    );
    const index = changeType === 'deleted' ? 'row_versions_closed' : 'row_versions_opened';
    expect(nodes.join('\n')).toMatch(new RegExp(`Index Scan ${index}`));
    // The few unchanged checks are read whole here.
    expect(scansWhole(nodes).filter((node) => node.includes('row_versions'))).toEqual([]);
  });

  it.each([null, ...CHANGE_TYPES])(
    'of a search among %s rows of an event walks these',
    async (changeType) => {
      const event = await latestChange(recordId);
      for (const selection of SELECTIONS) {
        const search = { changeType, selection, visits: 200 };
        const nodes = await explainer.plansOf(() =>
          searchDeltaRows(db, { ...event, ...snapshot }, search, { after, limit: 100 }),
        );
        const onRows = nodes.filter((node) => node.includes('row_versions'));
        expect(onRows.filter((node) => !/Index.* Scan row_versions_|^Bitmap Heap Scan/.test(node))).toEqual(
          [],
        );
      }
    },
  );

  it('of a search of a comparison reads the versions that began and ended in between', async () => {
    const pair = { ...snapshot, from: 3, to: 5 };
    for (const selection of SELECTIONS) {
      const search = { changeType: null, selection, visits: 200, fieldsOf: changedFields };
      const nodes = await explainer.plansOf(() =>
        searchComparedRows(db, pair, search, { after, limit: 100 }),
      );
      expect(nodes.join('\n')).toMatch(/Index.* Scan row_versions_opened/);
      expect(nodes.join('\n')).toMatch(/Index.* Scan row_versions_closed/);
      // The few records are read whole here.
      expect(scansWhole(nodes).filter((node) => node.includes('row_versions'))).toEqual([]);
    }
  });

  it('of a comparison reads the versions that began and ended in between', async () => {
    const pair = { ...snapshot, from: 3, to: 5 };
    const nodes = await explainer.plansOf(() => listComparedRows(db, pair, null, { after, limit: 100 }));
    expect(nodes.join('\n')).toMatch(/Index.* Scan row_versions_opened/);
    expect(nodes.join('\n')).toMatch(/Index.* Scan row_versions_closed/);
    // The few records are read whole here.
    expect(scansWhole(nodes).filter((node) => node.includes('row_versions'))).toEqual([]);
  });
});

it('a comparison counts the versions that began and ended in between', async () => {
  const nodes = await explainer.plansOf(() => compareSnapshots(db, { ...snapshot, from: 5, to: 4 }, 100));
  expect(nodes.join('\n')).toMatch(/Index.* Scan row_versions_opened/);
  expect(nodes.join('\n')).toMatch(/Index.* Scan row_versions_closed/);
  expect(scansWhole(nodes)).toEqual([]);
});

it('a row is found by its key, also with a filter for its key field', async () => {
  const one: RowSelection = { ...EVERYTHING, filters: [{ column: 'id', operator: 'eq', value: 'row-7' }] };
  for (const find of [() => search(one, null), () => findSnapshotRow(db, snapshot, 'row-7')]) {
    const nodes = await explainer.plansOf(find);
    expect(nodes.filter((node) => node.includes('row_versions'))).toEqual(['Index Scan row_versions_pkey']);
  }
});

describe('of a record without statistics', () => {
  let unknownId: string;
  let unknown: typeof snapshot;

  beforeAll(async () => {
    // All that it knows are other records, so it expects a row at most of this one.
    await db.raw('alter table row_versions set (autovacuum_enabled = false)');
    await db.raw(`delete from row_versions where record_no <> ${snapshot.recordNo}`);
    await db.raw('vacuum analyze row_versions');
    unknownId = await makeRecord(db, { accountId: await makeAccount(db) });
    for (let version = 0; version < 3; version += 1) {
      const rows = Array.from({ length: 5_000 }, (_, row) => [`"row-${row}"`, `"${version}"`]);
      await commitTable(db, unknownId, { columns: ['id', 'value'], rows });
    }
    const { recordNo, generation, sequence } = await getRecord(db, unknownId);
    unknown = { recordNo, generation, sequence };
  });

  it.each([null, ...CHANGE_TYPES])('rows of an event are joined by an index: %s', async (changeType) => {
    const [event] = await listDeltaEvents(db, unknownId, { changesOnly: true }, 'desc', {
      after: null,
      limit: 1,
    });
    const nodes = await explainer.plansOf(() =>
      listDeltaRows(
        db,
        { id: event?.id ?? '', recordId: unknownId, ...unknown },
        { after: null, limit: 100 },
        changeType,
      ),
    );
    expect(nodes.join('\n')).toContain('row_versions');
    expect(joinsByFilter(nodes)).toEqual([]);
  });

  it.each([null, ...CHANGE_TYPES])('compared rows are read by an index: %s', async (changeType) => {
    const pair = { ...unknown, from: 1, to: 3 };
    const nodes = await explainer.plansOf(() =>
      listComparedRows(db, pair, changeType, { after: null, limit: 100 }),
    );
    expect(nodes.join('\n')).toMatch(/Index.* Scan row_versions_opened/);
    expect(joinsByFilter(nodes)).toEqual([]);
  });

  it('searches in rows without statistics look each one up', async () => {
    const event = await latestChange(unknownId);
    for (const selection of SELECTIONS) {
      const search = { changeType: null, selection, visits: 1_000, fieldsOf: changedFields };
      const page = { after: null, limit: 100 };
      const ofEvent = await explainer.plansOf(() =>
        searchDeltaRows(db, { ...event, recordNo: unknown.recordNo }, search, page),
      );
      const compared = await explainer.plansOf(() =>
        searchComparedRows(db, { ...unknown, from: 1, to: 3 }, search, page),
      );
      expect([...joinsByFilter(ofEvent), ...joinsByFilter(compared)]).toEqual([]);
      expect(scansWhole([...ofEvent, ...compared]).filter((node) => node.includes('row_versions'))).toEqual(
        [],
      );
    }
  });
});

describe('in tables of any size', () => {
  beforeAll(() => explainer.preferIndexes());

  it.each(['asc', 'desc'] as const)('a row’s history is read from its versions alone, %s', async (order) => {
    const row = { recordId, ...snapshot, key: 'row-7' };
    for (const after of [null, 3]) {
      const followed = { ...row, generations: [snapshot.generation] };
      const nodes = await explainer.plansOf(() => listRowHistory(db, followed, order, { after, limit: 50 }));
      // The key and the sequence together are in each of these.
      const onRows = nodes.filter((node) => node.includes('row_versions'));
      expect(onRows.filter((node) => !/Index.* Scan.* row_versions_(pkey|opened|paired)/.test(node))).toEqual(
        [],
      );
      expect(nodes.join('\n')).toMatch(/Scan snapshots_record_id_sequence_key/);
      expect(nodes.join('\n')).toMatch(/Scan delta_events_by_time/);
      expect(scansWhole(nodes)).toEqual([]);
    }
    const known = await explainer.plansOf(() => followRow(db, row, ['id']));
    expect(known.join('\n')).toMatch(/Scan.* row_versions_pkey/);
    expect(scansWhole(known)).toEqual([]);
  });

  it('the end of a range of events is found by its time', async () => {
    const filter = { changesOnly: true, untilTime: new Date() };
    const nodes = await explainer.plansOf(() =>
      listDeltaEvents(db, recordId, filter, 'desc', { after: null, limit: 50 }, 10),
    );
    expect(nodes.join('\n')).toMatch(/Index.* Scan.* delta_events_(by_time|activity)/);
    expect(nodes.join('\n')).toMatch(/Index.* Scan.* delta_events_changes/);
    expect(scansWhole(nodes)).toEqual([]);
  });

  it.each(['asc', 'desc'] as const)(
    'a page of events is read in the order of its numbers, %s',
    async (order) => {
      const page = { after: order === 'asc' ? 100 : 1_900, limit: 50 };
      const nodes = await explainer.plansOf(() =>
        listDeltaEvents(db, recordId, { changesOnly: false }, order, page, 10),
      );
      expect(nodes).toContain('Index Scan delta_events_record_id_number_key');
      expect(nodes).toContain('Index Scan unchanged_checks_record_no_event_number_key');
      expect(scansWhole(nodes)).toEqual([]);
    },
  );
});
