// The protocol's conformance suite, for the requirements of each revision, with the tools that it expects in addition to
// ours (conformance-fixtures.ts).
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { useApi } from '../../support/api/api.ts';
import { commitRows, createTestRecord } from '../../support/rows/factories.ts';
import { type HeaderProxy, startHeaderProxy } from './header-proxy.ts';
import { runClient } from './run-client.ts';

const CONFORMANCE = '@modelcontextprotocol/conformance/dist/index.js';

vi.mock(import('../../../api/mcp/methods/methods.ts'), async (importOriginal) => {
  const original = await importOriginal();
  // Imported here, because the mock is requested while other modules are still loading.
  const { withFixtures } = await import('./conformance-fixtures.ts');
  // Has the same names as the product's METHODS.
  return { ...original, METHODS: withFixtures(original.METHODS) as typeof original.METHODS };
});

const api = useApi();
let proxy: HeaderProxy;

beforeAll(async () => {
  const baseUrl = await api.app.listen({ host: '127.0.0.1', port: 0 });
  proxy = await startHeaderProxy(baseUrl, `Bearer ${api.fullKey}`);
  const id = await createTestRecord(api.db, api.accountId, { slug: 'prices' });
  await commitRows(api.db, id, { a: '{"id":"a","price":"1"}' });
});
afterAll(() => proxy.close());

describe.each(['2025-11-25', '2026-07-28'])('the conformance suite, requirements of %s', (revision) => {
  const path = new URL(`expected-failures/${revision}.yml`, import.meta.url);

  it('fails exactly in the expected scenarios', async () => {
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
