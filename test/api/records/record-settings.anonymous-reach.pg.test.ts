// The addresses that records of anonymous sessions may watch, which are fewer than those of accounts.
import { expect, it } from 'vitest';
import { useApi } from '../../support/api/api.ts';
import { createAccount, createKey } from '../../support/rows/factories.ts';

const LIST = 'http://127.0.0.1:8090/licences.csv';
/** Addresses of this machine under `npm start`: PostgreSQL, Temporal's UI, the API, the receiver of webhooks. */
const OTHERS = [5433, 8233, 8080, 8091].map((port) => `http://127.0.0.1:${port}/`);

const api = useApi({
  allowAddresses: ['127.0.0.0/8', '::1/128'],
  anonymousAddresses: ['127.0.0.1:8090'],
});

const begin = (url: string) =>
  api.call('POST', '/v1/sessions', {
    key: null,
    body: { url },
    headers: { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' },
  });

it.each([...OTHERS, 'http://localhost/', 'http://127.0.0.2:8090/', 'http://[::1]:8090/', 'http://nas:8090/'])(
  'regression: no session watches %s, which accounts may',
  async (url) => {
    expect(await begin(url)).toMatchObject({ status: 422, body: { code: 'url_not_allowed' } });
    const kept = await api.call('POST', '/v1/sources', { body: { url, name: 'Mine' } });
    expect(kept.status).toBe(201);
  },
);

it('a session may watch the address that the operator allows, and cannot change to another', async () => {
  const begun = await begin(LIST);
  expect(begun.status).toBe(201);
  const { token } = begun.body;
  for (const url of OTHERS) {
    const moved = await api.call('PATCH', '/v1/sources/self', { key: token, body: { url } });
    expect(moved).toMatchObject({ status: 422, body: { code: 'url_not_allowed' } });
    const byTool = await api.app.inject({
      method: 'POST',
      url: '/v1/mcp',
      headers: { authorization: `Bearer ${token}`, accept: 'application/json, text/event-stream' },
      payload: {
        jsonrpc: '2.0',
        id: 1,
        method: 'tools/call',
        params: { name: 'update_source', arguments: { url } },
      },
    });
    expect(byTool.body).toContain('url_not_allowed');
  }
  const { value: key } = await createKey(api.db, await createAccount(api.db), 'full');
  const kept = await api.call('POST', '/v1/sources/self/keep', { key, body: { token } });
  expect(kept.status).toBe(200);
  const moved = await api.call('PATCH', `/v1/sources/${kept.body.id}`, { key, body: { url: OTHERS[0] } });
  expect(moved.status).toBe(200);
});
