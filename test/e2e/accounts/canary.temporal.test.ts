// Puts unique secrets wherever a caller can put one, calls every operation, and then searches everything that the system
// wrote or sent. None of the secrets may be there.
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { OPERATIONS } from '../../../api/operations.ts';
import { parseConfig } from '../../../core/config.ts';
import { unwrapDataKey } from '../../../core/crypto/envelope.ts';
import {
  type Collected,
  createCaller,
  type CollectingCaller,
  type Sent,
} from '../../support/api/collecting-caller.ts';
import {
  type EchoingOrigin,
  FAILING_PATHS,
  startEchoingOrigin,
} from '../../support/servers/echoing-origin.ts';
import { createKey } from '../../support/rows/factories.ts';
import { freePort } from '../../support/servers/free-port.ts';
import { connectNewClient } from '../../support/api/oauth-browser.ts';
import { logInProgram } from '../../support/api/log-in-program.ts';
import { CREDENTIALS, KINDS, LEAK, MARK, printable, visible } from '../../support/api/marked-secrets.ts';
import { findSecrets } from '../../support/api/secret-forms.ts';
import { dumpDatabase, readDatabaseLog, readFolder, readWorkflows } from '../../support/api/secret-texts.ts';
import { startSystem, type System } from '../../support/servers/system.ts';
import { forEachOf } from '../../support/for-each-of.ts';
import { until } from '../../support/until.ts';
import { startSink, type WebhookSink } from '../../support/servers/webhook-sink.ts';

const KEK = randomBytes(32);

const home = mkdtempSync(join(tmpdir(), 'recordwatch-canary-'));
const port = await freePort();
/** The address of the API for browsers and OAuth clients as well. */
const baseUrl = `http://127.0.0.1:${port}`;
const settings = {
  PORT: String(port),
  BASE_URL: baseUrl,
  RECORDWATCH_HOME: home,
  KEY_ENCRYPTION_KEYS: `canary:${KEK.toString('base64')}`,
  LOG_LEVEL: 'debug',
};

let system: System;
let origin: EchoingOrigin;
let sink: WebhookSink;
let caller: CollectingCaller;
let full = '';
let texts: Record<string, string>;
let secrets: (string | Buffer)[];

const authOf = (authType: string, label: string): Record<string, string> => ({
  authType,
  ...CREDENTIALS[authType]?.(`${authType}-${label}`.replaceAll(/[^\w-]/g, '-')),
});

/** Calls with the account's key unless another is given. */
const call = (method: string, path: string, sent: Partial<Sent> = {}) =>
  caller.call(method, path, { key: full, ...sent });

const WAIT = { prefer: 'wait=30' };

async function watch(path: string, more: Record<string, unknown> = {}): Promise<string> {
  const url = path.startsWith('http') ? path : origin.url + path;
  const { status, body } = await call('POST', '/v1/sources', {
    body: { url, checkIntervalMinutes: 1_000, ...more },
    headers: WAIT,
  });
  expect({ status, body }).toMatchObject({ status: 201 });
  return body.id;
}

const outcomeOf = async (id: string): Promise<string> =>
  (await call('GET', `/v1/sources/${id}/checks`)).body.checks[0]?.outcome;

beforeAll(async () => {
  [system, origin, sink] = await Promise.all([startSystem(settings), startEchoingOrigin(), startSink()]);
  caller = createCaller(baseUrl);
  ({ value: full } = await createKey(system.database.db, system.accountId, 'full'));
  const first = await watch('/good.csv', { name: LEAK });
  await system.database.db('records').where({ id: first }).update({ tier: 'max' });
  const keys = await makeKeys(first);
  await useSourceCredentials();
  await misuseFields(first, keys);
  await misplaceSecrets(first, keys);
  await deliver(first);
  const snapshots = await readEverything(first, keys);
  await decideOnChecks(first);
  await connectClient();
  await logInProgram(caller, full);
  await useSessions(first, snapshots);
  await plant(first);
  secrets = [MARK, KEK, ...caller.shown, full, ...(await otherSecrets())];
  texts = await collect();
});

afterAll(async () => {
  await Promise.all([origin.close(), sink.close()]);
  await system.stop();
  rmSync(home, { recursive: true, force: true });
});

interface Keys {
  /** Keys that are valid. */
  working: string[];
  revoked: string;
}

