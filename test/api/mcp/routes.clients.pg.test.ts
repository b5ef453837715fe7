// Third-party clients of both eras against the real endpoint.
import {
  Client as NewerClient,
  StreamableHTTPClientTransport as NewerTransport,
} from '@modelcontextprotocol/client';
import { Client as OlderClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as OlderTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { beforeAll, expect, it } from 'vitest';
import { useApi } from '../../support/api/api.ts';
import { createTestRecord } from '../../support/rows/factories.ts';

const api = useApi();
let url: URL;
let record: string;

beforeAll(async () => {
  url = new URL('/v1/mcp', await api.app.listen({ host: '127.0.0.1', port: 0 }));
  record = await createTestRecord(api.db, api.accountId);
});

const headers = () => ({ requestInit: { headers: { authorization: `Bearer ${api.fullKey}` } } });

it('answers the older client', async () => {
  const client = new OlderClient({ name: 'test', version: '1' });
  await client.connect(new OlderTransport(url, headers()));
  const { tools } = await client.listTools();
  expect(tools.map(({ name }) => name)).toContain('list_sources');
  const { structuredContent } = await client.callTool({ name: 'list_sources', arguments: {} });
  expect(structuredContent).toMatchObject({ count: 1, sources: [{ id: record }] });
  await client.close();
});

it.each([
  ['legacy', { mode: 'legacy' as const }],
  ['auto', { mode: 'auto' as const }],
  ['pinned', { mode: { pin: '2026-07-28' } }],
])('answers the newer client: %s', async (_name, versionNegotiation) => {
  const client = new NewerClient({ name: 'test', version: '1' }, { versionNegotiation });
  await client.connect(new NewerTransport(url, headers()));
  const { tools } = await client.listTools();
  expect(tools.map(({ name }) => name)).toContain('list_sources');
  const { structuredContent } = await client.callTool({ name: 'list_sources', arguments: {} });
  expect(structuredContent).toMatchObject({ count: 1, sources: [{ id: record }] });
  await client.close();
});
