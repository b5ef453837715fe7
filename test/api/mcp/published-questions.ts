// Users' questions about published tables. The true answers come from the files by plain arithmetic, not from the product.
import type { NaiveTable } from '../../support/checks/naive-compare.ts';
import { LAST_MONTH, type PublishedTables } from './published-tables.ts';
import type { Call, Question } from './questions.ts';

type Row = { [column: string]: string };

const rowsOf = (table: NaiveTable, holds: (row: Row) => boolean = () => true): Row[] =>
  [...table.values()].filter(holds);

const keysWhere = (table: NaiveTable, holds: (row: Row) => boolean): string[] =>
  [...table].filter(([, row]) => holds(row)).map(([key]) => key).sort(); // prettier-ignore

const distinct = (rows: readonly Row[], column: string): number =>
  new Set(rows.map((row) => row[column])).size;

/** Values with one decimal place, exact as tenths. */
const tenths = (rows: readonly Row[], column: string): number =>
  rows.reduce((sum, row) => sum + Math.round(Number(row[column]) * 10), 0);

const top = (rows: readonly Row[], column: string): Row | undefined =>
  rows.toSorted((a, b) => Number(b[column]) - Number(a[column]))[0];

function countBy(rows: readonly Row[], column: string): [value: string, count: number][] {
  const counts = new Map<string, number>();
  for (const { [column]: value = '' } of rows) counts.set(value, (counts.get(value) ?? 0) + 1);
  return [...counts].sort(([a, some], [b, others]) => others - some || (a < b ? -1 : 1));
}

interface Group {
  group: Row;
  values: { count: number; [measure: string]: unknown };
}

const groupsOf = async (call: Call, query: object): Promise<Group[]> =>
  (await call('query_snapshot', query)).groups;

const firstOf = async (call: Call, query: object): Promise<Group> =>
  (await groupsOf(call, query))[0] ?? { group: {}, values: { count: 0 } };

const one = async (call: Call, query: object): Promise<Group['values']> =>
  (await firstOf(call, query)).values;

const [airports, weather] = ['airports', 'weather'];
const byCount = [{ by: 'count', direction: 'desc' }];

