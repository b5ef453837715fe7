// Other people's programs: the conformance suite of the protocol, the inspector's command line, and a bridge for
// clients that speak over standard input only.
import { readFileSync } from 'node:fs';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { createRequire } from 'node:module';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { useApi } from '../support/api.ts';
import { commitRows, createTestRecord } from '../support/factories.ts';
import { makeSession } from '../support/new-session.ts';
import { type HeaderProxy, startHeaderProxy } from './header-proxy.ts';
import { runClient } from './run-client.ts';

const CONFORMANCE = '@modelcontextprotocol/conformance/dist/index.js';
const INSPECTOR = '@modelcontextprotocol/inspector/clients/launcher/build/index.js';

const require = createRequire(import.meta.url);
const api = useApi();
let baseUrl: string;
let proxy: HeaderProxy;

beforeAll(async () => {
  baseUrl = await api.app.listen({ host: '127.0.0.1', port: 0 });
  proxy = await startHeaderProxy(baseUrl, `Bearer ${api.fullKey}`);
  const id = await createTestRecord(api.db, api.accountId, { slug: 'prices' });
  await commitRows(api.db, id, { a: '{"id":"a","price":"1"}' });
});
afterAll(() => proxy.close());

describe.each(['2025-11-25', '2026-07-28'])('the conformance suite, requirements of %s', (revision) => {
  const path = new URL(`expected-failures/${revision}.yml`, import.meta.url);

  it('fails where it is expected to, and only there', { timeout: 60_000 }, async () => {
    const { status, stdout } = await runClient(CONFORMANCE, [
      'server',
      '--url',
      `${proxy.url}/v1/mcp`,
      '--requirements',
      revision,
      '--expected-failures',
      path.pathname,
    ]);
    expect([status, status === 0 ? '' : stdout.slice(stdout.indexOf('=== SUMMARY'))]).toEqual([0, '']);
  });

  it('has a reason for each failure', () => {
    const [, ...lines] = readFileSync(path, 'utf8').trim().split('\n');
    expect(lines[0]).toBe('server:');
    for (const line of lines.slice(1)) expect(line).toMatch(/^ {2}- [\w:-]+ # .{20,}$/);
  });
});

it.each(['legacy', 'modern'])('the inspector finds no fault with the tools (%s)', async (era) => {
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
  // A session makes no other records.
  expect(await list([], `${baseUrl}/v1/mcp?token=${token}`)).toBe(15);
});

it('mcp-remote brings it to a client over standard input', async () => {
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
