// Commits that pair similar rows without a key: what the event says, what is stored, and what every reader of it finds.
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { compare } from '../../../core/delta/compare.ts';
import { pairSimilar, PAIRING_LIMITS } from '../../../core/delta/pair-similar.ts';
import type { Cell } from '../../../core/delta/model.ts';
import { type ColumnRules, NO_RULES } from '../../../core/delta/rules/column-rules.ts';
import { type Database, rawRows } from '../../../db/driver/knex.ts';
import { type DeltaEventRow, findLatestDeltaEvent } from '../../../db/rows/delta-events.ts';
import {
  type ChangeType,
  type DeltaRow,
  exportDeltaRows,
  listDeltaRows,
} from '../../../db/rows/delta-rows.ts';
import { compareSnapshots, listComparedRows } from '../../../db/rows/compare-snapshots.ts';
import { readFirstDeltaRows } from '../../../db/rows/first-delta-rows.ts';
import { listRowHistory } from '../../../db/rows/row-history.ts';
import { searchDeltaRows } from '../../../db/rows/search-delta-rows.ts';
import { createTestDatabase, type TestDatabase } from '../../support/servers/database.ts';
import { propertyRuns } from '../../support/runner/property-runs.ts';
import {
  type CommitOptions,
  commitTable,
  getRecord,
  keyedRows,
  makeAccount,
  makeRecord,
  type Table,
} from '../factories.ts';

let database: TestDatabase;
let db: Database;
let accountId: string;
beforeAll(async () => {
  database = await createTestDatabase();
  db = database.db;
  accountId = await makeAccount(db);
});
afterAll(() => database.drop());

const tableOf = (...rows: string[]): Table => ({
  columns: ['name', 'price', 'city'],
  rows: rows.map((row) => row.split(' ').map((cell) => JSON.stringify(cell))),
});

const keysOf = (version: Table): string[] => keyedRows(version, NO_RULES, []).map(({ key }) => key);

const PAIRED: CommitOptions = { keyless: { pairing: 'similarity' } };

async function committed(...versions: [Table, CommitOptions][]): Promise<string> {
  const id = await makeRecord(db, { accountId });
  for (const [version, options] of versions) await commitTable(db, id, version, options);
  return id;
}

async function eventOf(recordId: string): Promise<DeltaEventRow> {
  const event = await findLatestDeltaEvent(db, recordId);
  if (event === undefined) throw new Error('No event');
  return event;
}

async function rowsOf(recordId: string, type: ChangeType | null = null, limit = 100): Promise<DeltaRow[]> {
  const { recordNo } = await getRecord(db, recordId);
  const { id } = await eventOf(recordId);
  const rows: DeltaRow[] = [];
  for (let after: string | null = null; ; after = rows.at(-1)?.key ?? null) {
    const page = await listDeltaRows(db, { id, recordId, recordNo }, { after, limit }, type);
    rows.push(...(page ?? []).slice(0, limit));
    if (page === undefined || page.length <= limit) return rows;
  }
}

const before = tableOf('Ann 5 Oslo', 'Bob 6 Rome', 'Eve 7 Kyiv');
const after = tableOf('Ann 5 Bern', 'Bob 6 Rome', 'Kim 8 Lima');
const [ANN, , EVE] = keysOf(before);
const [ANN_MOVED, , KIM] = keysOf(after);
const data = (name: string, price: string, city: string): string => JSON.stringify({ name, price, city });

