// The requirements of the MCP endpoint on requests before it calls a tool.
import { beforeAll, describe, expect, it } from 'vitest';
import { useApi } from '../../support/api/api.ts';
import { createKey, createTestRecord } from '../../support/rows/factories.ts';
import { makeSession } from '../../support/rows/new-session.ts';
import { callTool, ERAS, headersOf, messageOf, post, rpc } from './caller.ts';

const api = useApi();
let record: string;
beforeAll(async () => {
  record = await createTestRecord(api.db, api.accountId, { slug: 'prices' });
});

const listing = JSON.stringify(messageOf('older', 'tools/list', {}));

describe('the credential', () => {
  it('is required, with the protocol’s challenge', async () => {
    const { status, headers, body } = await rpc(api, 'tools/list', {}, { key: null });
    expect(status).toBe(401);
    expect(headers['www-authenticate']).toMatch(/^Bearer resource_metadata="[^"]+", scope="mcp:read"$/);
    expect(body).toMatchObject({ jsonrpc: '2.0', id: null, error: { data: { code: 'unauthenticated' } } });
  });

  it.each(ERAS)('may be in the URL (%s)', async (era) => {
    const { token } = await makeSession(api.db);
    const body = JSON.stringify(messageOf(era, 'tools/list', {}));
    const answer = await post(api, `/v1/mcp?token=${token}`, body, headersOf(era, 'tools/list', {}));
    expect(answer.status).toBe(200);
    expect(answer.body.result.tools.length).toBeGreaterThan(10);
  });

  it.each(['account', 'record'])('of an %s may be there too', async (kind) => {
    const { value } = await createKey(api.db, api.accountId, 'read', ...(kind === 'record' ? [record] : []));
    expect((await post(api, `/v1/mcp?token=${value}`, listing, {})).status).toBe(200);
  });

  it('may be in both locations when it is the same', async () => {
    const headers = { authorization: `Bearer ${api.fullKey}` };
    expect((await post(api, `/v1/mcp?token=${api.fullKey}`, listing, headers)).status).toBe(200);
  });

  it.each(['header and URL', 'the URL twice'])(
    'is refused when there are two different ones: %s',
    async (location) => {
      const { value: other } = await createKey(api.db, api.accountId, 'read');
      const [query, headers] =
        location === 'header and URL'
          ? [`token=${other}`, { authorization: `Bearer ${api.fullKey}` }]
          : [`token=${other}&token=${api.fullKey}`, {}];
      const { status, text } = await post(api, `/v1/mcp?${query}`, listing, headers);
      expect(status).toBe(400);
      expect(text).not.toContain(other);
    },
  );

  it('of another kind is refused in the URL, and never echoed', async () => {
    const { status, text } = await post(api, '/v1/mcp?token=oauth-access-token', listing, {});
    expect(status).toBe(401);
    expect(text).not.toContain('oauth-access-token');
  });

  it('is in no log line', async () => {
    const { token } = await makeSession(api.db);
    api.logLines.length = 0;
    await post(api, `/v1/mcp?token=${token}`, '{', {});
    await post(api, `/v1/mcp?token=${token}`, listing, {});
    await post(api, `/v1/mcp?token=${token}x`, listing, {});
    await callTool(api, 'get_source', { source: 'self' }, { key: token });
    expect(api.logLines.length).toBeGreaterThan(3);
    expect(api.logLines.join('')).not.toContain(token.slice(8));
  });
});

