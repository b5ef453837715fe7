// Comparisons of snapshots under rules for columns agree with a slow comparison of the rows that both snapshots list.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compareKeys } from '../../../../core/delta/compare-keys.ts';
import type { ColumnRules } from '../../../../core/delta/rules/column-rules.ts';
import { isSameRow } from '../../../core/delta/rules/reference.ts';
import { type CommitOptions, commitTable, rekeyTable, type Table } from '../../../db/factories.ts';
import { useApi } from '../../../support/api/api.ts';
import { PROPERTY_TIMEOUT, propertyRuns } from '../../../support/runner/property-runs.ts';
import { createTestRecord } from '../../../support/rows/factories.ts';

const api = useApi();

type Cells = Readonly<Record<string, string>>;
type Rows = ReadonlyMap<string, Cells>;

interface Row {
  key: string;
  changeType: 'new' | 'changed' | 'deleted';
  before: Cells | null;
  after: Cells | null;
  changedFields: string[];
  previousKey?: string;
}

interface History {
  path: string;
  recordId: string;
  /** Oldest first. */
  ids: string[];
}

async function play(rules: ColumnRules, tables: readonly Table[], options: CommitOptions): Promise<History> {
  const recordId = await createTestRecord(api.db, api.accountId, { rules });
  const path = `/v1/sources/${recordId}`;
  const { fitsInMemory = false } = options;
  for (const [at, table] of tables.entries()) {
    await commitTable(api.db, recordId, table, { ...options, rules, fitsInMemory: fitsInMemory && at > 0 });
  }
  const { body } = await api.call('GET', `${path}/snapshots?order=asc`);
  return { path, recordId, ids: body.snapshots.map(({ id }: { id: string }) => id) };
}

const get = async (url: string) => (await api.call('GET', url)).body;

async function listRows({ path }: History, query: string, limit: number): Promise<Row[]> {
  const rows: Row[] = [];
  for (let cursor = ''; ;) {
    const page = await get(`${path}/compare/rows?${query}&limit=${limit}${cursor}`);
    expect(page.count).toBe(page.rows.length);
    rows.push(...page.rows);
    if (page.hasMore !== true) return rows;
    cursor = `&cursor=${page.nextCursor}`;
  }
}

const table = (columns: string[], ...rows: (string | undefined)[][]): Table => ({
  columns,
  rows: rows.map((cells) => cells.map((cell) => (cell === undefined ? undefined : JSON.stringify(cell)))),
});
const of = (columns: string[], rows: string[]): Table => table(columns, ...rows.map((row) => row.split(',')));

describe.each([true, false])('regression: a comparison under rules (in memory: %s)', (fitsInMemory) => {
  const tolerance: ColumnRules = { v: { as: 'number', tolerance: '5' } };
  const columns = ['id', 'v', 'o'];
  const play3 = (rules: ColumnRules, names: string[], versions: string[]) =>
    play(
      rules,
      versions.map((row) => of(names, [row, '2,5,Z'])),
      { fitsInMemory },
    );
  const compared = async ({ path, ids }: History) => get(`${path}/compare?from=${ids[0]}`);

  it('invents no change of a value that a tolerance has kept', async () => {
    const history = await play3(tolerance, columns, ['1,100,A', '1,103,B', '1,103,A']);
    expect(await compared(history)).toMatchObject({ isNoChange: true, changedCount: 0, unchangedCount: 2 });
    expect(await listRows(history, `from=${history.ids[0]}`, 10)).toEqual([]);
  });

  it('misses no change of a value that a tolerance has kept', async () => {
    const versions = ['1,103,A', '1,109,A', '1,103.9,A', '1,103,B', '1,103,A'];
    const history = await play3(tolerance, columns, versions);
    expect(await compared(history)).toMatchObject({ isNoChange: false, changedKeys: ['1'] });
    expect(await listRows(history, `from=${history.ids[0]}`, 10)).toMatchObject([
      { key: '1', before: { v: '103', o: 'A' }, after: { v: '103.9', o: 'A' }, changedFields: ['v'] },
    ]);
  });

  it('names and finds no column that has only another spelling, also in an earlier generation', async () => {
    const versions = ['1,Foo,1', '1,Bar,1', '1,FOO,2'];
    const history = await play3({ name: { ignoreCase: true } }, ['id', 'name', 'p'], versions);
    const from = `from=${history.ids[0]}&to=${history.ids[2]}`;
    const expectFields = async () => {
      const [row] = await listRows(history, from, 10);
      expect([row?.changedFields, row?.before?.['name'], row?.after?.['name']]).toEqual([
        ['p'],
        'Foo',
        'FOO',
      ]);
      expect(await listRows(history, `${from}&changedField=name`, 10)).toEqual([]);
      expect(await listRows(history, `${from}&changedField=name&changedField=p`, 10)).toEqual([row]);
    };
    await expectFields();
    await endGeneration(history);
    await expectFields();
  });
});