describe.each([true, false])('a commit that pairs similar rows (in memory: %s)', (fitsInMemory) => {
  const paired = { ...PAIRED, fitsInMemory };

  it('regression: names no renamed column while deleted rows are left, whatever the pairs say', async () => {
    const tableWith = (column: string, ...rows: string[]): Table => ({
      columns: ['a', 'b', 'c', 'd', column],
      rows: rows.map((row) => Array.from(row, (cell) => JSON.stringify(cell))),
    });
    const first = tableWith('x', 'pqrs1', 'tuvw2', 'ghij3', 'ghij4', 'klmn5', 'klmn6');
    const tied = await committed(
      [first, PAIRED],
      [tableWith('y', 'pqrs1', 'tuvw2', 'ghij7', 'ghij8', 'klmn9', 'klmn0'), paired],
    );
    expect(await eventOf(tied)).toMatchObject({
      changedCount: 2,
      deletedCount: 4,
      schemaChange: { added: ['y'], removed: ['x'], renamed: [] },
    });
    const clear = tableWith('x', 'pqrs1', 'tuvw2');
    const all = await committed([clear, PAIRED], [{ ...clear, columns: ['a', 'b', 'c', 'd', 'y'] }, paired]);
    expect((await eventOf(all)).schemaChange).toMatchObject({ renamed: [{ from: 'x', to: 'y' }] });
  });

  it('counts an edited row as changed, and lists it under its new key', async () => {
    const id = await committed([before, PAIRED], [after, paired]);
    expect(await eventOf(id)).toMatchObject({
      newCount: 1,
      changedCount: 1,
      deletedCount: 1,
      unchangedCount: 1,
      newKeys: [KIM],
      changedKeys: [ANN_MOVED],
      deletedKeys: [EVE],
      changedColumns: [{ field: 'city', rows: 1 }],
    });
    const changed = {
      key: ANN_MOVED,
      fits: true,
      changeType: 'changed',
      previousKey: ANN,
      before: data('Ann', '5', 'Oslo'),
      after: data('Ann', '5', 'Bern'),
    };
    expect(await rowsOf(id, 'changed')).toEqual([changed]);
    expect(await rowsOf(id, 'new')).toMatchObject([{ key: KIM, previousKey: null, before: null }]);
    expect(await rowsOf(id, 'deleted')).toMatchObject([{ key: EVE, previousKey: null, after: null }]);
    expect((await rowsOf(id, null, 1)).map(({ key }) => key)).toEqual(
      [ANN_MOVED ?? '', KIM ?? '', EVE ?? ''].toSorted(),
    );
  });

  it('is read in brief, by search, as a file, and in the history of both keys', async () => {
    const id = await committed([before, PAIRED], [after, paired]);
    const record = await getRecord(db, id);
    const { recordNo, generation } = record;
    const event = await eventOf(id);
    const first = await readFirstDeltaRows(db, record, [event.id], 3);
    expect(first.get(event.id)).toMatchObject([
      { key: ANN_MOVED, changeType: 'changed', previousKey: ANN, before: data('Ann', '5', 'Oslo') },
      { key: KIM, changeType: 'new', previousKey: null },
      { key: EVE, changeType: 'deleted', previousKey: null },
    ]);
    const selection = { search: null, searchColumns: [], changedFields: ['city'] };
    const search = { changeType: null, selection, visits: 100 };
    const found = await searchDeltaRows(db, { ...event, recordNo }, search, { after: null, limit: 10 });
    expect(found?.rows).toMatchObject([{ key: ANN_MOVED, previousKey: ANN }]);
    const exported: DeltaRow[] = [];
    const ref = { id: event.id, recordId: id, recordNo, rowCount: 3 };
    for await (const page of exportDeltaRows(db, ref)) exported.push(...page);
    expect(exported).toEqual(await rowsOf(id));
    const history = (key = '') =>
      listRowHistory(db, { recordId: id, recordNo, generations: [generation], key }, 'asc', {
        after: null,
        limit: 10,
      });
    const change = {
      key: ANN_MOVED,
      changeType: 'changed',
      previousKey: ANN,
      before: data('Ann', '5', 'Oslo'),
      sequence: 2,
    };
    expect(await history(ANN)).toMatchObject([{ key: ANN, changeType: 'new', sequence: 1 }, change]);
    expect(await history(ANN_MOVED)).toMatchObject([change]);
    expect(await history(EVE)).toMatchObject([
      { changeType: 'new' },
      { changeType: 'deleted', previousKey: null },
    ]);
  });

  it('pairs nothing unless it is asked to, and nothing that has a key', async () => {
    const unasked = await committed(
      [before, { keyless: {} }],
      [after, { keyless: { pairing: null }, fitsInMemory }],
    );
    expect(await eventOf(unasked)).toMatchObject({ newCount: 2, changedCount: 0, deletedCount: 2 });
    const keyed = await makeRecord(db, { accountId, pairing: 'similarity' });
    await commitTable(db, keyed, before);
    const renamed = tableOf('Anne 5 Oslo', 'Bob 6 Rome', 'Eve 7 Kyiv');
    await commitTable(db, keyed, renamed, { fitsInMemory });
    expect(await eventOf(keyed)).toMatchObject({ newCount: 1, changedCount: 0, deletedCount: 1 });
  });

  it('keeps values that are the same under a rule, as they were reported', async () => {
    const rules: ColumnRules = { price: { as: 'number', tolerance: '10' }, name: { ignoreCase: true } };
    const id = await committed(
      [tableOf('Ann 5 Oslo', 'Bob 6 Rome'), { ...PAIRED, rules }],
      [tableOf('ANN 5.0 Bern', 'Bob 7 Rome'), { ...paired, rules }],
    );
    const changes = await rowsOf(id, 'changed');
    expect(changes.map((row) => row.after ?? '').toSorted()).toEqual([
      data('Ann', '5', 'Bern'),
      data('Bob', '7', 'Rome'),
    ]);
    expect(await eventOf(id)).toMatchObject({
      changedColumns: [{ field: 'city', rows: 1 }, { field: 'price', rows: 1 }],
    }); // prettier-ignore
    await commitTable(db, id, tableOf('ann 5.00 Bern', 'Bob 7 Rome'), { ...paired, rules });
    expect(await eventOf(id)).toMatchObject({ number: 3, isNoChange: true });
  });

  it('warns when there are too many rows to pair, and reports them as deleted and new', async () => {
    const many = (value: string): Table => {
      const rows = Array.from({ length: PAIRING_LIMITS.rows + 1 }, (_, id) => `n${id} ${value} c${id}`);
      return tableOf(...rows);
    };
    const id = await committed([many('1'), PAIRED], [many('2'), paired]);
    const count = PAIRING_LIMITS.rows + 1;
    expect(await eventOf(id)).toMatchObject({ newCount: count, changedCount: 0, deletedCount: count });
    expect(await warningsOf(id)).toEqual([
      { code: 'unpaired_rows', count: 2 * count, samples: [`${count} deleted`, `${count} new`] },
    ]);
  });

  it('warns when the rows are too large to pair', async () => {
    const large = (city: string): Table => ({
      columns: ['name', 'city'],
      rows: Array.from({ length: 9 }, (_, at) => [`"${'x'.repeat(1024 * 1024 - 8)}${at}"`, `"${city}"`]),
    });
    const id = await committed([large('Oslo'), PAIRED], [large('Rome'), paired]);
    expect(await eventOf(id)).toMatchObject({ newCount: 9, changedCount: 0, deletedCount: 9 });
    expect(await warningsOf(id)).toMatchObject([{ code: 'unpaired_rows', count: 18 }]);
  });
});