async function makeKeys(id: string): Promise<Keys> {
  const make = async (path: string, scope: string): Promise<{ id: string; key: string }> => {
    const sent = { body: { name: 'canary', scope }, shows: ['key'] };
    const headers = { 'idempotency-key': `${visible(`retry-${caller.shown.length}`)}${full}` };
    const { status, body } = await call('POST', path, { ...sent, headers });
    expect(status).toBe(201);
    await call('POST', path, { ...sent, headers });
    return body;
  };
  const made = [];
  for (const scope of ['full', 'read', 'download', 'feed']) made.push(await make('/v1/apikeys', scope));
  const path = `/v1/sources/${id}/apikeys`;
  for (const scope of ['read', 'download', 'feed']) made.push(await make(path, scope));
  const [revoked, ofRecord] = [await make('/v1/apikeys', 'read'), await make(path, 'read')];
  await call('DELETE', `/v1/apikeys/${revoked.id}`);
  await call('DELETE', `${path}/${ofRecord.id}`);
  return { working: made.map(({ key }) => key), revoked: revoked.key };
}

/** Uses all five kinds: at an origin that accepts them, at origins that echo them, and by PATCH. */
async function useSourceCredentials(): Promise<void> {
  const outcomes: Record<string, string> = {};
  const paths = ['/good.csv', '/away.csv', '/echo-headers.csv', 'http://nobody.invalid/', ...FAILING_PATHS];
  const pairs = KINDS.flatMap((kind) => paths.map((path) => ({ kind, path })));
  await forEachOf(pairs, async ({ kind, path }) => {
    const id = await watch(path, authOf(kind, `at-${path}`));
    outcomes[`${kind} ${path}`] = await outcomeOf(id);
    if (path !== '/good.csv' && path !== '/echo-401') return;
    for (const next of KINDS) await call('PATCH', `/v1/sources/${id}`, { body: authOf(next, 'patched') });
    await call('PATCH', `/v1/sources/${id}`, { body: authOf(kind, 'in-the-end') });
    await call('POST', `/v1/sources/${id}/check`, { headers: WAIT });
    // Moves the record to another origin without sending the secret.
    await call('PATCH', `/v1/sources/${id}`, { body: { url: `${origin.foreign.url}/landing.csv` } });
    if (path === '/echo-401') await call('DELETE', `/v1/sources/${id}`);
  });
  const expected = pairs.map(({ kind, path }) => [
    `${kind} ${path}`,
    /^\/(good|away|echo-headers)/.test(path) ? 'unchanged' : 'failed',
  ]);
  expect(outcomes).toEqual(Object.fromEntries(expected));
}

/** Sends secrets in their own fields, in requests with other faults. */
async function misuseFields(id: string, { working: [key = ''] }: Keys): Promise<void> {
  const secret = visible('misused');
  const bodies: unknown[] = Object.entries(CREDENTIALS).flatMap(([kind, make]) => {
    const fields = make('misused');
    if (kind === 'none') return [];
    return [
      fields,
      { authType: 'none', ...fields },
      ...Object.entries(fields).flatMap(([name, value]) => [
        { authType: kind, [name]: value, [kind === 'basic' ? 'authToken' : 'authPassword']: value },
        ...[[value], { value }, `${value}\n`, `${value}\0:`, value.padEnd(9_000, value)].map((wrong) => ({
          authType: kind,
          ...fields,
          [name]: wrong,
        })),
      ]),
    ];
  });
  bodies.push(
    ...['authType', 'format', 'delimiter', 'slug', 'checkIntervalMinutes', 'keyFields'].map((name) => ({
      [name]: secret,
    })),
    ...['https://user:', 'https://', 'ftp://', '', 'http://10.0.0.1/'].map((before) => ({
      url: `${before}${MARK}@example.com/`,
    })),
    secret,
    [secret],
  );
  const raw = [`{"authToken":"${MARK}"`, `authToken=${MARK}`, Buffer.from(`"${MARK}\xff"`, 'latin1')];
  await forEachOf(['POST /v1/sources', 'POST /v1/sessions', `PATCH /v1/sources/${id}`], async (route) => {
    const [method = '', path = ''] = route.split(' ');
    for (const body of bodies) {
      const object = typeof body === 'object' && !Array.isArray(body);
      const { status } = await call(method, path, {
        body: object && method === 'POST' ? { url: `${origin.url}/good.csv`, ...body } : body,
      });
      expect({ body, isRefused: [400, 415, 422, 429].includes(status) }).toMatchObject({ isRefused: true });
    }
    for (const bytes of raw) await call(method, path, { raw: bytes });
    await call(method, path, { raw: `authToken=${MARK}`, headers: { 'content-type': `text/${MARK}` } });
    await call(method, path, { raw: `"${MARK}"`, headers: { 'content-encoding': MARK } });
  });
  const hooks = `/v1/sources/${id}/webhooks`;
  for (const wrong of [`whsec_${MARK}!`, [MARK], { MARK }, 'x'.repeat(9_000) + MARK]) {
    await call('POST', hooks, { body: { url: sink.url, secret: wrong } });
  }
  await call('POST', hooks, { body: { url: `http://${MARK}@example.com`, secret } });
  for (const token of [MARK, key, [MARK], `cat_eph_${'0'.repeat(36)}${MARK}`]) {
    await call('POST', '/v1/sources/self/keep', { body: { token } });
  }
}

