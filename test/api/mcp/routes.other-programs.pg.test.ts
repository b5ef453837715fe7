// Third-party programs: the inspector's command line, and a bridge for clients that support only standard input.
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { createRequire } from 'node:module';
import { beforeAll, expect, it } from 'vitest';
import { useApi } from '../../support/api/api.ts';
import { commitRows, createTestRecord } from '../../support/rows/factories.ts';
import { makeSession } from '../../support/rows/new-session.ts';
import { runClient } from './run-client.ts';

const INSPECTOR = '@modelcontextprotocol/inspector/clients/launcher/build/index.js';

const require = createRequire(import.meta.url);
const api = useApi();
let baseUrl: string;

beforeAll(async () => {
  baseUrl = await api.app.listen({ host: '127.0.0.1', port: 0 });
  const id = await createTestRecord(api.db, api.accountId, { slug: 'prices' });
  await commitRows(api.db, id, { a: '{"id":"a","price":"1"}' });
});

it.each(['legacy', 'modern'])('the inspector finds no fault in the tools (%s)', async (era) => {
  const { token } = await makeSession(api.db);
  const list = async (credential: readonly string[], url: string) => {
    const { status, stdout, stderr } = await runClient(INSPECTOR, [
      '--cli',
      url,
      '--transport',
      'http',
      '--protocol-era',
      era,
      '--format',
      'json',
      '--method',
      'tools/list',
      '--strict',
      ...credential,
    ]);
    expect([status, status === 0 ? '' : stderr]).toEqual([0, '']);
    return (JSON.parse(stdout) as { result: { tools: object[] } }).result.tools.length;
  };
  const header = ['--header', `Authorization: Bearer ${api.fullKey}`];
  expect(await list(header, `${baseUrl}/v1/mcp`)).toBe(16);
  // A session cannot create other records.
  expect(await list([], `${baseUrl}/v1/mcp?token=${token}`)).toBe(15);
});

it('mcp-remote connects it to a client over standard input', async () => {
  const client = new Client({ name: 'test', version: '1' });
  await client.connect(
    new StdioClientTransport({
      command: process.execPath,
      args: [
        require.resolve('mcp-remote/dist/proxy.js'),
        `${baseUrl}/v1/mcp`,
        '--allow-http',
        '--transport',
        'http-only',
        '--header',
        `Authorization: Bearer ${api.fullKey}`,
      ],
      stderr: 'ignore',
    }),
  );
  const { structuredContent } = await client.callTool({
    name: 'get_latest_delta',
    arguments: { source: 'prices' },
  });
  expect(structuredContent).toMatchObject({ totalCount: 1, isNoChange: true });
  await client.close();
});
