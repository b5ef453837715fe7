// What a client of the first contract does, and every answer and webhook that it gets. Earlier versions run the same file
// (test/upgrade/old-answers.ts), so it knows only the API.
import { freePort } from '../support/servers/free-port.ts';
import { startOrigin } from '../support/servers/origin-server.ts';
import { startSystem } from '../support/servers/system.ts';
import { startSink } from '../support/servers/webhook-sink.ts';
import { until } from '../support/until.ts';

export interface Answer {
  step: string;
  status: number;
  text: string;
  isJson: boolean;
}

interface Client {
  answers: Answer[];
  /** Calls the API and keeps the answer under the step's name. */
  ask: (step: string, method: string, path: string, sent?: Sent) => Promise<Members>;
  /** Checks the record, and waits until everybody has been told. */
  check: (step: string, body: string | number) => Promise<Members>;
  tool: (name: string, args: object) => Promise<void>;
}

interface Sent {
  body?: object;
  key?: string;
  headers?: Record<string, string>;
}

// Answers are compared as texts; this file reads only ids and cursors.
// oxlint-disable-next-line typescript/no-explicit-any
type Members = any;

/** @returns the answers in their order, and the bodies that each webhook got */
export async function liveThroughFirstContract(): Promise<Answer[]> {
  const port = await freePort();
  const system = await startSystem({ PORT: String(port) });
  const origin = await startOrigin();
  const sink = await startSink();
  const answers: Answer[] = [];
  const request = async (method: string, path: string, { body, key = system.apiKey, headers }: Sent = {}) => {
    const response = await fetch(`http://127.0.0.1:${port}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${key}`,
        ...(body && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body && { body: JSON.stringify(body) }),
    });
    const isJson = /\bjson\b/.test(response.headers.get('content-type') ?? '');
    return { status: response.status, text: await response.text(), isJson };
  };
  const ask: Client['ask'] = async (step, method, path, sent) => {
    const answer = await request(method, path, sent);
    answers.push({ step, ...answer });
    return answer.isJson ? JSON.parse(answer.text) : {};
  };
  const areTold = async (): Promise<boolean> =>
    (await system.database.db('deliveries').where({ status: 'pending' }).first()) === undefined;
  const client: Client = {
    answers,
    ask,
    async check(step, body) {
      origin.set('/prices.csv', typeof body === 'number' ? { status: body } : { body });
      const check = await ask(step, 'POST', '/v1/sources/prices/check', { headers: { prefer: 'wait=30' } });
      await until('every webhook is told', areTold);
      return check;
    },
    async tool(name, args) {
      const message = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } };
      const headers = {
        'mcp-protocol-version': '2025-11-25',
        accept: 'application/json, text/event-stream',
      };
      await ask(`tool ${name} ${JSON.stringify(args)}`, 'POST', '/v1/mcp', { body: message, headers });
    },
  };
  try {
    origin.set('/prices.csv', { body: BODIES.first });
    await ask('create the record', 'POST', '/v1/sources', {
      body: { url: `${origin.url}/prices.csv`, name: 'Prices', slug: 'prices', keyFields: ['id'], checkIntervalMinutes: 1_440 }, // prettier-ignore
      headers: { prefer: 'wait=30' },
    });
    // Only paid accounts have webhooks.
    await system.database.db('records').update({ tier: 'watch' });
    await changeTheTable(client, sink.url);
    await readChanges(client);
    await readRows(client);
    await useKeys(client);
    await askTools(client);
    await useWebhooks(client);
    await until('every webhook is told', areTold);
    await deleteAll(client);
    const told = sink.deliveries.map(({ path, body }) => {
      const { timestamp, event } = JSON.parse(body);
      return {
        sortKey: `${path} ${timestamp} ${event}`,
        answer: { step: `webhook ${path}`, status: 0, text: body, isJson: false },
      };
    });
    // What is told at the same time comes in any order.
    const inOrder = told.toSorted((a, b) => a.sortKey.localeCompare(b.sortKey));
    return [...answers, ...inOrder.map(({ answer }) => answer)];
  } finally {
    await sink.close();
    await origin.close();
    await system.stop();
  }
}