async function warningsOf(recordId: string): Promise<unknown> {
  const [check] = await rawRows<{ warnings: unknown }>(
    db,
    'select warnings from checks where record_id = ? order by number desc limit 1',
    [recordId],
  );
  return check?.warnings;
}

const cell = fc.constantFrom<Cell[]>('"a"', '"b"', '"c"', '"A"', '""', 'null', '1', '1.0', undefined);
const tables = fc
  .array(fc.tuple(cell, cell, cell, cell), { maxLength: 10 })
  .map((rows): Table => ({ columns: ['p', 'q', 'r', 's'], rows }));
const someRules = fc.constantFrom<ColumnRules>(NO_RULES, {
  p: { ignoreCase: true },
  q: { as: 'number', tolerance: '5' },
});

it('generated commits conserve the rows, are the same in both ways, and leave snapshots as without pairs', async () => {
  expect.hasAssertions();
  await fc.assert(
    fc.asyncProperty(fc.array(tables, { minLength: 2, maxLength: 5 }), someRules, async (versions, rules) => {
      const make = () => makeRecord(db, { accountId });
      const [few, many, plain] = [await make(), await make(), await make()];
      const steps: Step[] = [];
      for (const [index, version] of versions.entries()) {
        const fitsInMemory = index > 0;
        await commitTable(db, few, version, { ...PAIRED, rules, fitsInMemory });
        await commitTable(db, many, version, { ...PAIRED, rules, rowsPerBatch: 3 });
        await commitTable(db, plain, version, { keyless: {}, rules, fitsInMemory });
        const rows = await rowsOf(few, null, 2);
        expect(await rowsOf(many, null, 100)).toEqual(rows);
        expect(countsOf(await eventOf(many))).toEqual(countsOf(await eventOf(few)));
        expect(await versionsOf(many)).toEqual(await versionsOf(few));
        expectConserved(await eventOf(few), rows, await eventOf(plain), await rowsOf(plain));
        const previous = versions[index - 1];
        if (previous !== undefined) expectPairsOf(rows, previous, version, rules);
        steps.push({ rows, sequence: (await getRecord(db, few)).sequence, keys: await openKeys(few) });
      }
      await expectComparisons(few, steps);
      const bare = ({ key, first, last }: StoredVersion) => ({ key, first, last });
      expect((await versionsOf(few)).map(bare)).toEqual((await versionsOf(plain)).map(bare));
    }),
    propertyRuns(25),
  );
}, 3_600_000);

interface Step {
  rows: readonly DeltaRow[];
  sequence: number;
  /** Those of the snapshot. */
  keys: ReadonlySet<string>;
}

const openKeys = async (recordId: string): Promise<Set<string>> =>
  new Set((await versionsOf(recordId)).filter(({ last }) => last === null).map(({ key }) => key));

