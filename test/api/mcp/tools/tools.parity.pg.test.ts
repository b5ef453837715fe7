// A tool answers with the same data as the REST API.
import { beforeAll, expect, it } from 'vitest';
import { OPERATIONS } from '../../../../api/operations.ts';
import { TOOLS } from '../../../../api/mcp/tools/tools.ts';
import { useApi } from '../../../support/api/api.ts';
import { commitRows, createTestRecord } from '../../../support/rows/factories.ts';
import { callTool, ERAS, rpc } from '../caller.ts';

const api = useApi();
let record: string;
let event: string;
let snapshots: { id: string }[];

beforeAll(async () => {
  record = await createTestRecord(api.db, api.accountId, { slug: 'prices', labels: { team: 'web' } });
  const other = await createTestRecord(api.db, api.accountId);
  await commitRows(api.db, other, { a: '{"id":"a"}' });
  await commitRows(api.db, other, { b: '{"id":"b"}' });
  // Numbers that JavaScript would print differently.
  await commitRows(api.db, record, {
    a: '{"id":"a","price":10000000000000000999,"__proto__":1.10,"note":-0}',
    b: '{"id":"b","price":1e2}',
  });
  await commitRows(api.db, record, { a: '{"id":"a","price":1.50}', c: '{"id":"c","price":"é\\n"}' });
  await commitRows(api.db, record, { a: '{"id":"a","price":2.50}', c: '{"id":"c","price":"é"}' });
  const { body } = await api.call('GET', '/v1/sources/prices/delta?changesOnly=true');
  event = body.events[0].id;
  ({ snapshots } = (await api.call('GET', '/v1/sources/prices/snapshots')).body);
});

interface Pair {
  tool: string;
  args?: () => object;
  /** The path in the REST API. */
  path: () => string;
  /** GET unless given. */
  method?: 'GET' | 'POST' | 'PATCH';
  body?: object;
  /** The part of the tool's answer that equals the operation's. */
  part?: (value: { source: unknown; comparison: unknown; deltaEventId: unknown }) => unknown;
}

const at = (path: string): string => `/v1/sources/prices${path}`;

const SETTINGS = {
  name: 'Renamed',
  checkIntervalMinutes: 120,
  labels: { team: 'data', env: 'live' },
  rules: { price: { as: 'number', tolerance: '1%' } },
  pairing: 'similarity',
  quietHours: 24,
  quoting: 'none',
};

const PAIRS: readonly Pair[] = [
  { tool: 'list_sources', path: () => '/v1/sources?limit=20' },
  {
    tool: 'list_sources',
    args: () => ({ labels: { team: 'web' }, search: 'prices' }),
    path: () => '/v1/sources?limit=20&label=team:web&search=prices',
  },
  { tool: 'get_source', path: () => at(''), part: ({ source }) => source },
  {
    tool: 'list_deltas',
    args: () => ({ keysLimit: 3 }),
    path: () => at('/delta?changesOnly=true&keysLimit=3&limit=20'),
  },
  { tool: 'get_latest_delta', path: () => at('/delta/latest?keysLimit=5') },
  {
    tool: 'get_delta_rows',
    path: () => at(`/delta/${event}/rows?limit=50`),
    part: ({ deltaEventId: _id, ...rest }) => rest,
  },
  {
    tool: 'compare_snapshots',
    args: () => ({ from: snapshots.at(-1)?.id }),
    path: () => at(`/compare?keysLimit=10&from=${snapshots.at(-1)?.id}`),
    part: ({ comparison }) => comparison,
  },
  { tool: 'get_row_history', args: () => ({ key: 'a' }), path: () => at('/rows/a/history?limit=20') },
  { tool: 'list_snapshots', path: () => at('/snapshots?limit=20') },
  { tool: 'describe_snapshot', path: () => at('/snapshots/latest/profile') },
  {
    tool: 'query_snapshot',
    args: () => ({ groupBy: ['price'], measures: [{ measure: 'sum', column: 'price' }] }),
    path: () => at('/snapshots/latest/query'),
    method: 'POST',
    body: { groupBy: ['price'], measures: [{ measure: 'sum', column: 'price' }] },
  },
  {
    tool: 'get_snapshot_rows',
    args: () => ({ snapshotId: snapshots.at(-1)?.id }),
    path: () => at(`/snapshots/${snapshots.at(-1)?.id}/rows?limit=20`),
  },
  {
    tool: 'update_source',
    args: () => SETTINGS,
    path: () => at(''),
    method: 'PATCH',
    body: SETTINGS,
  },
];