const rows = (ids: readonly number[], price: (id: number) => string): string =>
  ids.map((id) => `${id},Thing ${id},${price(id)}\n`).join('');
const idsTo = (last: number): number[] => [...Array(last).keys()].map((index) => index + 1);

const BODIES = {
  first: `id,name,price\n${rows([1, 2, 3], (id) => `${id}.50`)}`,
  changed: `id,name,price\n${rows([2, 3, 4], (id) => (id === 2 ? '9.99' : `${id}.50`))}`,
  /** More new rows than a webhook names. */
  longer: `id,name,price\n${rows(idsTo(150), (id) => `${id}.50`)}`,
  widened: `id,name,price,stock\n${idsTo(150).map((id) => `${id},Thing ${id},${id}.50,${id * 2}\n`).join('')}`, // prettier-ignore
};

const HOOKS = '/v1/sources/prices/webhooks';

async function changeTheTable({ ask, check }: Client, sinkUrl: string): Promise<void> {
  await ask('create a webhook', 'POST', HOOKS, { body: { url: `${sinkUrl}/default` } });
  const secret = `whsec_${Buffer.alloc(24, 7).toString('base64')}`;
  await ask('create a webhook with a secret for all news', 'POST', HOOKS, {
    body: {
      url: `${sinkUrl}/news`,
      secret,
      eventTypes: ['delta', 'check.failed', 'check.recovered', 'schema.changed'],
    },
  });
  await check('rows change', BODIES.changed);
  await check('nothing changes', BODIES.changed);
  await check('many rows are new', BODIES.longer);
  await check('the origin fails', 500);
  await check('the origin fails again', 500);
  await check('a column is new, and the origin has recovered', BODIES.widened);
  await check('most rows are gone', BODIES.first);
  await check('they are back', BODIES.widened);
}

async function readChanges({ ask }: Client): Promise<void> {
  await ask('list records', 'GET', '/v1/sources');
  const { id } = await ask('read the record', 'GET', '/v1/sources/prices');
  await ask('list checks', 'GET', `/v1/sources/${id}/checks`);
  await ask('the latest event', 'GET', `/v1/sources/${id}/delta/latest`);
  const { events } = await ask('list events', 'GET', `/v1/sources/${id}/delta`);
  const page = await ask('list events by two', 'GET', `/v1/sources/${id}/delta?limit=2`);
  await ask('the next two', 'GET', `/v1/sources/${id}/delta?limit=2&cursor=${page.nextCursor}`);
  const first = events.at(-1).id;
  await ask('events since the first', 'GET', `/v1/sources/${id}/delta?since=${first}`);
  await ask('events since tomorrow', 'GET', `/v1/sources/${id}/delta?since=2999-01-01`);
  const changed = events.at(-2).id;
  await ask('one event', 'GET', `/v1/sources/${id}/delta/${changed}`);
  await ask('rows of an event', 'GET', `/v1/sources/${id}/delta/${changed}/rows`);
  const some = await ask('two rows of an event', 'GET', `/v1/sources/${id}/delta/${changed}/rows?limit=2`);
  await ask('the other rows', 'GET', `/v1/sources/${id}/delta/${changed}/rows?cursor=${some.nextCursor}`);
  await ask('an unknown event', 'GET', `/v1/sources/${id}/delta/evt_${'0'.repeat(32)}/rows`);
  await ask('too many events', 'GET', `/v1/sources/${id}/delta?limit=201`);
}