it('regression: snapshots of a worker that does not name the rules are compared under those in force', async () => {
  const rules: ColumnRules = { name: { ignoreCase: true } };
  const versions = ['1,Foo,1', '1,Bar,1', '1,FOO,2', '1,x,3'].map((row) => of(['id', 'name', 'p'], [row]));
  const history = await play(rules, versions, {});
  await api.db('snapshots').where({ recordId: history.recordId }).update({ rules: null });
  const between = `from=${history.ids[0]}&to=${history.ids[2]}`;
  expect(await listRows(history, between, 10)).toMatchObject([{ changedFields: ['p'] }]);
  expect(await listRows(history, `${between}&changedField=name`, 10)).toEqual([]);
});

/** The next snapshot is one without rules, and with another key. */
async function endGeneration({ recordId }: History): Promise<void> {
  await api.db('record_heads').where({ recordId }).update({ generation: 2, rules: '{}' });
  await commitTable(api.db, recordId, of(['other'], ['z']));
}

const RULES: fc.Arbitrary<ColumnRules> = fc.record({
  price: fc.constantFrom<ColumnRules[string][]>(
    { as: 'number', tolerance: '5' },
    { as: 'number', tolerance: '4%' },
    { as: 'number' },
    { trim: true },
  ),
  name: fc.constantFrom<ColumnRules[string][]>({ ignoreCase: true }, { ignoreCase: true, trim: true }, {}),
});
const PRICES = ['100', '103', '103.0', '106', '109', ''];
const NAMES = ['Foo', 'FOO', 'foo ', 'Bar'];
const COLUMNS = ['id', 'price', 'name', 'note'];

const cell = (texts: string[]) => fc.option(fc.constantFrom(...texts), { nil: undefined, freq: 8 });
const rowOf = (id: string) => fc.tuple(fc.constant(id), cell(PRICES), cell(NAMES), cell(['A', 'B']));
const rowsOf = fc
  .tuple(...['a', 'b', 'c'].map((id) => fc.option(rowOf(id), { nil: undefined, freq: 5 })))
  .map((rows) => rows.filter((row) => row !== undefined));
/** Now and then the columns are in another order. */
const version = fc
  .tuple(rowsOf, fc.boolean())
  .map(([rows, isTurned]) =>
    isTurned
      ? table(
          [COLUMNS[0] ?? '', ...COLUMNS.slice(1).toReversed()],
          ...rows.map(([id, ...cells]) => [id, ...cells.toReversed()]),
        )
      : table(COLUMNS, ...rows),
  );

const KINDS: CommitOptions[] = [
  { fitsInMemory: true },
  { fitsInMemory: false },
  { keyless: {} },
  { keyless: { pairing: 'similarity' } },
];

it('any two snapshots differ under the rules as the rows that they list', PROPERTY_TIMEOUT, async () => {
  await fc.assert(
    fc.asyncProperty(
      RULES,
      fc.array(version, { minLength: 2, maxLength: 6 }),
      fc.constantFrom(...KINDS),
      fc.integer({ min: 1, max: 3 }),
      fc.boolean(),
      async (rules, versions, options, limit, isEarlier) => {
        const history = await play(rules, versions, options);
        if (isEarlier) await endGeneration(history);
        const snapshots = await Promise.all(history.ids.map((id) => rowsIn(history, id)));
        for (const [from, before] of snapshots.entries()) {
          for (const [to, after] of snapshots.entries()) {
            const query = `from=${history.ids[from]}&to=${history.ids[to]}`;
            await expectComparison(history, query, limit, { rules: exact(rules), before, after });
          }
        }
      },
    ),
    propertyRuns(12),
  );
});

