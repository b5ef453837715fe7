// Pages of MCP tools: whatever the size of rows, following nextCursor shows every item once, and each answer says what it shows.
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { useApi } from '../../../support/api/api.ts';
import { commitRows, createTestRecord } from '../../../support/rows/factories.ts';
import { PROPERTY_TIMEOUT, propertyRuns } from '../../../support/runner/property-runs.ts';
import { callTool } from '../caller.ts';

const api = useApi();

interface Shown {
  items: 'rows' | 'events' | 'snapshots' | 'sources' | 'groups';
  tool: string;
  args: object;
}

// Tests look into answers freely.
// oxlint-disable-next-line typescript/no-explicit-any
type Answer = any;

/** Holds what an answer says of itself to what it shows. */
async function ask({ tool, args, items }: Shown, more: object = {}): Promise<Answer> {
  const { isError, text, value } = await callTool(api, tool, { ...args, ...more });
  if (isError) throw new Error(`${tool}: ${text}`);
  const shown: number = value[items].length;
  const notice: string = value.notice ?? '';
  const [, stated = shown, asked = Infinity] = /Only (\d+) of (\d+) \w+ fit/.exec(notice) ?? [];
  expect([tool, value.count ?? shown, Number(stated), Number(asked) > shown]).toEqual([
    tool,
    shown,
    shown,
    true,
  ]);
  const hasCursor = typeof value.nextCursor === 'string' && value.hasMore === true;
  expect([tool, notice.includes('nextCursor') && !hasCursor]).toEqual([tool, false]);
  return value;
}

/** Every item, as shown on the pages from the first to the last. */
async function walk(shown: Shown): Promise<Answer[]> {
  const all: Answer[] = [];
  let cursor: string | undefined;
  do {
    const value = await ask(shown, cursor === undefined ? {} : { cursor });
    all.push(...value[shown.items]);
    cursor = value.hasMore ? value.nextCursor : undefined;
  } while (cursor !== undefined);
  return all;
}

type Rows = Record<string, string>;

const rowOf = (key: string, length: number, at = 0): string =>
  JSON.stringify({ id: key, price: String(at), text: `${at}${'é'.repeat(length)}` });

function rowsOf(lengths: readonly number[], keyLength: number): Rows {
  return Object.fromEntries(
    lengths.map((length, at) => {
      const key = String(at).padStart(4, '0').padEnd(keyLength, 'k');
      return [key, rowOf(key, length)];
    }),
  );
}

const COLUMNS = ['id', 'price', 'text'];

async function makeRecord(...tables: Rows[]): Promise<string> {
  const source = await createTestRecord(api.db, api.accountId);
  for (const rows of tables) await commitRows(api.db, source, rows, COLUMNS);
  return source;
}

const snapshotsOf = async (source: string): Promise<string[]> =>
  (
    await walk({ tool: 'list_snapshots', args: { source, order: 'asc', limit: 100 }, items: 'snapshots' })
  ).map(({ id }) => id);

it('regression: 200 rows of which the first 50 are long are shown once each', async () => {
  const rows = rowsOf([...Array(50).fill(780), ...Array(150).fill(1)], 4);
  const source = await makeRecord({ none: rowOf('none', 1) }, { none: rowOf('none', 1), ...rows });
  const [from] = await snapshotsOf(source);
  for (const [tool, args] of [
    ['get_delta_rows', {}],
    ['compare_snapshots', { from }],
  ] as const) {
    const all = await walk({ tool, args: { source, limit: 200, ...args }, items: 'rows' });
    expect(all.map(({ key }) => key)).toEqual(Object.keys(rows));
  }
});

