// Calls that take long: their progress, and what ends them, with the clients of both eras.
import {
  Client as NewerClient,
  StreamableHTTPClientTransport as NewerTransport,
} from '@modelcontextprotocol/client';
import { Client as OlderClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as OlderTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { CallToolResultSchema } from '@modelcontextprotocol/sdk/types.js';
import type { FastifyInstance } from 'fastify';
import type { Knex } from 'knex';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { rawRows } from '../../../../db/driver/knex.ts';
import { useListeningApi } from '../../../support/api/listening-api.ts';
import { createMcpApp } from '../../../support/api/mcp-app.ts';
import { commitRows, createKey, createTestRecord } from '../../../support/rows/factories.ts';
import { until } from '../../../support/until.ts';
import { ERAS, type Era, headersOf, messageOf } from '../caller.ts';

const { api, baseUrl } = await useListeningApi();
/** Of another process. */
let other: FastifyInstance;
let otherUrl: string;
let source: string;
/** Holds what slow reads need. */
let lock: Knex.Transaction | undefined;

beforeAll(async () => {
  other = await createMcpApp(api);
  otherUrl = await other.listen({ host: '127.0.0.1', port: 0 });
  source = await createTestRecord(api.db, api.accountId);
  await commitRows(api.db, source, { a: '{"id":"a","price":"1"}' });
  await commitRows(api.db, source, { a: '{"id":"a","price":"2"}' });
});
afterAll(() => other.close());

beforeEach(async () => {
  lock = await api.db.transaction();
  await lock.raw('lock table row_versions in access exclusive mode');
});
afterEach(() => release());

async function release(): Promise<void> {
  await lock?.rollback();
  lock = undefined;
}

/** Statements that wait for the lock. */
async function held(): Promise<number> {
  const sql = `select count(*) as count from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock' and query like '%row_versions%'`;
  const [row] = await rawRows<{ count: number }>(api.db, sql);
  return row?.count ?? 0;
}

const isHeld = (): Promise<boolean> => held().then((count) => count > 0);
const isNotHeld = (): Promise<boolean> => held().then((count) => count === 0);

interface Progress {
  progress: number;
  message?: string | undefined;
}

interface CallOptions {
  onprogress?: (progress: Progress) => void;
  signal?: AbortSignal;
}

type CallOfClient = (name: string, args: object, options?: CallOptions) => Promise<unknown>;

const transportOptions = () => ({ requestInit: { headers: { authorization: `Bearer ${api.fullKey}` } } });

/** The official clients, which close at the end of the test. */
const CLIENTS: Record<Era, () => Promise<{ call: CallOfClient; close: () => Promise<void> }>> = {
  older: async () => {
    const client = new OlderClient({ name: 'test', version: '1' });
    await client.connect(new OlderTransport(new URL('/v1/mcp', baseUrl), transportOptions()));
    return {
      call: (name, args, options) =>
        client.callTool({ name, arguments: { ...args } }, CallToolResultSchema, options),
      close: () => client.close(),
    };
  },
  newer: async () => {
    const client = new NewerClient(
      { name: 'test', version: '1' },
      { versionNegotiation: { mode: { pin: '2026-07-28' } } },
    );
    await client.connect(new NewerTransport(new URL('/v1/mcp', baseUrl), transportOptions()));
    return {
      call: (name, args, options) => client.callTool({ name, arguments: { ...args } }, options),
      close: () => client.close(),
    };
  },
};

const SLOW = [
  ['query_snapshot', () => ({})],
  ['compare_snapshots', () => ({ from: 'latest' })],
  ['describe_snapshot', () => ({})],
  ['get_snapshot_rows', () => ({ search: 'x' })],
] as const;

describe.each(ERAS)('a client of the %s era', (era) => {
  it('hears of progress until the answer', async () => {
    const { call, close } = await CLIENTS[era]();
    const heard: Progress[] = [];
    const answer = call('query_snapshot', { source }, { onprogress: (news) => void heard.push(news) });
    await until('there are three notices', () => heard.length >= 3);
    await release();
    expect(await answer).toMatchObject({ structuredContent: { groups: [{ values: { count: 1 } }] } });
    expect(heard.map(({ progress }) => progress)).toEqual(
      [...new Set(heard.map(({ progress }) => progress))].sort((one, two) => one - two),
    );
    expect(heard[0]).toMatchObject({ progress: 0, message: 'Counting: 0 s' });
    await close();
  });

  it('hears of progress while a check runs', async () => {
    const { call, close } = await CLIENTS[era]();
    const heard: Progress[] = [];
    const options = { onprogress: (news: Progress) => void heard.push(news) };
    const answer = await call('check_source', { source, waitSeconds: 2 }, options);
    expect(answer).toMatchObject({ structuredContent: { outcome: null } });
    expect(heard.length).toBeGreaterThanOrEqual(2);
    await close();
  });

  it.each(SLOW)('cancels the statements of %s', async (name, args) => {
    const { call, close } = await CLIENTS[era]();
    const ending = new AbortController();
    const answer = call(name, { source, ...args() }, { signal: ending.signal }).catch(
      (error: unknown) => error,
    );
    await until('the statement waits', isHeld);
    ending.abort();
    await until('the statement has ended', isNotHeld);
    expect(await answer).toBeInstanceOf(Error);
    await close();
  });

  it('cancels nothing of a call that is over', async () => {
    const { call, close } = await CLIENTS[era]();
    await release();
    const ending = new AbortController();
    const answer = await call('query_snapshot', { source }, { signal: ending.signal });
    ending.abort();
    expect(answer).toMatchObject({ structuredContent: { count: 1 } });
    expect(await call('query_snapshot', { source })).toMatchObject({ structuredContent: { count: 1 } });
    await close();
  });
});

function post(url: string, body: object, key = api.fullKey, more: object = {}): Promise<Response> {
  return fetch(`${url}/v1/mcp`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${key}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...more,
    },
    body: JSON.stringify(body),
  });
}

