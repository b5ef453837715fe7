// Quotas of tool calls, which are exact however the tools are called.
import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { buildApp } from '../../../../api/app.ts';
import { createRateLimits } from '../../../../api/access/rate-limits.ts';
import { type Database, openDatabase } from '../../../../db/driver/knex.ts';
import { useApi } from '../../../support/api/api.ts';
import { commitRows, createAccount, createKey, createTestRecord } from '../../../support/rows/factories.ts';
import { makeSession } from '../../../support/rows/new-session.ts';
import { callTool, messageOf, post, rpc } from '../caller.ts';

const api = useApi();
let otherDb: Database;
/** An app that shares no memory with the first, like another process. */
let other: FastifyInstance;

beforeAll(() => {
  otherDb = openDatabase(api.db.client.config.connection.connectionString, { poolSize: 5 });
  other = buildApp(
    { ...api.services, db: otherDb, heavyDb: otherDb },
    { rateLimits: createRateLimits({ multiplier: 1_000 }) },
  );
});
afterAll(async () => {
  await other.close();
  await otherDb.destroy();
});

async function session(): Promise<string> {
  const { token, recordId } = await makeSession(api.db);
  await commitRows(api.db, recordId, { a: '{"id":"a","price":"1"}' });
  return token;
}

const countWorked = (answers: readonly { isError: boolean }[]): number =>
  answers.filter(({ isError }) => !isError).length;

it('admits 50 of 200 concurrent calls of a session, in both revisions and on two processes', async () => {
  const key = await session();
  const answers = await Promise.all(
    Array.from({ length: 200 }, (_, at) =>
      callTool(
        at % 2 === 0 ? api : { ...api, app: other },
        'get_latest_delta',
        {},
        {
          key,
          era: at % 4 < 2 ? 'older' : 'newer',
        },
      ),
    ),
  );
  expect(countWorked(answers)).toBe(50);
  expect(answers.find(({ isError }) => isError)?.text).toContain('rate_limited: All 50 tool calls');
  const { body } = await api.call('GET', '/v1/sessions/self', { key });
  expect(body.mcpCalls).toEqual({ limit: 50, used: 50, left: 0 });
});

it('counts each call of a batch', async () => {
  const key = await session();
  const call = messageOf('older', 'tools/call', { name: 'get_source', arguments: {} });
  const batch = Array.from({ length: 60 }, (_, id) => ({ ...call, id }));
  const { body } = await post(api, '/v1/mcp', JSON.stringify(batch), { authorization: `Bearer ${key}` });
  const results = (body as { result: { isError?: boolean } }[]).map(({ result }) => ({
    isError: result.isError ?? false,
  }));
  expect([results.length, countWorked(results)]).toEqual([60, 50]);
});

it('counts each message of a batch as a request', async () => {
  const app = buildApp(api.services, { rateLimits: createRateLimits() });
  const key = await session();
  const batch = Array.from({ length: 61 }, (_, id) => ({ ...messageOf('older', 'ping', {}), id }));
  const { status } = await post({ app }, '/v1/mcp', JSON.stringify(batch), {
    authorization: `Bearer ${key}`,
  });
  expect(status).toBe(429);
  await app.close();
});

it('counts an account’s calls by the day, over all of its keys', async () => {
  const accountId = await createAccount(api.db);
  await createTestRecord(api.db, accountId, { tier: 'free' });
  const [one, two] = [await createKey(api.db, accountId, 'full'), await createKey(api.db, accountId, 'read')];
  await api.db('usage_counters').insert({
    subject: `mcp-calls ${accountId}`,
    period: api.db.raw(`date_trunc('day', now(), 'UTC')`),
    used: 198,
  });
  const answers = [];
  for (const { value: key } of [one, two, one])
    answers.push(await callTool(api, 'list_sources', {}, { key }));
  expect(countWorked(answers)).toBe(2);
  expect(answers[2]?.text).toMatch(/^rate_limited: All 200 tool calls .* Try again in \d+ seconds\.$/);
});

it('counts tool calls only, and none whose arguments are wrong', async () => {
  const key = await session();
  await rpc(api, 'tools/list', {}, { key });
  await rpc(api, 'resources/list', {}, { key });
  await callTool(api, 'get_source', { verbose: true }, { key });
  const { body } = await api.call('GET', '/v1/sessions/self', { key });
  expect(body.mcpCalls.used).toBe(0);
});