/** Sends secrets where none belong: in paths, queries, headers and malformed requests. */
async function misplaceSecrets(id: string, { working, revoked }: Keys): Promise<void> {
  const tokens = [...working, revoked, full];
  const [first = ''] = tokens;
  await forEachOf([...tokens, ...tokens.map((token) => `${token.slice(0, -1)}_`), MARK], async (token) => {
    for (const path of [
      `/v1/sources?token=${token}&authToken=${token}`,
      `/v1/sources/${id}/delta?limit=${token}&since=${token}`,
      `/v1/sources/${id}/snapshot-rows?cursor=${token}`,
      `/v1/downloads?token=${token}`,
      `/v1/events.atom?token=${token}`,
      `/v1/mcp?token=${token}`,
      `/v1/sources/${token}`,
      `/v1/sources/${id}/rows/${token}`,
      `/v1/sources/${id}/delta/${token}`,
      `/v1/${token}`,
      `/${token.replaceAll('_', '%5f')}`,
      `/docs/${token}`,
      `/v1/sources/${token}%`,
    ]) {
      await call('GET', path);
    }
    for (const authorization of [
      `Basic ${btoa(token)}`,
      token,
      `Bearer ${token} ${token}`,
      `Bearer ${MARK}`,
    ]) {
      await call('GET', '/v1/sources', { key: null, headers: { authorization } });
    }
  });
  for (const name of [
    'accept-encoding',
    'content-type',
    'cookie',
    'if-none-match',
    'origin',
    'prefer',
    'range',
  ]) {
    await call('GET', '/v1/sources', { headers: { [name]: MARK } });
  }
  for (const name of ['x-api-key', 'x-forwarded-for', 'x-request-id']) {
    await call('GET', '/v1/sources', { headers: { [name]: visible(name) } });
  }
  await call('GET', '/v1/sources', { key: revoked });
  for (const bytes of [
    `GET /${MARK} HTTP/9.9\r\n\r\n`,
    `${MARK}\r\n\r\n`,
    `GET /v1/sources HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${first}\r\n${MARK} : x\r\n\r\n`,
    `GET /v1/sources HTTP/1.1\r\nHost: x\r\nX: ${MARK.repeat(1_000)}\r\n\r\n`,
    `POST /v1/sources HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${full}\r\nContent-Type: application/json\r\n` +
      `Content-Length: 900\r\n\r\n{"authToken":"${MARK}"`,
  ]) {
    await caller.sendBytes(bytes);
  }
}

/** Uses given and generated secrets with an endpoint that echoes each request, at first with an error. */
async function deliver(id: string): Promise<void> {
  sink.respondWith(({ headers, body }, index) => ({
    status: index < 4 ? 500 : 200,
    body: JSON.stringify({ headers, body }),
  }));
  const paths = [`/v1/sources/${id}/webhooks`, '/v1/webhooks'];
  const base64 = Buffer.from(`${MARK}-webhook-in-base64`).toString('base64');
  for (const path of paths) {
    for (const secret of [printable('webhook'), `whsec_${base64}`, undefined]) {
      const headers = { 'idempotency-key': `${MARK}-webhook-${path.length}-${secret?.length}` };
      const body = { url: sink.url, ...(secret === undefined ? {} : { secret }) };
      await call('POST', path, { body, headers, shows: ['secret'] });
      await call('POST', path, { body, headers });
    }
  }
  origin.setRows(`id,price\n1,11\n${LEAK},12\n`);
  await call('POST', `/v1/sources/${id}/check`, { headers: WAIT });
  const isOver = async () =>
    (await system.database.db('deliveries').where({ status: 'delivered' })).length === 6;
  await until('all deliveries are made', isOver);
  for (const path of paths) await useWebhooks(path);
}

