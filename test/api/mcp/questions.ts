// Users' questions about the demonstration's history, with the calls that should answer them and the true answers. These come
// from the packages' files (test/support/checks/naive-compare.ts), not from the product.
import { naiveCompare, type NaiveTable } from '../../support/checks/naive-compare.ts';
import type { DemoHistory } from './demo-history.ts';

// Answers are read untyped.
// oxlint-disable-next-line typescript/no-explicit-any
export type Call = (tool: string, args?: object) => Promise<any>;

/** @typeParam T the tables that the question is about */
export interface Question<T = DemoHistory> {
  words: string;
  /** Finds the answer with the necessary calls. */
  ask: (call: Call, tables: T) => Promise<unknown>;
  calls: number;
  truth: (tables: T) => unknown;
}

const table = ({ tables }: DemoHistory, version: number): NaiveTable => tables.at(version) ?? new Map();

const between = (history: DemoHistory, from: number, to: number) =>
  naiveCompare(table(history, from), table(history, to));

const countWhere = (rows: NaiveTable, holds: (row: { [column: string]: string }) => boolean): number =>
  [...rows.values()].filter(holds).length;

const keysOf = (rows: readonly { key: string }[]): string[] => rows.map(({ key }) => key);

/** The last version is -1, the one before it -2. */
const LATEST = -1;
const BEFORE_LATEST = -2;
const SECOND = 1;
const THIRD = 2;
const FIFTH = 4;

const snapshotOf = async (call: Call, source: string, version: number): Promise<string> => {
  const { snapshots } = await call('list_snapshots', { source, order: 'asc' });
  return snapshots.at(version).id;
};

