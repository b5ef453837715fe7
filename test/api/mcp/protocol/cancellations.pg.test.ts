// Cancellations of calls that run elsewhere share statements, because the commit of a notice takes a server-wide lock.
import type { FastifyRequest } from 'fastify';
import { expect, it } from 'vitest';
import { createCancellations } from '../../../../api/mcp/protocol/cancellations.ts';
import { useApi } from '../../../support/api/api.ts';

const api = useApi();

const requestFor = (requestId: string) =>
  ({
    body: { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId } },
    caller: null,
    address: '192.0.2.1',
    headers: {},
  }) as FastifyRequest;

it('regression: those that come at the same time, and while one is announced', async () => {
  const { obey, close } = createCancellations(api.services, new AbortController().signal);
  const statements: (readonly string[])[] = [];
  const note = ({ sql, bindings }: { sql: string; bindings: [string, string[]] }): void => {
    if (!sql.includes('pg_notify')) return;
    statements.push(bindings[1]);
    if (statements.length === 1) later.push(...['d', 'e', 'e'].map((id) => obey(requestFor(id))));
  };
  const later: Promise<void>[] = [];
  api.db.on('query', note);
  await Promise.all(['a', 'b', 'c'].map((id) => obey(requestFor(id))));
  await Promise.all(later);
  api.db.removeListener('query', note);
  expect(statements.map((keys) => keys.length)).toEqual([3, 2]);
  await close();
});