describe('the request', () => {
  it.each(['GET', 'DELETE', 'PUT', 'PATCH'] as const)('is not a %s', async (method) => {
    const { statusCode, headers } = await api.app.inject({ method, url: '/v1/mcp' });
    expect([statusCode, headers.allow]).toEqual([405, 'POST']);
  });

  it('that is not JSON is refused in JSON-RPC', async () => {
    const { status, body } = await post(api, '/v1/mcp', '{"jsonrpc":', {
      authorization: `Bearer ${api.fullKey}`,
    });
    expect([status, body.error.code, body.id]).toEqual([400, -32_700, null]);
  });

  it.each([
    ['https://evil.example', 403],
    ['null', 403],
    ['http://localhost.evil.example', 403],
    ['http://localhost:6274', 200],
    ['http://127.0.0.1:9', 200],
  ])('from a page of %s is answered %i', async (origin, wanted) => {
    const answer = await rpc(api, 'tools/list', {}, { headers: { origin } });
    expect(answer.status).toBe(wanted);
    expect(answer.headers['www-authenticate']).toBeUndefined();
    const { headers } = await api.app.inject({
      method: 'OPTIONS',
      url: '/v1/mcp',
      headers: { origin, 'access-control-request-method': 'POST' },
    });
    expect(headers['access-control-allow-origin']).toBe(wanted === 200 ? origin : undefined);
  });

  it.each(ERAS)('has the headers and the log line of every request (%s)', async (era) => {
    api.logLines.length = 0;
    const { headers } = await rpc(api, 'tools/list', {}, { era, headers: { 'x-request-id': 'mine' } });
    expect(headers).toMatchObject({ 'x-request-id': 'mine', 'x-ratelimit-limit': expect.any(String) });
    expect(api.logLines.map((line) => JSON.parse(line))).toContainEqual(
      expect.objectContaining({ path: '/v1/mcp', status: 200, requestId: 'mine' }),
    );
  });

  it.each(ERAS)(
    'has a line in the log that names the tool and how it went, and nothing of its arguments (%s)',
    async (era) => {
      api.logLines.length = 0;
      await callTool(api, 'get_source', { source: 'no-such-source' }, { era });
      const [line = '', ...others] = api.logLines;
      expect(others).toEqual([]);
      expect(JSON.parse(line)).toMatchObject({
        path: '/v1/mcp',
        toolCalls: [{ tool: 'get_source', isError: true, ms: expect.any(Number) }],
      });
      expect(line).not.toContain('no-such-source');
    },
  );

  it.each([
    ['takes no streams', { accept: 'application/json' }, 406, -32_000],
    ['names a revision that there never was', { 'mcp-protocol-version': '2024-13-01' }, 400, -32_000],
  ])(
    'of the older era that %s is refused in the words of its library',
    async (_what, headers, status, code) => {
      const answer = await rpc(api, 'tools/list', {}, { headers });
      expect([answer.status, answer.body.error.code]).toEqual([status, code]);
    },
  );

  it.each(['2025-11-25', '2025-06-18', '2025-03-26'])(
    'of the revision %s is answered in it',
    async (revision) => {
      const given = {
        protocolVersion: revision,
        capabilities: {},
        clientInfo: { name: 'test', version: '1' },
      };
      const headers = { 'mcp-protocol-version': revision };
      const { body } = await rpc(api, 'initialize', given, { headers });
      expect(body.result.protocolVersion).toBe(revision);
      const listed = await rpc(api, 'tools/list', {}, { headers });
      expect(listed.body.result.tools.length).toBeGreaterThan(10);
    },
  );

  it('of an older revision without an id gets no answer', async () => {
    const notice = JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' });
    const { status, text } = await post(api, '/v1/mcp', notice, { authorization: `Bearer ${api.fullKey}` });
    expect([status, text]).toEqual([202, '']);
  });

  it.each(ERAS)('for an unknown method is refused as such (%s)', async (era) => {
    const { body } = await rpc(api, 'tools/invent', {}, { era });
    expect([body.id, body.error.code]).toEqual([1, -32_601]);
  });
});

describe('the source', () => {
  it('may be omitted with a credential for one record', async () => {
    const { value: key } = await createKey(api.db, api.accountId, 'read', record);
    const { value } = await callTool(api, 'get_source', {}, { key });
    expect(value.source.id).toBe(record);
  });

  it('must be named by id or slug with an account key', async () => {
    const { isError, text } = await callTool(api, 'get_source');
    expect([isError, text]).toEqual([true, expect.stringContaining('/source is required')]);
    for (const source of [record, 'prices']) {
      expect((await callTool(api, 'get_source', { source })).value.source.id).toBe(record);
    }
  });
});

describe('an error', () => {
  it.each(ERAS)('in a tool’s name is reported to the client (%s)', async (era) => {
    const { body } = await rpc(api, 'tools/call', { name: 'drop_tables', arguments: {} }, { era });
    expect(body.error.code).toBe(-32_602);
  });

  it.each(ERAS)('in the arguments is reported to the model (%s)', async (era) => {
    const given = { source: 'prices', limit: 0, verbose: true };
    const { isError, text } = await callTool(api, 'list_snapshots', given, { era });
    expect(isError).toBe(true);
    expect(text).toContain('/limit must be at least 1');
    expect(text).toContain('/verbose is not a field');
  });

  it.each([
    ['older', -32_002],
    ['newer', -32_602],
  ] as const)('with a resource’s address is told in the words of the era (%s)', async (era, code) => {
    const uri = 'delta://sources/src_00000000000000000000000000000000';
    const { body } = await rpc(api, 'resources/read', { uri }, { era });
    expect(body.error).toMatchObject({ code, data: { uri } });
  });
});
