// Tasks of revision 2026-07-28: calls that take long, whose results any process gives to the credential that made the call.
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { createTaskSessionFromClient, resultFromTaskOutcome } from '@modelcontextprotocol/ext-tasks/client';
import type { FastifyInstance } from 'fastify';
import type { Knex } from 'knex';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { commitProblemCheck } from '../../../../db/commit/checks.ts';
import { rawRows } from '../../../../db/driver/knex.ts';
import { deleteOldTasks, insertTask } from '../../../../db/usage/mcp-tasks.ts';
import { useListeningApi } from '../../../support/api/listening-api.ts';
import { createMcpApp } from '../../../support/api/mcp-app.ts';
import {
  commitRows,
  createAccount,
  createKey,
  createTestRecord,
  newTestId,
} from '../../../support/rows/factories.ts';
import { until } from '../../../support/until.ts';
import { headersOf, messageOf } from '../caller.ts';

const { api, baseUrl } = await useListeningApi();
/** Of another process. */
let other: FastifyInstance;
let otherUrl: string;
let source: string;
/** Of another account. */
let ofStranger: string;
let strangerKey: string;
/** Holds what slow reads need. */
let lock: Knex.Transaction | undefined;

const hold = async (): Promise<void> => {
  lock = await api.db.transaction();
  await lock.raw('lock table row_versions in access exclusive mode');
};
const release = async (): Promise<void> => {
  await lock?.rollback();
  lock = undefined;
};

beforeAll(async () => {
  other = await createMcpApp(api);
  otherUrl = await other.listen({ host: '127.0.0.1', port: 0 });
  source = await createTestRecord(api.db, api.accountId);
  await commitRows(api.db, source, { a: '{"id":"a","price":10000000000000000999}' });
  const stranger = await createAccount(api.db);
  ofStranger = await createTestRecord(api.db, stranger);
  await commitRows(api.db, ofStranger, { a: '{"id":"a"}' });
  ({ value: strangerKey } = await createKey(api.db, stranger, 'full'));
});
afterAll(() => other.close());
beforeEach(async () => {
  await api.db('mcp_tasks').delete();
  await hold();
});
afterEach(release);

const EXTENSION = 'io.modelcontextprotocol/tasks';

interface Asked {
  url?: string;
  key?: string;
  /** Whether the client declares the extension. */
  isDeclared?: boolean;
}

interface Answer {
  status: number;
  text: string;
  // Tests look into answers freely.
  // oxlint-disable-next-line typescript/no-explicit-any
  body: any;
}

async function ask(method: string, params: object, asked: Asked = {}): Promise<Answer> {
  const { url = baseUrl, key = api.fullKey, isDeclared = true } = asked;
  // messageOf gives each message of the newer era params with _meta.
  const message = messageOf('newer', method, params) as { params: { _meta: object } };
  const capabilities = isDeclared ? { extensions: { [EXTENSION]: {} } } : {};
  const _meta = { ...message.params._meta, 'io.modelcontextprotocol/clientCapabilities': capabilities };
  return send(url, key, method, { ...message, params: { ...message.params, _meta } });
}

async function send(url: string, key: string, method: string, message: { params: object }): Promise<Answer> {
  const { taskId, name } = message.params as { taskId?: string; name?: string };
  const named = name ?? taskId;
  const response = await fetch(`${url}/v1/mcp`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${key}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...headersOf('newer', method, named === undefined ? {} : { name: named }),
    },
    body: JSON.stringify(message),
  });
  const text = await response.text();
  return { status: response.status, text, body: text === '' ? undefined : JSON.parse(text) };
}

const QUERY = { name: 'query_snapshot', arguments: {} };