/** Any two snapshots, in both directions, against the pairs of the events between them. */
async function expectComparisons(recordId: string, steps: readonly Step[]): Promise<void> {
  const { recordNo, generation } = await getRecord(db, recordId);
  const bySequence = new Map(steps.map((step) => [step.sequence, step]));
  for (const older of bySequence.values()) {
    for (const newer of [...bySequence.values()].filter(({ sequence }) => sequence > older.sequence)) {
      const expected = pairsBetween(bySequence, older, newer);
      const gone = [...older.keys].filter((key) => !newer.keys.has(key));
      const come = [...newer.keys].filter((key) => !older.keys.has(key));
      for (const [from, to, isForward] of [
        [older.sequence, newer.sequence, true],
        [newer.sequence, older.sequence, false],
      ] as const) {
        const pair = { recordNo, generation, from, to };
        const rows: DeltaRow[] = [];
        for (let after: string | null = null; ; after = rows.at(-1)?.key ?? null) {
          const page = await listComparedRows(db, pair, null, { after, limit: 2 });
          rows.push(...page.slice(0, 2));
          if (page.length <= 2) break;
        }
        const changed = rows.filter(({ changeType }) => changeType === 'changed');
        const found = changed.map(({ key, previousKey }) =>
          isForward ? `${previousKey} ${key}` : `${key} ${previousKey}`,
        );
        expect(found.toSorted()).toEqual(expected);
        const { counts, keys } = await compareSnapshots(db, pair, 100);
        const named = [...keys.newKeys, ...keys.changedKeys, ...keys.deletedKeys];
        expect(rows.map(({ key }) => key)).toEqual(named.toSorted());
        const [added, deleted] = isForward ? [come, gone] : [gone, come];
        expect(counts).toEqual({
          new: added.length - changed.length,
          changed: changed.length,
          deleted: deleted.length - changed.length,
        });
        expect(
          changed.every((row) => row.before !== null && row.after !== null && row.before !== row.after),
        ).toBe(true);
      }
    }
  }
}

function pairsBetween(steps: ReadonlyMap<number, Step>, older: Step, newer: Step): string[] {
  return [...newer.keys]
    .flatMap((key) => {
      if (older.keys.has(key)) return [];
      let earlier: string | null = key;
      for (let at = newer.sequence; at > older.sequence && earlier !== null; at--) {
        const opened = steps.get(at)?.rows.find((row) => row.key === earlier && row.changeType !== 'deleted');
        if (opened !== undefined) earlier = opened.previousKey;
      }
      return earlier === null || newer.keys.has(earlier) ? [] : [`${earlier} ${key}`];
    })
    .toSorted();
}

interface StoredVersion {
  key: string;
  first: number;
  last: number | null;
}

async function versionsOf(recordId: string): Promise<StoredVersion[]> {
  const { recordNo } = await getRecord(db, recordId);
  return rawRows(
    db,
    `select row_key as key, first_seq as first, last_seq as last, data::text as data, previous_key as "previousKey"
     from row_versions where record_no = ? order by row_key, first_seq`,
    [recordNo],
  );
}

function countsOf(event: DeltaEventRow) {
  const { newCount, changedCount, deletedCount, unchangedCount, totalCount, changedColumns } = event;
  const { newKeys, changedKeys, deletedKeys } = event;
  return {
    newCount,
    changedCount,
    deletedCount,
    unchangedCount,
    totalCount,
    changedColumns,
    newKeys,
    changedKeys,
    deletedKeys,
  };
}

function expectConserved(
  paired: DeltaEventRow,
  rows: readonly DeltaRow[],
  plain: DeltaEventRow,
  plainRows: readonly DeltaRow[],
): void {
  expect(paired.newCount + paired.changedCount).toBe(plain.newCount);
  expect(paired.deletedCount + paired.changedCount).toBe(plain.deletedCount);
  expect([paired.unchangedCount, paired.totalCount]).toEqual([plain.unchangedCount, plain.totalCount]);
  const sides = (type: ChangeType) =>
    plainRows.filter(({ changeType }) => changeType === type).map(({ key }) => key);
  const came = rows.flatMap(({ changeType, key }) => (changeType === 'deleted' ? [] : [key]));
  const went = rows.flatMap(({ changeType, key, previousKey }) => {
    if (changeType === 'changed') return [previousKey ?? ''];
    return changeType === 'deleted' ? [key] : [];
  });
  expect(came.toSorted()).toEqual(sides('new').toSorted());
  expect(went.toSorted()).toEqual(sides('deleted').toSorted());
}

function expectPairsOf(rows: readonly DeltaRow[], previous: Table, version: Table, rules: ColumnRules): void {
  const delta = compare(keyedRows(previous, rules, []), keyedRows(version, rules, []));
  const pairs = pairSimilar(delta.deleted, delta.new, rules)?.map((pair) => `${pair.before} ${pair.after}`);
  const changed = rows.filter(({ changeType }) => changeType === 'changed');
  expect(changed.map(({ key, previousKey }) => `${previousKey} ${key}`).toSorted()).toEqual(
    pairs?.toSorted(),
  );
}
