// Compares commits in the database with the specification in core/delta/compare.ts, on generated tables.
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { carryOverBy } from '../../../core/delta/carry-over.ts';
import { apply, compare, type Delta, type RowVersion } from '../../../core/delta/compare.ts';
import { compareKeys } from '../../../core/delta/compare-keys.ts';
import type { Cell } from '../../../core/delta/model.ts';
import { type ColumnRules, NO_RULES } from '../../../core/delta/rules/column-rules.ts';
import { splitRowJson } from '../../../core/delta/keys/keyed-row.ts';
import type { ChangedColumn } from '../../../core/delivery-payload.ts';
import { type DeltaEventRow, listDeltaEvents } from '../../../db/rows/delta-events.ts';
import { listDeltaRows } from '../../../db/rows/delta-rows.ts';
import { type Database, rawRows } from '../../../db/driver/knex.ts';
import type { SchemaChange } from '../../../db/commit/schema-change.ts';
import { listSnapshotRows, listSnapshots } from '../../../db/rows/snapshots.ts';
import type { PageRequest } from '../../../db/page.ts';
import { createTestDatabase, type TestDatabase } from '../../support/servers/database.ts';
import { propertyRuns } from '../../support/runner/property-runs.ts';
import { type Change, changesOf } from '../changes-between.ts';
import { commitTable, getRecord, keyedRows, makeAccount, makeRecord, type Table } from '../factories.ts';

/** `npm run test:long` runs more. */
const RUNS = propertyRuns(130);

let database: TestDatabase;
let db: Database;
let accountId: string;
beforeAll(async () => {
  database = await createTestDatabase();
  db = database.db;
  accountId = await makeAccount(db);
});
afterAll(() => database.drop());

const AWKWARD_KEYS = [
  'a', 'b', 'B', 'c', '', ' ', '\t', 'a\tb', '\n', '\r\n', '\\', '\\.', '\\N', '\\x41', '"', "it's", '""', 'é', 'e\u0301',
  '\u{1f600}', '\uff01', '__proto__', ':after', '?', '$1', '\u0001', '{"a":1}', 'x'.repeat(1024), 'ü'.repeat(512),
  'y'.repeat(5000),
]; // prettier-ignore
const VALUES: Cell[] = [
  undefined, 'null', '""', '"v"', '"w"', '1e2', '100', '-0', '1.10', '10000000000000000999', '1e200000', 'true',
  '"V"', '" v"', '"100.0"', '1.1', '"1.1"', '101', '60', '"-0.5"',
  '"\\\\"', '"\\\\."', '"\\n\\t"', '"\\""', '"\u{1f600}"', '{"a":[1,null]}',
]; // prettier-ignore

const keys = fc.oneof(
  { weight: 9, arbitrary: fc.constantFrom(...AWKWARD_KEYS) },
  {
    weight: 1,
    arbitrary: fc.string({ unit: 'grapheme', maxLength: 8 }).filter((text) => !text.includes('\0')),
  },
);
const tables: fc.Arbitrary<Table> = fc.shuffledSubarray(['x', 'y', '__proto__', 'é"\\']).chain((others) =>
  fc.record({
    columns: fc.constant(['id', ...others]),
    rows: fc.array(
      fc
        .tuple(keys, fc.tuple(...others.map(() => fc.constantFrom(...VALUES))))
        .map(([key, cells]) => [JSON.stringify(key), ...cells]),
      { maxLength: 12 },
    ),
  }),
);
const rules = fc.constantFrom<ColumnRules[]>(
  NO_RULES,
  { x: { as: 'number', tolerance: '1' }, y: { as: 'number', tolerance: '50%' } },
  {
    x: { as: 'number', trim: true, ignoreCase: true },
    y: { trim: true, ignoreCase: true },
    'é"\\': { as: 'number' },
  },
  { id: { as: 'number', trim: true }, y: { as: 'date', normalize: 'NFKC' }, ['__proto__']: { as: 'number' } },
);
/** Some versions derive from earlier ones: the same again, or without some rows. */
const histories = fc
  .array(fc.tuple(tables, fc.constantFrom('new', 'again', 'fewer'), fc.nat(4)), {
    minLength: 1,
    maxLength: 6,
  })
  .map((steps) => {
    const versions: Table[] = [];
    for (const [fresh, how, back] of steps) {
      const earlier = versions.at(-1 - back);
      if (how === 'new' || earlier === undefined) versions.push(fresh);
      else if (how === 'again') versions.push(earlier);
      else versions.push({ ...earlier, rows: earlier.rows.filter((_, index) => index % 3 !== 1) });
    }
    return versions;
  });

interface Step {
  delta: Delta;
  /** Rows after the step, in the order of keys. */
  rows: RowVersion[];
  /** The snapshot's columns. */
  columns: string[];
  schemaChange: SchemaChange | null;
  sequence: number;
}