/** @returns the id of a task whose statement waits for the lock */
async function startTask(
  asked: Asked = {},
  call: { name: string; arguments: object } = QUERY,
): Promise<string> {
  const { body } = await ask('tools/call', { ...call, arguments: { source, ...call.arguments } }, asked);
  expect(body.result).toMatchObject({ resultType: 'task', status: 'working', ttlMs: 3_600_000 });
  expect(Object.keys(body.result).toSorted()).toEqual([
    '_meta',
    'createdAt',
    'lastUpdatedAt',
    'pollIntervalMs',
    'resultType',
    'status',
    'taskId',
    'ttlMs',
  ]);
  return body.result.taskId as string;
}

/** @returns the task once it is no longer working */
const settled = (taskId: string, asked: Asked = {}): Promise<Answer> =>
  until('the task is over', async () => {
    const answer = await ask('tasks/get', { taskId }, asked);
    expect(answer.body.result).toMatchObject({ resultType: 'complete', taskId });
    return answer.body.result.status !== 'working' && answer;
  });

async function held(): Promise<number> {
  const sql = `select count(*) as count from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock' and query like '%row_versions%'`;
  const [row] = await rawRows<{ count: number }>(api.db, sql);
  return row?.count ?? 0;
}

const COUNTED = { content: [{ type: 'text' }], structuredContent: { groups: [{ values: { count: 1 } }] } };
const NO_TASK = { code: -32_602, message: 'There is no such task, or it has expired.' };

it('is declared', async () => {
  const { body } = await ask('server/discover', {});
  expect(body.result.capabilities.extensions).toEqual({ [EXTENSION]: {} });
});

it('the official client gets its result from another process', async () => {
  const client = new Client(
    { name: 'test', version: '1' },
    { versionNegotiation: { mode: { pin: '2026-07-28' } } },
  );
  const headers = { authorization: `Bearer ${api.fullKey}` };
  await client.connect(
    new StreamableHTTPClientTransport(new URL('/v1/mcp', baseUrl), { requestInit: { headers } }),
  );
  const seen: string[] = [];
  const session = createTaskSessionFromClient(client, {
    endpointId: 'recordwatch',
    rawDispatch: async (request) => {
      const { method, params } = request as { method: string; params: object };
      seen.push(method);
      const url = method === 'tools/call' ? baseUrl : otherUrl;
      const { body } = await send(url, api.fullKey, method, { jsonrpc: '2.0', id: 1, method, params } as {
        params: object;
      });
      return body.error === undefined
        ? { kind: 'result', result: body.result }
        : { kind: 'error', error: body.error };
    },
    v2RequestFraming: {
      protocolVersion: '2026-07-28',
      clientInfo: { name: 'test', version: '1' },
      clientCapabilities: {},
    },
  });
  const execution = await session.callTool('query_snapshot', { source });
  const settlement = execution.settle();
  await until('the client asks', () => seen.includes('tasks/get'));
  await release();
  expect(resultFromTaskOutcome((await settlement).outcome)).toMatchObject(COUNTED);
  await session.close();
  await client.close();
});

it('keeps numbers as the origin wrote them', async () => {
  const taskId = await startTask({}, { name: 'get_snapshot_rows', arguments: { search: 'a' } });
  await release();
  const { text } = await settled(taskId, { url: otherUrl });
  expect(text).toContain('"price":10000000000000000999');
});

it('a check becomes a task that no process has to keep up', async () => {
  const requested: string[] = [];
  api.workflows.onCheck = (_record, checkId) => void requested.push(checkId);
  const taskId = await startTask({}, { name: 'check_source', arguments: {} });
  await release();
  expect((await ask('tasks/get', { taskId }, { url: otherUrl })).body.result).toMatchObject({
    status: 'working',
  });
  const [checkId = ''] = requested;
  await commitProblemCheck(
    api.db,
    'failed',
    {
      id: checkId,
      recordId: source,
      trigger: 'manual',
      startedAt: new Date(),
      httpStatus: 503,
      bytes: null,
      rows: null,
      nextCheckInMs: 1_000,
    },
    { code: 'http_error', detail: 'The origin answered 503.', warnings: [] },
  );
  const { body } = await settled(taskId, { url: otherUrl });
  expect(body.result.result.structuredContent).toMatchObject({ id: checkId, outcome: 'failed' });
  const again = await ask('tasks/get', { taskId });
  expect(again.body.result.result).toEqual(body.result.result);
  expect(requested).toHaveLength(1);
});