async function useWebhooks(path: string): Promise<void> {
  const { body } = await call('GET', path);
  expect(body.count).toBe(3);
  const [{ id: webhookId } = { id: '' }] = body.webhooks as { id: string }[];
  const one = `${path}/${webhookId}`;
  await call('GET', one);
  const { body: listed } = await call('GET', `${one}/deliveries`);
  const delivery = `${one}/deliveries/${listed.deliveries[0].id}`;
  await call('GET', delivery);
  await call('POST', `${delivery}/redeliver`, { headers: WAIT });
  await call('POST', `${one}/rotate-secret`, { body: {}, shows: ['secret'] });
  await call('POST', `${one}/rotate-secret`, { body: { secret: printable('rotated') }, shows: ['secret'] });
  await call('POST', `${one}/test`, { body: {}, headers: WAIT });
  await call('POST', `${one}/recover`, { body: { since: '2020-01-01T00:00:00Z' } });
  await call('PATCH', one, { body: { enabled: false } });
  await call('DELETE', one);
}

/** Makes two sharp drops, accepts one and rejects the other. */
async function decideOnChecks(id: string): Promise<void> {
  const of = `/v1/sources/${id}`;
  const check = async (rows: number): Promise<Collected> => {
    origin.setRows(`id,price\n${LEAK},1\n${Array.from({ length: rows }, (_, at) => `${at},1\n`).join('')}`);
    return call('POST', `${of}/check`, { headers: WAIT });
  };
  for (const decision of ['accept', 'reject']) {
    await check(40);
    const { body } = await check(2);
    expect(body.outcome).toBe('held');
    await call('GET', `${of}/checks/${body.id}`);
    await call('POST', `${of}/checks/${body.id}/${decision}`, { body: {}, headers: WAIT });
  }
  const unsaved = { url: `${origin.url}/good.csv`, ...authOf('bearer', 'preview') };
  await call('POST', '/v1/previews', { body: unsaved });
  await call('POST', `${of}/preview`, { body: { keyFields: ['id'] } });
  await call('POST', `${of}/preview/events`, { body: { rules: { price: { as: 'number' } } } });
  await call('POST', `${of}/preview/condition`, { body: { condition: { '>': [{ var: 'newCount' }, 1] } } });
  await call('POST', '/v1/webhooks/preview/condition', { body: {} });
  await call('GET', `${of}/snapshots/latest/sample`);
}

/** Connects a client through OAuth, calls a tool, and disconnects the client. */
async function connectClient(): Promise<void> {
  const tokens = await connectNewClient(baseUrl, { key: full, scope: 'read' });
  caller.shown.push(tokens.access_token, tokens.refresh_token);
  await call('POST', '/v1/mcp', {
    key: tokens.access_token,
    headers: { accept: 'application/json, text/event-stream' },
    body: { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'list_sources', arguments: {} } },
  });
  const { body } = await call('GET', '/v1/connectedclients');
  await call('DELETE', `/v1/connectedclients/${body.connectedClients[0].id}`);
}

/** Calls every operation that reads, with each key. @returns the ids of the snapshots, latest first */
async function readEverything(id: string, { working }: Keys): Promise<string[]> {
  const of = `/v1/sources/${id}`;
  const { body: latest } = await call('GET', `${of}/delta/latest`);
  const { body } = await call('GET', `${of}/snapshots`);
  const [to, from] = body.snapshots.map((snapshot: { id: string }) => snapshot.id);
  const event = `${of}/delta/${latest.id}`;
  await forEachOf([...working, full], async (key) => {
    for (const path of [
      ...[
        '',
        '/checks',
        '/delta',
        '/snapshots',
        '/snapshot-rows?search=1',
        '/webhooks',
        '/apikeys',
        '/activity',
      ].map((rest) => of + rest),
      ...['', '/rows', '/download', '/download?format=jsonl'].map((rest) => event + rest),
      ...['', '/rows', '/profile', '/download', '/download?format=jsonl'].map(
        (rest) => `${of}/snapshots/latest${rest}`,
      ),
      ...[`/rows/1`, '/rows/1/history', `/compare?from=${from}`, `/compare/rows?from=${from}`].map(
        (rest) => of + rest,
      ),
      ...[
        'sources',
        'events',
        'events.atom',
        'apikeys',
        'activity',
        'auditlog',
        'usage',
        'openapi.json',
        'sessions/self',
      ].map((rest) => `/v1/${rest}`),
      '/docs',
      '/readyz',
    ]) {
      await call('GET', path, { key });
    }
    await call('POST', `${of}/snapshots/${to}/query`, { key, body: { groupBy: ['price'] } });
    const link = await call('POST', `${of}/snapshots/${to}/download-links`, {
      key,
      body: {},
      shows: ['url'],
    });
    // A key for the Atom feed.
    if (link.status === 403) return;
    const { pathname, search } = new URL(link.body.url);
    caller.shown.push(search.slice('?token='.length));
    await call('GET', pathname + search, { key: null });
    await call('GET', `${pathname}${search.slice(0, -9)}AAAAAAAAA`, { key: null });
    await call('HEAD', pathname + search, { key: null });
  });
  await call('POST', `${of}/pause`, { body: {} });
  await call('POST', `${of}/resume`, { body: {} });
  return [to, from];
}