it('regression: no cursor is promised where there is none', async () => {
  const long = rowsOf(Array(100).fill(1_500), 4);
  const source = await makeRecord({}, long);
  const since = '2020-01-01';
  const asked: Shown[] = [
    { tool: 'get_snapshot_rows', args: { source, sample: 'random', limit: 100 }, items: 'rows' },
    { tool: 'query_snapshot', args: { source, groupBy: ['text', 'id'], limit: 100 }, items: 'groups' },
  ];
  for (const each of asked) {
    const { notice, [each.items]: shown } = await ask(each);
    expect(notice).toMatch(new RegExp(`Only ${shown.length} of 100 ${each.items} fit\\.$`));
  }
  const summary = await ask({ tool: 'summarize_changes', args: { source, since, limit: 50 }, items: 'rows' });
  expect(summary.notice).toMatch(new RegExp(`Only ${summary.rows.length} of 50 rows fit\\.$`));
});

it('following nextCursor shows every item once', PROPERTY_TIMEOUT, async () => {
  const length = fc.oneof(fc.nat(20), fc.integer({ min: 200, max: 1_200 }), fc.nat(9_000));
  const lengths = (maxLength: number) =>
    fc
      .array(fc.tuple(length, fc.integer({ min: 1, max: maxLength })), { minLength: 1, maxLength: 4 })
      .map((runs) => runs.flatMap(([each, times]) => Array<number>(times).fill(each)).slice(0, maxLength));
  const given = fc.record({
    rows: lengths(230),
    versions: lengths(12),
    keyLength: fc.constantFrom(4, 71, 300),
    limit: fc.oneof(fc.constant(200), fc.integer({ min: 5, max: 200 })),
    keysLimit: fc.nat(100),
  });
  await fc.assert(
    fc.asyncProperty(given, async ({ rows: ofRows, versions, keyLength, limit, keysLimit }) => {
      const first = { none: rowOf('none', 1) };
      const rows = { ...first, ...rowsOf(ofRows, keyLength) };
      const [, key = ''] = Object.keys(rows);
      const tables = versions.map((each, at) => ({ ...rows, [key]: rowOf(key, each, at + 1) }));
      const source = await makeRecord(first, rows, ...tables);
      const snapshots = await snapshotsOf(source);
      expect(snapshots).toHaveLength(versions.length + 2);
      const shown = async (items: Shown['items'], tool: string, args: object = {}): Promise<Answer[]> =>
        walk({ tool, args: { source, limit, ...args }, items });
      const keysOf = (list: Answer[]): string[] => list.map((row) => row.key);
      const added = Object.keys(rows);
      const events: Answer[] = await shown('events', 'list_deltas', { order: 'asc', keysLimit });
      expect(events.map(({ snapshotId }) => snapshotId)).toEqual(snapshots.slice(1));
      expect((await shown('events', 'list_deltas', { keysLimit })).map(({ id }) => id).toReversed()).toEqual(
        events.map(({ id }) => id),
      );
      const [{ id: deltaEventId }] = events as [Answer];
      const news = added.filter((each) => each !== 'none').toSorted();
      expect(keysOf(await shown('rows', 'get_delta_rows', { deltaEventId }))).toEqual(news);
      const [from] = snapshots;
      expect(keysOf(await shown('rows', 'compare_snapshots', { from }))).toEqual(news);
      expect(keysOf(await shown('rows', 'get_snapshot_rows')).toSorted()).toEqual(added.toSorted());
      const history = await shown('rows', 'get_row_history', { key, order: 'asc' });
      expect(history.map(({ snapshotId }) => snapshotId)).toEqual(snapshots.slice(1));
      const fed = await shown('events', 'list_deltas', { feed: true, keysLimit });
      expect(fed.map((event) => event.deltaEventId)).toEqual(
        expect.arrayContaining(events.map(({ id }) => id)),
      );
      expect(new Set(fed.map((event) => event.deltaEventId)).size).toBe(fed.length);
      const sources = await walk({ tool: 'list_sources', args: { limit }, items: 'sources' });
      const all: string[] = await api.db('records').where({ accountId: api.accountId }).pluck('id');
      expect(sources).toHaveLength(all.length);
      expect(new Set(sources.map(({ id }) => id))).toEqual(new Set(all));
    }),
    propertyRuns(3),
  );
});