/** A tolerance says when a value is reported. It makes no two reported values the same. */
const exact = (rules: ColumnRules): ColumnRules =>
  Object.fromEntries(
    Object.entries(rules).map(([column, { tolerance: _tolerance, ...rule }]) => [column, rule]),
  );

async function rowsIn({ path }: History, id: string): Promise<Rows> {
  const { rows } = await get(`${path}/snapshots/${id}/rows`);
  return new Map(rows.map(({ key, data }: { key: string; data: Cells }) => [key, data]));
}

interface Sides {
  rules: ColumnRules;
  before: Rows;
  after: Rows;
}

async function expectComparison(history: History, query: string, limit: number, sides: Sides): Promise<void> {
  const rows = await listRows(history, query, limit);
  const expected = expectedRows(sides, rows);
  expect(
    rows.map(({ changedFields, ...row }) => ({ ...row, changedFields: changedFields.toSorted() })),
  ).toEqual(expected);
  const keysOf = (type: Row['changeType'], from = expected) =>
    from.filter(({ changeType }) => changeType === type).map(({ key }) => key);
  const [newKeys, changedKeys, deletedKeys] = [keysOf('new'), keysOf('changed'), keysOf('deleted')];
  expect(await get(`${history.path}/compare?${query}`)).toMatchObject({
    isNoChange: expected.length === 0,
    newKeys,
    changedKeys,
    deletedKeys,
    newCount: newKeys.length,
    changedCount: changedKeys.length,
    deletedCount: deletedKeys.length,
    unchangedCount: sides.after.size - newKeys.length - changedKeys.length,
  });
  const columns = new Set([...sides.before.values(), ...sides.after.values()].flatMap(Object.keys));
  for (const column of ['price', 'name'].filter((each) => columns.has(each))) {
    const found = await listRows(history, `${query}&changedField=${column}`, limit);
    const wanted = expected.filter(({ changedFields }) => changedFields.includes(column));
    expect(found.map(({ key }) => key)).toEqual(wanted.map(({ key }) => key));
  }
}

/** @param listed which rows are pairs is tested elsewhere, so it is taken from here */
function expectedRows({ rules, before, after }: Sides, listed: readonly Row[]): Row[] {
  const [left, right] = [new Map(before), new Map(after)];
  const rows: Row[] = [];
  for (const { key, previousKey } of listed) {
    if (previousKey === undefined) continue;
    const [was = {}, is = {}] = [left.get(previousKey), right.get(key)];
    const changedFields = fieldsBetween(rules, was, is);
    expect(changedFields).not.toEqual([]);
    const pair = { pairedBy: 'similarity', previousKey };
    rows.push({ key, changeType: 'changed', before: was, after: is, changedFields, ...pair });
    left.delete(previousKey);
    right.delete(key);
  }
  for (const key of new Set([...left.keys(), ...right.keys()])) {
    const [was = null, is = null] = [left.get(key), right.get(key)];
    const changedFields = was === null || is === null ? [] : fieldsBetween(rules, was, is);
    if (was !== null && is !== null && changedFields.length === 0) continue;
    const changeType = was === null ? 'new' : is === null ? 'deleted' : 'changed';
    rows.push({ key, changeType, before: was, after: is, changedFields });
  }
  return rows.toSorted((one, other) => compareKeys(one.key, other.key));
}

const fieldsBetween = (rules: ColumnRules, was: Cells, is: Cells): string[] =>
  [...new Set([...Object.keys(was), ...Object.keys(is)])]
    .filter((column) => !isSameRow(rules, cellOf(was, column), cellOf(is, column)))
    .toSorted();

const cellOf = (cells: Cells, column: string): ReadonlyMap<string, string> =>
  new Map(cells[column] === undefined ? [] : [[column, JSON.stringify(cells[column])]]);

it('regression: a comparison across a change of the rules is refused, and the words fit', async () => {
  const version = of(['id', 'name'], ['a,x']);
  const { path, recordId, ids } = await play({}, [version], {});
  await rekeyTable(api.db, recordId, version, { rules: { name: { trim: true } } });
  const body = await get(`${path}/compare?from=${ids[0]}`);
  expect(body).toMatchObject({ code: 'different_keys', detail: expect.stringContaining('settings changed') });
  expect(body.detail).not.toContain('ignored fields');
});