/** Cursors and links are sealed with a new nonce each time. */
const comparable = (text: string): string => text.replaceAll(/"nextCursor":"[^"]*"/g, '"nextCursor":"…"');

it.each(PAIRS.flatMap((pair) => ERAS.map((era) => ({ ...pair, era }))))(
  '$tool ($era)',
  async ({ tool, args, path, method = 'GET', body, part, era }) => {
    const source = tool === 'list_sources' ? {} : { source: 'prices' };
    const { isError, value, text } = await callTool(api, tool, { ...source, ...args?.() }, { era });
    expect(isError && text).toBe(false);
    const rest = await api.call(method, path(), body === undefined ? {} : { body });
    expect(rest.status).toBe(200);
    expect(part === undefined ? value : part(value)).toEqual(rest.body);
    // The texts are equal, numbers included.
    const isWhole = part === undefined;
    expect(isWhole && comparable(text)).toBe(isWhole && comparable(rest.text));
  },
);

it.each(ERAS)('list_deltas with feed: the events of all records, and of one (%s)', async (era) => {
  for (const [args, query] of [
    [{}, ''],
    [{ source: 'prices' }, `&sourceId=${record}`],
    [{ labels: { team: 'data' }, types: ['delta'] }, '&label=team:data&type=delta'],
    [{ types: ['check.failed'] }, '&type=check.failed'],
  ] as const) {
    const { value } = await callTool(api, 'list_deltas', { feed: true, keysLimit: 100, ...args }, { era });
    const { body } = await api.call('GET', `/v1/events?limit=20${query}`);
    expect([query, withoutCursors(value)]).toEqual([query, withoutCursors(body)]);
  }
});

const withoutCursors = ({
  nextCursor,
  events,
  ...rest
}: {
  nextCursor: string;
  events: { cursor: string }[];
}) => ({
  ...rest,
  isToGoOn: nextCursor !== '',
  events: events.map(({ cursor: _cursor, ...event }) => event),
});

it.each(ERAS)('numbers of rows keep their digits in the structured answer (%s)', async (era) => {
  const snapshotId = snapshots.at(-1)?.id;
  const { result } = await raw(era, snapshotId);
  expect(result).toContain('"price":10000000000000000999,"__proto__":1.10,"note":-0');
  expect(result).toContain('"price":1e2');
});

/** The text of the whole answer, because a parser would round numbers. */
async function raw(era: 'older' | 'newer', snapshotId: string | undefined): Promise<{ result: string }> {
  const args = { source: 'prices', snapshotId };
  const { text } = await rpc(api, 'tools/call', { name: 'get_snapshot_rows', arguments: args }, { era });
  return { result: text.slice(text.indexOf('"structuredContent"')) };
}

it('covers every operation that has a tool', () => {
  const compared = new Set(PAIRS.map(({ tool }) => tool));
  // Their answers differ each time (a check, a new record, a link), or they are not an operation (a summary).
  const others = ['check_source', 'create_source', 'get_download_link', 'summarize_changes'];
  expect(
    TOOLS.map(({ name }) => name)
      .filter((name) => !compared.has(name))
      .toSorted(),
  ).toEqual(others);
  const operations = new Set(OPERATIONS.map(({ name }) => name));
  for (const { over } of TOOLS) for (const { name } of over) expect(operations.has(name)).toBe(true);
});