it('commits have the counts, keys, delta rows and snapshot rows of the specification, at any later time', async () => {
  expect.hasAssertions();
  await fc.assert(
    fc.asyncProperty(
      histories,
      rules,
      fc.integer({ min: 1, max: 8 }),
      fc.nat(127),
      async (versions, given, rowsPerBatch, few) => {
        const recordId = await makeRecord(db, { accountId });
        const { recordNo } = await getRecord(db, recordId);
        const steps: Step[] = [];
        for (const version of versions) {
          const linesBefore = await openLines(recordNo);
          const step = expectedStep(steps.at(-1), version, given);
          steps.push(step);
          // Each commit in one of the two ways, also after the other one.
          const fitsInMemory = steps.length > 1 && ((few >> steps.length) & 1) === 1;
          await commitTable(db, recordId, version, { rowsPerBatch, fitsInMemory, rules: given });
          expectUntouched(linesBefore, await openLines(recordNo), step.delta);
          await expectHistory(recordId, recordNo, steps, [steps.length]);
        }
        const largest = Math.max(...steps.map(({ rows }) => rows.length));
        await expectHistory(
          recordId,
          recordNo,
          steps,
          Array.from({ length: largest + 2 }, (_, at) => at + 1),
        );
      },
    ),
    RUNS,
  );
}, 3_600_000);

it.each([false, true])(
  'an event keeps the first 100 keys of each kind (in memory: %s)',
  async (fitsInMemory) => {
    expect.hasAssertions();
    const recordId = await makeRecord(db, { accountId });
    const { recordNo } = await getRecord(db, recordId);
    const version = (from: number, value: string): Table => ({
      columns: ['id', 'value'],
      rows: Array.from({ length: 450 }, (_, at) => [`"${from + at}"`, at < 300 - from ? '"same"' : value]),
    });
    const versions = [version(0, '"1"'), version(150, '"2"')];
    const steps: Step[] = [];
    for (const table of versions) {
      steps.push(expectedStep(steps.at(-1), table));
      await commitTable(db, recordId, table, { fitsInMemory: fitsInMemory && steps.length > 1 });
    }
    expect(steps.at(-1)?.delta).toMatchObject({
      new: { length: 150 },
      changed: { length: 150 },
      deleted: { length: 150 },
    });
    await expectHistory(recordId, recordNo, steps, [7, 100, 450]);
  },
);

function expectedStep(last: Step | undefined, version: Table, given = NO_RULES): Step {
  const { columns } = version;
  const incoming = keyedRows(version, given);
  if (last === undefined) {
    const rows = apply([], compare([], incoming));
    const delta = compare(rows, rows);
    return { delta, rows, columns, schemaChange: null, sequence: 1 };
  }
  const delta = compare(last.rows, incoming, carryOverBy(given, ['id']));
  const isNoChange = delta.new.length + delta.changed.length + delta.deleted.length === 0;
  if (isNoChange) return { ...last, delta, schemaChange: null };
  const rows = apply(last.rows, delta);
  const schemaChange = expectedSchemaChange(last.columns, columns, delta);
  return { delta, rows, columns, schemaChange, sequence: last.sequence + 1 };
}

function expectedSchemaChange(before: string[], after: string[], delta: Delta): SchemaChange | null {
  const added = after.filter((column) => !before.includes(column));
  const removed = before.filter((column) => !after.includes(column));
  const cameOrWent = new Set([...added, ...removed]);
  if (cameOrWent.size === 0) return null;
  const schemaOnly = delta.changed.filter(({ changedFields }) =>
    changedFields.every((field) => cameOrWent.has(field)),
  );
  const renamed = removed.flatMap((from) =>
    added.flatMap((to) => (isRenamed(delta, from, to) ? [{ from, to }] : [])),
  );
  const certain = renamed.filter(
    ({ from, to }) => renamed.filter((other) => other.from === from || other.to === to).length === 1,
  );
  return {
    added: added.filter((column) => certain.every(({ to }) => to !== column)),
    removed: removed.filter((column) => certain.every(({ from }) => from !== column)),
    renamed: certain,
    schemaOnlyCount: schemaOnly.length,
  };
}

function isRenamed({ changed }: Delta, from: string, to: string): boolean {
  const values = changed.map(({ before, after }) => ({
    before: new Map(splitRowJson(before)).get(from),
    after: new Map(splitRowJson(after)).get(to),
  }));
  const distinct = new Set(values.flatMap(({ before }) => (before === undefined ? [] : [before])));
  return distinct.size > 1 && values.every(({ before, after }) => before === after);
}