export const QUESTIONS: readonly Question[] = [
  {
    words: 'What do you watch for me?',
    calls: 1,
    ask: async (call) => (await call('list_sources')).sources.map(({ slug }: { slug: string }) => slug),
    truth: ({ slug }) => ['weather', 'airports', slug],
  },
  {
    words: 'Is the source healthy?',
    calls: 1,
    ask: async (call, { slug: source }) => {
      const answer = await call('get_source', { source });
      return [answer.source.consecutiveFailures, answer.recentChecks.length, answer.source.lastOutcome];
    },
    truth: () => [0, 5, 'changed'],
  },
  {
    words: 'How many licences are there today?',
    calls: 1,
    ask: async (call, { slug: source }) => (await call('query_snapshot', { source })).groups[0].values.count,
    truth: (history) => table(history, LATEST).size,
  },
  {
    words: 'How many of them are approved by the OSI?',
    calls: 1,
    ask: async (call, { slug: source }) =>
      (await call('query_snapshot', { source, filter: { osiApproved: { eq: 'true' } } })).groups[0].values
        .count,
    truth: (history) => countWhere(table(history, LATEST), ({ osiApproved }) => osiApproved === 'true'),
  },
  {
    words: 'How many were approved in the oldest version that is kept?',
    calls: 2,
    ask: async (call, { slug: source }) => {
      const snapshotId = await snapshotOf(call, source, 0);
      const { groups } = await call('query_snapshot', { source, snapshotId, groupBy: ['osiApproved'] });
      return groups.map((one: { group: object; values: object }) => [one.group, one.values]);
    },
    truth: (history) =>
      ['false', 'true'].map((osiApproved) => [
        { osiApproved },
        { count: countWhere(table(history, 0), (row) => row['osiApproved'] === osiApproved) },
      ]),
  },
  {
    words: 'What columns does it have, and of which kind?',
    calls: 1,
    ask: async (call, { slug: source }) =>
      (await call('describe_snapshot', { source })).columns.map((one: { column: string; type: string }) => [
        one.column,
        one.type,
      ]),
    truth: () => [
      ['id', 'text'],
      ['name', 'text'],
      ['url', 'text'],
      ['osiApproved', 'boolean'],
    ],
  },
  {
    words: 'What changed since last Monday, all in all?',
    calls: 1,
    ask: async (call, { slug: source, before }) => {
      const { net, eventCount } = await call('summarize_changes', { source, since: before(7) });
      return [eventCount, net.newCount, net.changedCount, net.deletedCount];
    },
    truth: (history) => {
      const { newKeys, changedKeys, deletedKeys } = between(history, BEFORE_LATEST, LATEST);
      return [1, newKeys.length, changedKeys.length, deletedKeys.length];
    },
  },
  {
    words: 'And over all the weeks since the first version?',
    calls: 1,
    ask: async (call, { slug: source, before }) => {
      const { net, eventCount } = await call('summarize_changes', { source, since: before(1) });
      return [eventCount, net.newCount, net.changedCount, net.deletedCount];
    },
    truth: (history) => {
      const { newKeys, changedKeys, deletedKeys } = between(history, 0, LATEST);
      return [7, newKeys.length, changedKeys.length, deletedKeys.length];
    },
  },
  {
    words: 'How many changes were there, counted one by one?',
    calls: 1,
    ask: async (call, { slug: source, before }) =>
      (await call('summarize_changes', { source, since: before(1) })).sum,
    truth: (history) => {
      const deltas = history.tables.slice(1).map((_, at) => between(history, at, at + 1));
      const total = (name: 'newKeys' | 'changedKeys' | 'deletedKeys') =>
        deltas.reduce((sum, delta) => sum + delta[name].length, 0);
      return {
        newCount: total('newKeys'),
        changedCount: total('changedKeys'),
        deletedCount: total('deletedKeys'),
      };
    },
  },
  {
    words: 'Which column changes most?',
    calls: 1,
    ask: async (call, { slug: source, before }) =>
      (await call('summarize_changes', { source, since: before(1) })).changedColumns[0].column,
    truth: () => 'url',
  },
  {
    words: 'Has anything changed in the last hour?',
    calls: 1,
    ask: async (call, { slug: source }) => {
      const since = new Date(Date.now() - 3_600_000).toISOString();
      const { eventCount, net } = await call('summarize_changes', { source, since });
      return [eventCount, net];
    },
    truth: () => [0, null],
  },
  {
    words: 'Which licences came with the latest change?',
    calls: 1,
    ask: async (call, { slug: source }) =>
      keysOf((await call('get_delta_rows', { source, changeType: 'new', limit: 200 })).rows),
    truth: (history) => between(history, BEFORE_LATEST, LATEST).newKeys,
  },
  {
    words: 'What did the latest change do to licences that were there before?',
    calls: 1,
    ask: async (call, { slug: source }) =>
      (await call('get_delta_rows', { source, changeType: 'changed' })).rows.map(
        (row: { key: string; changedFields: string[]; after: { osiApproved: string } }) => [
          row.key,
          row.changedFields,
          row.after.osiApproved,
        ],
      ),
    truth: () => [['BSD-3-Clause-Open-MPI', ['osiApproved'], 'true']],
  },
  {
    words: 'Was a licence ever removed?',
    calls: 2,
    ask: async (call, { slug: source }) => {
      const { events } = await call('list_deltas', { source, limit: 200 });
      const removing = events.filter((event: { deletedCount: number }) => event.deletedCount > 0);
      const { rows } = await call('get_delta_rows', {
        source,
        deltaEventId: removing[0].id,
        changeType: 'deleted',
      });
      return [removing.length, keysOf(rows)];
    },
    truth: (history) => [1, between(history, SECOND, THIRD).deletedKeys],
  },
  {
    words: 'What is the biggest change of all?',
    calls: 1,
    ask: async (call, { slug: source }) => {
      const { events } = await call('list_deltas', { source, limit: 200 });
      return Math.max(...events.map((event: { newCount: number }) => event.newCount));
    },
    truth: (history) =>
      Math.max(...history.tables.slice(1).map((_, at) => between(history, at, at + 1).newKeys.length)),
  },
  {
    words: 'When did MIT change, and what?',
    calls: 1,
    ask: async (call, { slug: source }) => {
      const { rows } = await call('get_row_history', { source, key: 'MIT' });
      return rows.map(
        (row: { changeType: string; before: { url: string } | null; after: { url: string } }) => [
          row.changeType,
          row.before?.url ?? null,
          row.after.url,
        ],
      );
    },
    truth: () => [
      ['changed', 'https://opensource.org/licenses/MIT', 'https://opensource.org/license/mit/'],
      ['new', null, 'https://opensource.org/licenses/MIT'],
    ],
  },
  {
    words: 'Did a licence come and go again?',
    calls: 1,
    ask: async (call, { slug: source }) =>
      (await call('get_row_history', { source, key: 'KiCad-libraries-exception', order: 'asc' })).rows.map(
        (row: { changeType: string }) => row.changeType,
      ),
    truth: () => ['new', 'deleted'],
  },
  {
    words: 'What is the name of the Zlib licence?',
    calls: 1,
    ask: async (call, { slug: source }) =>
      (await call('get_snapshot_rows', { source, filter: { id: { eq: 'Zlib' } } })).rows[0].data.name,
    truth: (history) => table(history, LATEST).get('Zlib')?.['name'],
  },
  {
    words: 'Which licences have to do with Mozilla?',
    calls: 1,
    ask: async (call, { slug: source }) =>
      keysOf(
        (await call('get_snapshot_rows', { source, search: 'mozilla', searchColumns: ['name'], limit: 100 }))
          .rows,
      ),
    truth: (history) =>
      [...table(history, LATEST)]
        .filter(([, row]) => row['name']?.toLowerCase().includes('mozilla'))
        .map(([key]) => key)
        .sort(),
  },
  {
    words: 'How do the third and the fifth version differ?',
    calls: 2,
    ask: async (call, { slug: source }) => {
      const { snapshots } = await call('list_snapshots', { source, order: 'asc' });
      const [from, to] = [snapshots[THIRD].id, snapshots[FIFTH].id];
      const { comparison, rows } = await call('compare_snapshots', {
        source,
        from,
        to,
        changeType: 'changed',
      });
      return [comparison.newCount, comparison.deletedCount, keysOf(rows)];
    },
    truth: (history) => {
      const { newKeys, deletedKeys, changedKeys } = between(history, THIRD, FIFTH);
      return [newKeys.length, deletedKeys.length, changedKeys];
    },
  },
  {
    words: 'How many distinct sites host the texts that end in .html?',
    calls: 1,
    ask: async (call, { slug: source }) => {
      const { groups } = await call('query_snapshot', {
        source,
        filter: { url: { contains: '.html' } },
        measures: [{ measure: 'distinct', column: 'url', as: 'sites' }],
      });
      return groups[0].values.sites;
    },
    truth: (history) => {
      const urls = [...table(history, LATEST).values()].map(({ url = '' }) => url);
      return new Set(urls.filter((url) => url.includes('.html'))).size;
    },
  },
  {
    words: 'What did the last check find?',
    calls: 1,
    ask: async (call, { slug: source }) => (await call('get_latest_delta', { source })).summary,
    truth: (history) => {
      const { newKeys, changedKeys, deletedKeys, unchanged } = between(history, BEFORE_LATEST, LATEST);
      return {
        newCount: newKeys.length,
        changedCount: changedKeys.length,
        deletedCount: deletedKeys.length,
        unchangedCount: unchanged,
        totalCount: table(history, LATEST).size,
      };
    },
  },
  {
    words: 'Show me a few rows of each kind.',
    calls: 1,
    ask: async (call, { slug: source }) => {
      const sample = { sample: 'stratified', stratifyBy: 'osiApproved', limit: 2 };
      const { rows } = await call('get_snapshot_rows', { source, ...sample });
      return rows.map(({ data }: { data: { osiApproved: string } }) => data.osiApproved).toSorted();
    },
    truth: () => ['false', 'true'],
  },
  {
    words: 'Can I have it all as a file?',
    calls: 1,
    ask: async (call, { slug: source }) => {
      const { url } = await call('get_download_link', { source, format: 'jsonl' });
      return /\/v1\/downloads\?token=[\w-]+$/.test(url);
    },
    truth: () => true,
  },
];