export const PUBLISHED_QUESTIONS: readonly Question<PublishedTables>[] = [
  {
    words: 'Which state has the most airports, and how many?',
    calls: 1,
    ask: async (call) => {
      const query = { source: airports, groupBy: ['state'], orderBy: byCount, limit: 1 };
      const { group, values } = await firstOf(call, query);
      return [group['state'], values.count];
    },
    truth: (tables) => countBy(rowsOf(tables.airports), 'state')[0],
  },
  {
    words: 'How many airports are outside the USA?',
    calls: 1,
    ask: async (call) => (await one(call, { source: airports, filter: { country: { ne: 'USA' } } })).count,
    truth: (tables) => rowsOf(tables.airports, ({ country }) => country !== 'USA').length,
  },
  {
    words: 'Which airport is the northernmost?',
    calls: 1,
    ask: async (call) => {
      const measures = [{ measure: 'max', column: 'latitude', as: 'north' }];
      const orderBy = [{ by: 'north', direction: 'desc' }];
      const query = { source: airports, groupBy: ['iata', 'name'], measures, orderBy, limit: 1 };
      const { group } = await firstOf(call, query);
      return group['name'];
    },
    truth: (tables) => top(rowsOf(tables.airports), 'latitude')?.['name'],
  },
  {
    words: 'How many cities of Alaska have an airport?',
    calls: 1,
    ask: async (call) => {
      const measures = [{ measure: 'distinct', column: 'city', as: 'cities' }];
      return (await one(call, { source: airports, filter: { state: { eq: 'AK' } }, measures }))['cities'];
    },
    truth: (tables) =>
      distinct(
        rowsOf(tables.airports, ({ state }) => state === 'AK'),
        'city',
      ),
  },
  {
    words: 'Which airports does Chicago have?',
    calls: 1,
    ask: async (call) => {
      const { rows } = await call('get_snapshot_rows', {
        source: airports,
        filter: { city: { startsWith: 'Chicago' } },
      });
      return rows.map(({ key }: { key: string }) => key);
    },
    truth: (tables) => keysWhere(tables.airports, ({ city = '' }) => city.startsWith('Chicago')),
  },
  {
    words: 'How many airports lie between 40 and 41 degrees north?',
    calls: 1,
    ask: async (call) =>
      (await one(call, { source: airports, filter: { latitude: { gte: '40', lt: '41' } } })).count,
    truth: (tables) =>
      rowsOf(tables.airports, ({ latitude }) => Number(latitude) >= 40 && Number(latitude) < 41).length,
  },
  {
    words: 'How many names do several airports share?',
    calls: 1,
    ask: async (call) => {
      const query = { source: airports, groupBy: ['name'], orderBy: byCount, limit: 200 };
      const shared = (await groupsOf(call, query)).filter(({ values }) => values.count > 1);
      // The names that follow belong to one airport each.
      return shared.length < 200 && shared.length;
    },
    truth: (tables) => countBy(rowsOf(tables.airports), 'name').filter(([, count]) => count > 1).length,
  },
  {
    words: 'Where is SEA?',
    calls: 1,
    ask: async (call) => {
      const { rows } = await call('get_snapshot_rows', { source: airports, filter: { iata: { eq: 'SEA' } } });
      return [rows[0].data.latitude, rows[0].data.longitude];
    },
    truth: ({ airports: table }) => [table.get('SEA')?.['latitude'], table.get('SEA')?.['longitude']],
  },
  {
    words: 'Which of my tables has most rows?',
    calls: 4,
    ask: async (call) => {
      const { sources } = await call('list_sources');
      const counts: [slug: string, rows: number][] = [];
      for (const { slug } of sources) counts.push([slug, (await one(call, { source: slug })).count]);
      return counts.toSorted(([, a], [, b]) => b - a)[0];
    },
    truth: (tables) => ['airports', tables.airports.size],
  },
  {
    words: 'Which day was the wettest?',
    calls: 1,
    ask: async (call) => {
      const measures = [{ measure: 'max', column: 'precipitation', as: 'rain' }];
      const orderBy = [{ by: 'rain', direction: 'desc' }];
      const query = { source: weather, groupBy: ['date'], measures, orderBy, limit: 1 };
      const { group, values } = await firstOf(call, query);
      return [group['date'], Number(values['rain'])];
    },
    truth: (tables) => {
      const day = top(rowsOf(tables.weather), 'precipitation');
      return [day?.['date'], Number(day?.['precipitation'])];
    },
  },
  {
    words: 'How warm was it at noon in July 2015, on average?',
    calls: 1,
    ask: async (call) => {
      const measures = [{ measure: 'avg', column: 'temp_max', as: 'mean' }];
      const filter = { date: { startsWith: '2015/07/' } };
      return Number((await one(call, { source: weather, filter, measures }))['mean']).toFixed(9);
    },
    truth: (tables) => {
      const days = rowsOf(tables.weather, ({ date = '' }) => date.startsWith('2015/07/'));
      return (tenths(days, 'temp_max') / days.length / 10).toFixed(9);
    },
  },
  {
    words: 'How many days of each kind of weather were there?',
    calls: 1,
    ask: async (call) => {
      const groups = await groupsOf(call, { source: weather, groupBy: ['weather'], orderBy: byCount });
      return groups.map(({ group, values }) => [group['weather'], values.count]);
    },
    truth: (tables) => countBy(rowsOf(tables.weather), 'weather'),
  },
  {
    words: 'How much rain fell in 2014?',
    calls: 1,
    ask: async (call) => {
      const measures = [{ measure: 'sum', column: 'precipitation', as: 'rain' }];
      const filter = { date: { startsWith: '2014/' } };
      return Number((await one(call, { source: weather, filter, measures }))['rain']);
    },
    truth: (tables) =>
      tenths(
        rowsOf(tables.weather, ({ date = '' }) => date.startsWith('2014/')),
        'precipitation',
      ) / 10,
  },
  {
    words: 'How many days was it both stormy and freezing?',
    calls: 1,
    ask: async (call) => {
      const filter = { wind: { gt: '5' }, temp_min: { lt: '0' } };
      return (await one(call, { source: weather, filter })).count;
    },
    truth: (tables) =>
      rowsOf(tables.weather, (day) => Number(day['wind']) > 5 && Number(day['temp_min']) < 0).length,
  },
  {
    words: 'What has come in since yesterday?',
    calls: 1,
    ask: async (call) => {
      const since = new Date(Date.now() - 86_400_000).toISOString();
      const { net } = await call('summarize_changes', { source: weather, since });
      return [net.newCount, net.changedCount, net.deletedCount];
    },
    truth: (tables) => [
      keysWhere(tables.weather, ({ date = '' }) => date.startsWith(LAST_MONTH)).length,
      0,
      0,
    ],
  },
  {
    words: 'Which of the new days was the warmest?',
    calls: 1,
    ask: async (call) => {
      const { rows } = await call('get_delta_rows', { source: weather, changeType: 'new', limit: 200 });
      return top(rows.map(({ after }: { after: Row }) => after), 'temp_max')?.['date']; // prettier-ignore
    },
    truth: (tables) =>
      top(
        rowsOf(tables.weather, ({ date = '' }) => date.startsWith(LAST_MONTH)),
        'temp_max',
      )?.['date'],
  },
  {
    words: 'Was there snow in the version before?',
    calls: 2,
    ask: async (call) => {
      const { snapshots } = await call('list_snapshots', { source: weather });
      const filter = { weather: { eq: 'snow' } };
      return (await one(call, { source: weather, snapshotId: snapshots[1].id, filter })).count;
    },
    truth: (tables) =>
      rowsOf(
        tables.weather,
        ({ date = '', weather: kind }) => kind === 'snow' && !date.startsWith(LAST_MONTH),
      ).length,
  },
  {
    words: 'Which of my tables are about nature?',
    calls: 1,
    ask: async (call) => {
      const { sources } = await call('list_sources', { labels: { topic: 'nature' } });
      return sources.map(({ slug, labels }: { slug: string; labels: object }) => [slug, labels]);
    },
    truth: () => [[weather, { topic: 'nature', place: 'Seattle' }]],
  },
  {
    words: 'What happened in all my tables?',
    calls: 1,
    ask: async (call) => {
      const { events } = await call('list_deltas', { feed: true, keysLimit: 0, limit: 200 });
      return countBy(events, 'sourceSlug');
    },
    truth: () => [
      ['licences', 7],
      [weather, 1],
    ],
  },
  {
    words: 'And what since I last asked?',
    calls: 3,
    ask: async (call) => {
      const seen: string[] = [];
      let cursor: string | undefined;
      for (const limit of [3, 100, 100]) {
        const more = cursor === undefined ? {} : { cursor };
        const { events, nextCursor } = await call('list_deltas', { feed: true, limit, ...more });
        seen.push(events.map(({ sourceSlug }: { sourceSlug: string }) => sourceSlug).join(' '));
        cursor = nextCursor;
      }
      return seen;
    },
    // Nothing has happened since the second time.
    truth: () => ['licences licences licences', 'licences licences licences licences weather', ''],
  },
  {
    words: 'How many days has the latest change of the tables about nature brought?',
    calls: 1,
    ask: async (call) => {
      const { events } = await call('list_deltas', {
        feed: true,
        labels: { topic: 'nature' },
        types: ['delta'],
      });
      return [
        events.length,
        events[0].summary.newCount,
        events[0].newKeys.length,
        events[0].truncated.newKeys,
      ];
    },
    truth: (tables) => {
      const days = keysWhere(tables.weather, ({ date = '' }) => date.startsWith(LAST_MONTH)).length;
      return [1, days, 5, true];
    },
  },
];