async function readRows({ ask }: Client): Promise<void> {
  const { snapshots } = await ask('list snapshots', 'GET', '/v1/sources/prices/snapshots');
  const page = await ask('one snapshot of many', 'GET', '/v1/sources/prices/snapshots?limit=1');
  await ask('the next one', 'GET', `/v1/sources/prices/snapshots?limit=1&cursor=${page.nextCursor}`);
  const some = await ask('rows of the latest snapshot', 'GET', '/v1/sources/prices/snapshot-rows');
  await ask('its next rows', 'GET', `/v1/sources/prices/snapshot-rows?limit=5&cursor=${some.nextCursor}`);
  const first = snapshots.at(-1).id;
  await ask('a snapshot', 'GET', `/v1/sources/prices/snapshots/${first}`);
  await ask('rows of a snapshot', 'GET', `/v1/sources/prices/snapshots/${first}/rows`);
  await ask('a row over time', 'GET', '/v1/sources/prices/rows/2/history');
  for (const format of ['csv', 'jsonl']) {
    await ask(
      `a snapshot as ${format}`,
      'GET',
      `/v1/sources/prices/snapshots/${first}/download?format=${format}`,
    );
  }
}

async function useKeys({ ask }: Client): Promise<void> {
  const full = await ask('create a key', 'POST', '/v1/apikeys', { body: { name: 'All', scope: 'full' } });
  const own = await ask('create a key of the record', 'POST', '/v1/sources/prices/apikeys', {
    body: { name: 'One', scope: 'read' },
  });
  await ask('records by the key of one', 'GET', '/v1/sources', { key: own.key });
  await ask('its latest event', 'GET', '/v1/sources/prices/delta/latest', { key: own.key });
  await ask('a change by a key that reads', 'PATCH', '/v1/sources/prices', {
    key: own.key,
    body: { name: 'No' },
  });
  await ask('list keys', 'GET', '/v1/apikeys');
  await ask('revoke a key', 'DELETE', `/v1/apikeys/${full.id}`);
  await ask('a call by a revoked key', 'GET', '/v1/sources', { key: full.key });
  await ask('revoke the key of the record', 'DELETE', `/v1/sources/prices/apikeys/${own.id}`);
  await ask('usage', 'GET', '/v1/usage');
  await ask('an unknown record', 'GET', '/v1/sources/nothing-here');
}

async function askTools({ tool, ask, answers }: Client): Promise<void> {
  const source = 'prices';
  const { snapshots } = JSON.parse(answers.find(({ step }) => step === 'list snapshots')?.text ?? '');
  await tool('list_sources', {});
  await tool('get_source', { source });
  await tool('list_deltas', { source });
  await tool('get_latest_delta', { source });
  await tool('get_delta_rows', { source, limit: 5 });
  await tool('list_snapshots', { source });
  await tool('describe_snapshot', { source });
  await tool('query_snapshot', {
    source,
    measures: [{ measure: 'count' }, { measure: 'max', column: 'price' }],
  });
  await tool('compare_snapshots', { source, from: snapshots.at(-1).id });
  await tool('get_snapshot_rows', { source, limit: 3 });
  await tool('get_row_history', { source, key: '2' });
  await tool('summarize_changes', { source, since: '2000-01-01' });
  await tool('get_download_link', { source, format: 'csv' });
  await tool('update_source', { source, name: 'Prices of things' });
  await tool('check_source', { source });
  await tool('get_source', { source: 'nothing-here' });
  await tool('list_deltas', { source, limit: 0 });
  await ask('the renamed record', 'GET', '/v1/sources/prices');
}

async function useWebhooks({ ask }: Client): Promise<void> {
  const { webhooks } = await ask('list webhooks', 'GET', HOOKS);
  const [{ id }] = webhooks;
  await ask('disable a webhook', 'PATCH', `${HOOKS}/${id}`, { body: { enabled: false } });
  await ask('enable it', 'PATCH', `${HOOKS}/${id}`, { body: { enabled: true } });
  await ask('its deliveries', 'GET', `${HOOKS}/${id}/deliveries`);
  await ask('a webhook without a URL', 'POST', HOOKS, { body: { secret: 'short' } });
  await ask('test a webhook', 'POST', `${HOOKS}/${id}/test`);
}

async function deleteAll({ ask }: Client): Promise<void> {
  const { webhooks } = await ask('list webhooks again', 'GET', HOOKS);
  await ask('delete a webhook', 'DELETE', `${HOOKS}/${webhooks[0].id}`);
  await ask('delete the record', 'DELETE', '/v1/sources/prices');
}