/** Uses sessions from creation to keeping, and one that is never kept. */
async function useSessions(id: string, [snapshot]: string[]): Promise<void> {
  const open = async (kind: string): Promise<{ token: string; id: string }> => {
    const { body } = await call('POST', '/v1/sessions', {
      key: null,
      body: { url: `${origin.url}/good.csv`, ...authOf(kind, 'of-a-session') },
      headers: { ...WAIT, 'idempotency-key': `${MARK}-session` },
      shows: ['token', 'mcpUrl'],
    });
    return { token: body.token, id: body.source.id };
  };
  for (const kind of KINDS) {
    const { token } = await open(kind);
    for (const path of [
      '/v1/sessions/self',
      '/v1/sources',
      '/v1/sources/self/snapshot-rows',
      `/v1/${token}`,
    ]) {
      await call('GET', path, { key: token });
    }
    await call('PATCH', '/v1/sources/self', { key: token, body: authOf(kind, 'patched-in-a-session') });
    await call('GET', `/v1/sources/${id}/snapshots/${snapshot}/download?token=${token}`, { key: token });
    if (kind === 'none') continue;
    const headers = { 'idempotency-key': `keep ${token}` };
    await call('POST', '/v1/sources/self/keep', { body: { token, slug: MARK }, headers });
    const kept = await call('POST', '/v1/sources/self/keep', { body: { token }, headers });
    expect(kept.status).toBe(200);
    await call('POST', '/v1/sources/self/keep', { body: { token }, headers });
    await call('POST', `/v1/sources/${kept.body.id}/check`, { headers: WAIT });
    await call('GET', '/v1/sources/self', { key: token });
  }
}

/** Puts LEAK into each searched text, by the paths that a secret would take. */
async function plant(id: string): Promise<void> {
  await call('GET', `/v1/sources/${id}`, { headers: { 'x-request-id': LEAK } });
  await fetch(`${origin.foreign.url}/?${LEAK}`);
  await system.database.db.raw(`select 1 / 0 as "${LEAK}"`).catch(() => undefined);
  await system.temporal.client.workflow.start('nothing', {
    workflowId: 'planted',
    taskQueue: 'nobody',
    args: [{ fine: LEAK }],
  });
  // A line is written when its request ends. Earlier lines are there by then.
  await until('the request is logged', () => system.logs().includes(LEAK));
}

/** The secrets of the installation, which no caller sent. */
async function otherSecrets(): Promise<(string | Buffer)[]> {
  const { keyEncryptionKeys } = parseConfig(settings);
  const accounts = await system.database.db('accounts').select('id', 'wrapped_data_key as wrapped');
  const dataKeys = accounts.map(({ id, wrapped }) => unwrapDataKey(keyEncryptionKeys, id, wrapped).key);
  return [...dataKeys, new URL(system.database.url).password];
}
async function collect(): Promise<Record<string, string>> {
  return {
    'logs of API and worker': system.logs(),
    'log of the database': await readDatabaseLog(system),
    database: await dumpDatabase(system),
    workflows: await readWorkflows(system),
    answers: caller.answers.join('\n'),
    exports: caller.files.join('\n'),
    deliveries: JSON.stringify(sink.deliveries),
    files: readFolder(home),
    'what another origin was sent': JSON.stringify(origin.foreign.requests),
  };
}

describe('a secret', () => {
  it.each([
    'logs of API and worker',
    'log of the database',
    'database',
    'workflows',
    'answers',
    'exports',
    'deliveries',
    'files',
    'what another origin was sent',
  ])('is not in: %s (where the search finds a planted value)', (source) => {
    const text = texts[source] ?? '';
    expect(findSecrets(text, [LEAK])).not.toEqual([]);
    expect(findSecrets(text, secrets)).toEqual([]);
  });

  it('was sent to every operation, and each answered and was counted for all API processes', async () => {
    expect(OPERATIONS.filter(({ name }) => !caller.succeeded.has(name))).toEqual([]);
    expect(caller.shown.length).toBeGreaterThan(20);
    await until('it was counted', () => system.database.db('rate_counts').first('points'));
  });
});