describe('no task', () => {
  it('is made of a quick answer, of an error, and of a check that nobody waits for', async () => {
    await release();
    for (const [name, args] of [
      ['query_snapshot', {}],
      ['query_snapshot', { groupBy: ['nothing'] }],
      ['check_source', { waitSeconds: 0 }],
      ['list_deltas', {}],
    ] as const) {
      const { body } = await ask('tools/call', { name, arguments: { source, ...args } });
      expect([name, body.result.resultType, body.result.taskId]).toEqual([name, 'complete', undefined]);
    }
    expect(await api.db('mcp_tasks')).toEqual([]);
  });

  it('is made for a client that does not declare the extension', async () => {
    const answer = ask('tools/call', { ...QUERY, arguments: { source } }, { isDeclared: false });
    await until('the statement waits', () => held().then((count) => count > 0));
    await release();
    expect((await answer).body.result).toMatchObject(COUNTED);
    for (const method of ['tasks/get', 'tasks/update', 'tasks/cancel']) {
      const { status, body } = await ask(method, { taskId: newTestId('task') }, { isDeclared: false });
      const requiredCapabilities = { extensions: { [EXTENSION]: {} } };
      expect([method, status, body.error]).toEqual([
        method,
        400,
        expect.objectContaining({ code: -32_021, data: { requiredCapabilities } }),
      ]);
    }
  });

  it('is made beyond 100 of an account: the call waits instead', async () => {
    const task = {
      accountId: api.accountId,
      credentialId: 'key_1',
      recordId: source,
      tool: 'query_snapshot',
    };
    for (let count = 0; count < 100; count += 1) {
      const row = { ...task, id: newTestId('task'), arguments: {}, isLeased: true };
      await insertTask(api.db, row, { ttlSeconds: 60, max: 100 });
    }
    const answer = ask('tools/call', { ...QUERY, arguments: { source } });
    await until('the statement waits', () => held().then((count) => count > 0));
    let isOver = false;
    void answer.finally(() => (isOver = true));
    // A later call of another account is a task by now, so this one could have been one.
    await startTask({ key: strangerKey }, { name: 'query_snapshot', arguments: { source: ofStranger } });
    expect(isOver).toBe(false);
    await release();
    expect((await answer).body.result).toMatchObject(COUNTED);
    // Those that have expired do not count.
    await api.db('mcp_tasks').update({ expiresAt: new Date(0) });
    await hold();
    await startTask();
  });
});

describe('tasks/cancel', () => {
  it('ends the statements in another process', async () => {
    const taskId = await startTask();
    await until('the statement waits', () => held().then((count) => count > 0));
    expect((await ask('tasks/cancel', { taskId }, { url: otherUrl })).body.result).toMatchObject({
      resultType: 'complete',
    });
    await until('the statement has ended', () => held().then((count) => count === 0));
    const { body } = await settled(taskId);
    expect([body.result.status, body.result.result]).toEqual(['cancelled', undefined]);
    await ask('tasks/cancel', { taskId });
    await release();
    expect((await ask('tasks/get', { taskId })).body.result.status).toBe('cancelled');
  });

  it('leaves a completed task as it is', async () => {
    const taskId = await startTask();
    await release();
    await settled(taskId);
    await ask('tasks/cancel', { taskId }, { url: otherUrl });
    expect((await ask('tasks/get', { taskId })).body.result).toMatchObject({
      status: 'completed',
      result: COUNTED,
    });
  });
});