/** Expects that everything committed so far agrees with the specification, on pages of each of these sizes. */
async function expectHistory(
  recordId: string,
  recordNo: number,
  steps: readonly Step[],
  limits: readonly number[],
): Promise<void> {
  const events = await listDeltaEvents(db, recordId, { changesOnly: false }, 'asc', {
    after: null,
    limit: 99,
  });
  expect(events.map(({ number }) => number)).toEqual(steps.map((_, at) => at + 1));
  const snapshots = await listSnapshots(db, recordId, 'asc', { after: null, limit: 99 });
  expect(snapshots.map(({ sequence }) => sequence)).toEqual([
    ...new Set(steps.map(({ sequence }) => sequence)),
  ]);
  for (const [at, step] of steps.entries()) {
    const event = events[at];
    if (event === undefined) throw new Error('An event is missing');
    expectEvent(event, step, at === 0);
    const { generation, sequence } = event;
    expect(snapshots[sequence - 1]).toMatchObject({ id: event.snapshotId, totalRows: step.rows.length });
    for (const limit of limits) {
      const position = { recordNo, generation, sequence };
      const readRows = async (page: PageRequest<string>) =>
        (await listDeltaRows(db, { ...event, recordNo }, page)) ?? [];
      const deltaRows = (await readPages(limit, readRows)).map(withoutFit);
      expect(deltaRows).toEqual(changesOf(step.delta));
      const rows = (await readPages(limit, (page) => listSnapshotRows(db, position, page))).map(withoutFit);
      expect(rows).toEqual(step.rows);
      const before = at === 0 ? step.rows : (steps[at - 1]?.rows ?? []);
      expect(unite(before, deltaRows)).toEqual(step.rows);
    }
  }
}

function expectEvent(
  event: DeltaEventRow,
  { delta, rows, sequence, schemaChange }: Step,
  isBaseline: boolean,
): void {
  const keysOf = (changed: readonly { key: string }[]) => changed.slice(0, 100).map(({ key }) => key);
  expect(event).toMatchObject({
    sequence,
    isNoChange: delta.new.length + delta.changed.length + delta.deleted.length === 0,
    newCount: delta.new.length,
    changedCount: delta.changed.length,
    deletedCount: delta.deleted.length,
    unchangedCount: delta.unchanged,
    totalCount: rows.length,
    newKeys: keysOf(delta.new),
    changedKeys: keysOf(delta.changed),
    deletedKeys: keysOf(delta.deleted),
    changedColumns: isBaseline || delta.changed.length === 0 ? null : expectedColumns(delta),
    schemaChange,
  });
  expect(event.previousSnapshotId === null).toBe(isBaseline);
}

/** The columns of changed rows by the number of rows, then by the bytes of their names. */
function expectedColumns(delta: Delta): ChangedColumn[] {
  const fields = delta.changed.flatMap(({ changedFields }) => changedFields);
  const columns = [...new Set(fields)].map((field) => ({
    field,
    rows: fields.filter((each) => each === field).length,
  }));
  return columns.sort(
    (left, right) =>
      right.rows - left.rows || Buffer.compare(Buffer.from(left.field), Buffer.from(right.field)),
  );
}

/** Expects that the rows are small enough for their page, and removes the flag. */
function withoutFit<Row extends { fits: boolean }>({ fits, ...row }: Row): Omit<Row, 'fits'> {
  expect(fits).toBe(true);
  return row;
}

type BareRow = Omit<RowVersion, 'fits'>;

/** Applies delta rows to rows, as a reader does. */
function unite(before: readonly BareRow[], deltaRows: readonly Change[]): BareRow[] {
  const rows = new Map(before.map(({ key, data }) => [key, data]));
  for (const { key, after } of deltaRows) {
    if (after === null) rows.delete(key);
    else rows.set(key, after);
  }
  return [...rows].map(([key, data]) => ({ key, data })).sort((a, b) => compareKeys(a.key, b.key));
}

async function readPages<Row extends { key: string }>(
  limit: number,
  read: (page: PageRequest<string>) => Promise<Row[]>,
): Promise<Row[]> {
  const all: Row[] = [];
  for (let after: string | null = null; ;) {
    const rows = await read({ after, limit });
    expect(rows.length).toBeLessThanOrEqual(limit + 1);
    const page = rows.slice(0, limit);
    all.push(...page);
    after = page.at(-1)?.key ?? null;
    if (rows.length <= limit) return all;
  }
}

/** The row versions of the latest snapshot, each with the position of its tuple on disk. */
async function openLines(recordNo: number): Promise<Map<string, string>> {
  const lines = await rawRows<{ key: string; line: string }>(
    db,
    `select row_key as key, ctid::text || '@' || xmin::text as line from row_versions
     where record_no = ? and last_seq is null`,
    [recordNo],
  );
  return new Map(lines.map(({ key, line }) => [key, line]));
}

/** Expects that unchanged rows are not rewritten. */
function expectUntouched(
  before: ReadonlyMap<string, string>,
  after: ReadonlyMap<string, string>,
  delta: Delta,
): void {
  const touched = new Set([...delta.new, ...delta.changed, ...delta.deleted].map(({ key }) => key));
  const untouched = [...before].filter(([key]) => !touched.has(key));
  expect(untouched.map(([key]) => [key, after.get(key)])).toEqual(untouched);
}