const callOf = (id: unknown, name: string, args: object) => ({
  ...messageOf('older', 'tools/call', { name, arguments: { source, ...args } }),
  id,
});
const cancel = (requestId: unknown) => ({
  jsonrpc: '2.0',
  method: 'notifications/cancelled',
  params: { requestId },
});
const CANCELLED = { error: { code: -32_800 } };

describe('notifications/cancelled', () => {
  it('ends a call that runs in another process', async () => {
    const answer = post(baseUrl, callOf(7, 'query_snapshot', {}));
    await until('the statement waits', isHeld);
    // The other process may listen only later, so a cancellation may be lost: callers may repeat it.
    await until('the statement has ended', async () => {
      expect((await post(otherUrl, cancel(7))).status).toBe(202);
      return isNotHeld();
    });
    expect(await (await answer).json()).toMatchObject({ id: 7, ...CANCELLED });
  });

  it('regression: takes one statement for all calls that a batch names', async () => {
    let statements = 0;
    const count = ({ sql }: { sql: string }): void => void (statements += sql.includes('pg_notify') ? 1 : 0);
    api.db.on('query', count);
    const batch = Array.from({ length: 20 }, (_, at) => cancel(`unknown ${at}`));
    expect((await post(otherUrl, batch)).status).toBe(202);
    api.db.removeListener('query', count);
    expect(statements).toBe(1);
  });

  it('of several calls in a batch ends one that runs in another process', async () => {
    const answer = post(baseUrl, callOf(8, 'query_snapshot', {}));
    await until('the statement waits', isHeld);
    await until('the statement has ended', async () => {
      await post(otherUrl, [cancel('unknown'), cancel(8)]);
      return isNotHeld();
    });
    expect(await (await answer).json()).toMatchObject({ id: 8, ...CANCELLED });
  });

  it('ends the wait for a check', async () => {
    const answer = post(baseUrl, callOf('check', 'check_source', { waitSeconds: 55 }));
    await until('the check was requested', () => api.workflows.calls.some(({ id }) => id === source));
    let isOver = false;
    void answer.finally(() => (isOver = true)).catch(() => undefined);
    await until('the call has ended', async () => {
      await post(baseUrl, [cancel('check')]);
      return isOver;
    });
    expect(await (await answer).json()).toMatchObject(CANCELLED);
  });

  it('ends no call of another credential, program or id, and none of two with the same id', async () => {
    const { value: key } = await createKey(api.db, api.accountId, 'full');
    const answers = [3, 4, 4].map((id) => post(baseUrl, callOf(id, 'query_snapshot', {})));
    await until('two statements wait, and one for its turn', async () => (await held()) === 2);
    await post(baseUrl, cancel(3), key);
    await post(baseUrl, cancel(3), api.fullKey, { 'user-agent': 'another' });
    await post(baseUrl, cancel('3'));
    await post(baseUrl, cancel(5));
    await post(baseUrl, cancel(4));
    await post(baseUrl, cancel(undefined));
    await release();
    for (const answer of answers) {
      expect(await (await answer).json()).toMatchObject({ result: { structuredContent: { count: 1 } } });
    }
  });

  it('gives the connection and the turn of a cancelled call to others', async () => {
    for (let id = 10; id < 20; id += 1) {
      const answer = post(baseUrl, callOf(id, 'query_snapshot', {}));
      await until('the statement waits', isHeld);
      await post(baseUrl, cancel(id));
      expect(await (await answer).json()).toMatchObject(CANCELLED);
    }
    await release();
    const answer = await post(baseUrl, callOf(20, 'query_snapshot', {}));
    expect(await answer.json()).toMatchObject({ result: { structuredContent: { count: 1 } } });
    expect(api.logLines.filter((line) => line.includes('"failed"'))).toEqual([]);
  });
});

it('a caller who disconnects ends the statements', async () => {
  const ending = new AbortController();
  const params = { name: 'query_snapshot', arguments: { source } };
  const answer = fetch(`${baseUrl}/v1/mcp`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${api.fullKey}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...headersOf('newer', 'tools/call', params),
    },
    body: JSON.stringify(messageOf('newer', 'tools/call', params)),
    signal: ending.signal,
  }).catch((error: unknown) => error);
  await until('the statement waits', isHeld);
  ending.abort();
  await until('the statement has ended', isNotHeld);
  expect(await answer).toBeInstanceOf(Error);
});

it('an answer without news is no stream', async () => {
  await release();
  const params = { name: 'list_sources', arguments: {}, _meta: { progressToken: 1 } };
  const answer = await post(baseUrl, messageOf('older', 'tools/call', params));
  expect(answer.headers.get('content-type')).toMatch(/^application\/json/);
  expect(await answer.json()).toMatchObject({ result: { structuredContent: { count: 1 } } });
});
