// Single calls of all callers share one server of each library and bypass its transport. Each caller gets only the answer to
// their request, identical to the one through the transport.
import { expect, it } from 'vitest';
import { useApi } from '../../../support/api/api.ts';
import { commitRows, createKey, createTestRecord } from '../../../support/rows/factories.ts';
import { ERAS, type Era, headersOf, messageOf, post } from '../caller.ts';

const api = useApi();

async function recordWithKey(): Promise<{ id: string; key: string }> {
  const id = await createTestRecord(api.db, api.accountId);
  await commitRows(api.db, id, { a: '{"id":"a","price":10000000000000000999}' });
  const { value: key } = await createKey(api.db, api.accountId, 'read', id);
  return { id, key };
}

function send(era: Era, params: object, key: string, more: { id?: unknown; past?: boolean } = {}) {
  const { id = 1, past = true } = more;
  const message = { ...messageOf(era, 'tools/call', params), id };
  const headers = { ...headersOf(era, 'tools/call', params), authorization: `Bearer ${key}` };
  // The transports take what is not quite usual.
  const type = past ? 'application/json' : 'application/json; charset=utf-8';
  return post(api, '/v1/mcp', JSON.stringify(message), { ...headers, 'content-type': type });
}

const GET_SOURCE = { name: 'get_source', arguments: {} };

it.each(ERAS)('gives each caller their own answer when requests have the same id (%s)', async (era) => {
  const records = await Promise.all([1, 2, 3, 4].map(recordWithKey));
  const calls = Array.from({ length: 10 }, () => records).flat();
  const answers = await Promise.all(calls.map(({ key }) => send(era, GET_SOURCE, key)));
  expect(answers.map(({ body }) => [body.id, body.result.structuredContent.source.id])).toEqual(
    calls.map(({ id }) => [1, id]),
  );
});

it.each(ERAS)('answers under the id that was sent (%s)', async (era) => {
  const { key } = await recordWithKey();
  for (const id of [0, 'a', '1', 7]) expect((await send(era, GET_SOURCE, key, { id })).body.id).toBe(id);
});

it.each(
  ERAS.flatMap((era) =>
    [
      { name: 'get_snapshot_rows', arguments: {} },
      { name: 'get_snapshot_rows', arguments: { limit: 0 } },
      { name: 'no_such_tool', arguments: {} },
      { name: 'get_source' },
    ].map((params) => [era, params] as const),
  ),
)('answers as through the transport (%s, %j)', async (era, params) => {
  const { key } = await recordWithKey();
  const [past, through] = [await send(era, params, key), await send(era, params, key, { past: false })];
  expect([past.status, past.text]).toEqual([through.status, through.text]);
  expect(past.headers['content-type']).toBe(through.headers['content-type']);
});

it.each(ERAS)('returns the numbers as the origin wrote them, in text and value (%s)', async (era) => {
  const { key } = await recordWithKey();
  const { text } = await send(era, { name: 'get_snapshot_rows', arguments: {} }, key);
  expect(text).toContain('"price":10000000000000000999');
  expect(text).toContain(String.raw`\"price\":10000000000000000999`);
});

it('compares the headers of the newer revision with the message', async () => {
  const { key } = await recordWithKey();
  const message = JSON.stringify(messageOf('newer', 'tools/call', GET_SOURCE));
  const headers: Record<string, string> = {
    ...headersOf('newer', 'tools/call', GET_SOURCE),
    authorization: `Bearer ${key}`,
  };
  const { 'mcp-name': _name, ...nameless } = headers;
  const { 'mcp-method': _method, ...methodless } = headers;
  const wrong = [
    nameless,
    methodless,
    { ...headers, 'mcp-name': 'list_sources' },
    { ...headers, 'mcp-method': 'tools/list' },
    { ...headers, 'mcp-protocol-version': '2025-11-25' },
  ];
  for (const each of wrong) {
    const { status, body } = await post(api, '/v1/mcp', message, each);
    expect([status, body.error.code]).toEqual([400, -32_020]);
  }
});

it.each(ERAS.flatMap((era) => [true, false].map((past) => [era, past] as const)))(
  'regression: ends a stream of progress with the answer, also through the transport (%s, past it: %s)',
  async (era, past) => {
    const { key } = await recordWithKey();
    const asked = { name: 'query_snapshot', arguments: {} };
    const { params, ...message } = messageOf(era, 'tools/call', asked) as { params: { _meta?: object } };
    const withToken = { ...params, _meta: { ...params._meta, progressToken: 7 } };
    const { statusCode, headers, body } = await api.app.inject({
      method: 'POST',
      url: '/v1/mcp',
      headers: {
        ...headersOf(era, 'tools/call', asked),
        authorization: `Bearer ${key}`,
        accept: 'application/json, text/event-stream',
        'content-type': past ? 'application/json' : 'application/json; charset=utf-8',
      },
      payload: JSON.stringify({ ...message, params: withToken }),
    });
    expect([statusCode, headers['content-type']]).toEqual([200, 'text/event-stream']);
    const events = Array.from(body.matchAll(/^data: (.*)$/gm), ([, data = '']) => JSON.parse(data) as object);
    expect(events[0]).toMatchObject({ method: 'notifications/progress', params: { progressToken: 7 } });
    expect(events.at(-1)).toMatchObject({ id: 1, result: { structuredContent: { count: 1 } } });
  },
);