describe('when the process that works on a task ends', () => {
  it('another one continues, once the first has closed', async () => {
    const ending = await createMcpApp(api);
    const url = await ending.listen({ host: '127.0.0.1', port: 0 });
    const taskId = await startTask({ url });
    await ending.close();
    await until('the statement has ended', () => held().then((count) => count === 0));
    await until('another process runs it', async () => {
      await ask('tasks/get', { taskId });
      return (await held()) > 0;
    });
    await release();
    expect((await settled(taskId)).body.result.result).toMatchObject(COUNTED);
  });

  it('another one continues once its lease has run out, and only one', async () => {
    const { id: credentialId, value: key } = await createKey(api.db, api.accountId, 'read');
    const id = newTestId('task');
    const task = { id, accountId: api.accountId, credentialId, recordId: source, tool: 'query_snapshot' };
    await insertTask(api.db, { ...task, arguments: {}, isLeased: true }, { ttlSeconds: 60, max: 100 });
    const get = () =>
      Promise.all([baseUrl, otherUrl].map((url) => ask('tasks/get', { taskId: id }, { key, url })));
    for (const { body } of await get()) expect(body.result.status).toBe('working');
    expect(await held()).toBe(0);
    await api
      .db('mcp_tasks')
      .where({ id })
      .update({ leasedUntil: new Date(0) });
    await get();
    await until('it runs', () => held().then((count) => count > 0));
    await get();
    expect(await held()).toBe(1);
    await release();
    expect((await settled(id, { key })).body.result.result).toMatchObject(COUNTED);
  });
});

describe('a task is not there', () => {
  const METHODS = ['tasks/get', 'tasks/update', 'tasks/cancel'];

  it('for another credential of the account, another account, and under another id', async () => {
    const { value: read } = await createKey(api.db, api.accountId, 'read');
    const { value: ofRecord } = await createKey(api.db, api.accountId, 'read', source);
    const taskId = await startTask();
    for (const method of METHODS) {
      for (const key of [read, ofRecord, strangerKey]) {
        expect((await ask(method, { taskId }, { key })).body.error).toMatchObject(NO_TASK);
      }
      for (const id of [newTestId('task'), 'x', source, '']) {
        expect((await ask(method, { taskId: id })).body.error).toMatchObject(NO_TASK);
      }
    }
    await release();
    expect((await settled(taskId)).body.result.status).toBe('completed');
  });

  it('once it has expired, and is then deleted', async () => {
    const [old, kept] = [await startTask(), await startTask()];
    await release();
    await settled(old);
    await settled(kept);
    await api
      .db('mcp_tasks')
      .where({ id: old })
      .update({ expiresAt: new Date(0) });
    for (const method of METHODS) {
      expect((await ask(method, { taskId: old })).body.error).toMatchObject(NO_TASK);
    }
    expect(await deleteOldTasks(api.db, 10)).toBe(1);
    expect(await deleteOldTasks(api.db, 10)).toBe(0);
    expect((await api.db('mcp_tasks')).map(({ id }) => id)).toEqual([kept]);
  });

  it('once its record was deleted', async () => {
    const record = await createTestRecord(api.db, api.accountId);
    await release();
    await commitRows(api.db, record, { a: '{"id":"a"}' });
    await hold();
    const taskId = await startTask({}, { name: 'query_snapshot', arguments: { source: record } });
    await release();
    await settled(taskId);
    await api.call('DELETE', `/v1/sources/${record}`);
    expect((await ask('tasks/get', { taskId })).body.error).toMatchObject(NO_TASK);
  });
});

it('a client that wants news of tasks has to declare the extension', async () => {
  const notifications = { taskIds: [newTestId('task')] };
  const { status, body } = await ask('subscriptions/listen', { notifications }, { isDeclared: false });
  expect([status, body]).toMatchObject([400, { id: 1, error: { code: -32_021 } }]);
});

it('tasks/update is answered, because no task asks for input', async () => {
  const taskId = await startTask();
  const { body } = await ask('tasks/update', { taskId, inputResponses: { name: { action: 'accept' } } });
  expect(body.result).toMatchObject({ resultType: 'complete' });
});

it.each(['tasks/list', 'tasks/result'])('%s is not of this revision', async (method) => {
  const { status, body } = await ask(method, { taskId: newTestId('task') });
  expect([status, body.error.code]).toEqual([404, -32_601]);
});
