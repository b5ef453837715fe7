// The whole product for one test file: a database, a Temporal namespace, an account key, and API and worker as processes that
// a test can kill.
import { randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readLogFrom } from '../../../cli/process/log-file.ts';
import { awaitReady, type Child, startChild } from '../../../cli/process/start-child.ts';
import { seedAccount } from '../../../cli/start/seed-demo.ts';
import { parseConfig } from '../../../core/config.ts';
import { requireAsDeclared } from '../api/answers-of-processes.ts';
import { createTestDatabase, type TestDatabase } from './database.ts';
import { PROGRAMS } from './programs.ts';
import { startTcpProxy, type TcpProxy } from './tcp-proxy.ts';
import { openTemporal, type TestTemporal } from './temporal.ts';
import { LIVENESS_MS, until } from '../until.ts';
import { copyWorkflowBundle } from '../checks/workflow-bundle.ts';

export interface System {
  database: TestDatabase;
  temporal: TestTemporal;
  accountId: string;
  /** Settings of the processes. */
  env: Readonly<Record<string, string>>;
  apiKey: string;
  /** RECORDWATCH_HOME, which contains the mails, because there is no mail server. */
  home: string;
  /** Calls the API with the account's key; the path begins with /v1. */
  call: (method: string, path: string, body?: unknown, headers?: Record<string, string>) => Promise<Answer>;
  start: (name: ProcessName) => Promise<void>;
  /** Ends a process with SIGKILL. Resolves when it is gone. */
  kill: (name: ProcessName) => Promise<void>;
  isRunning: (name: ProcessName) => boolean;
  pidOf: (name: ProcessName) => number | undefined;
  /** Between the processes and Temporal. While it is paused, they cannot reach Temporal. */
  proxy: TcpProxy;
  /** Everything that API and worker logged. */
  logs: () => string;
  stop: () => Promise<void>;
}

export interface Answer {
  status: number;
  headers: Headers;
  body: { [field: string]: unknown };
  text: string;
}

type ProcessName = 'api' | 'worker';

/** Make intervals, retries and grace periods short, and let tests reach servers on this machine. */
export const QUICK_SETTINGS: Readonly<Record<string, string>> = {
  ALLOW_ADDRESSES: '127.0.0.0/8,::1/128',
  ANONYMOUS_ADDRESSES: '127.0.0.0/8,::1/128',
  TEMPORAL_FAIRNESS: 'true',
  MIN_CHECK_SECONDS: '0.05',
  HELD_RECHECK_SECONDS: '0.2',
  RECONCILE_GRACE_SECONDS: '0.5',
  DELIVERY_SCHEDULE: '50ms,100ms,150ms,200ms,250ms,300ms,350ms,400ms,450ms',
  // Many records of a test share an origin.
  ORIGIN_CONCURRENCY: '1000',
  ORIGIN_SPACING_SECONDS: '0',
  // Tests send far more requests than the limits allow.
  RATE_LIMIT_FACTOR: '1000',
  SHUTDOWN_DELAY_SECONDS: '0',
  PORT: '0',
  BASE_URL: 'http://recordwatch.test',
};

/**
 * @param settings in addition to those that make intervals, retries and grace periods short
 * @param servers in place of those that the test files share
 * @param own settings of one process
 */
export async function startSystem(
  settings: Record<string, string> = {},
  servers?: { temporal: TestTemporal; database: TestDatabase },
  own: Partial<Record<ProcessName, Record<string, string>>> = {},
): Promise<System> {
  const temporal = servers?.temporal ?? (await openTemporal());
  const proxy = await startTcpProxy(temporal.address);
  const database = servers?.database ?? (await createTestDatabase());
  const home = mkdtempSync(join(tmpdir(), 'recordwatch-e2e-'));
  await copyWorkflowBundle(home);
  const env = {
    DATABASE_URL: database.url,
    TEMPORAL_ADDRESS: proxy.address,
    TEMPORAL_NAMESPACE: temporal.namespace,
    RECORDWATCH_HOME: home,
    KEY_ENCRYPTION_KEYS: `test:${randomBytes(32).toString('base64')}`,
    ...QUICK_SETTINGS,
    ...settings,
  };
  const { keyEncryptionKeys } = parseConfig(env);
  const { accountId, apiKey } = await seedAccount(database.db, keyEncryptionKeys);
  const children = new Map<ProcessName, Child>();
  let baseUrl = '';

  const start = async (name: ProcessName): Promise<void> => {
    const child = await startChild({
      name,
      command: process.execPath,
      args: [PROGRAMS[name].path],
      // Passes nothing else of the test runner's environment, because Vitest sets its own BASE_URL.
      env: {
        PATH: process.env['PATH'],
        NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'],
        ...env,
        ...own[name],
      },
      logFile: join(home, `${name}.log`),
    });
    const ready = () => readLogFrom(child.logFile, child.logStart).split('\n').find(isReadyLine);
    await awaitReady(child, () => ready() !== undefined, {
      what: `${name} is ready`,
      timeoutMs: LIVENESS_MS,
    });
    if (name === 'api') ({ url: baseUrl } = JSON.parse(ready() ?? '') as { url: string });
    children.set(name, child);
  };

  const logs = (): string =>
    [...children.values()].map(({ logFile }) => readFileSync(logFile, 'utf8')).join('');

  await Promise.all([start('worker'), start('api')]);
  return {
    database,
    temporal,
    accountId,
    env,
    apiKey,
    home,
    proxy,
    start,
    logs,
    call: (method, path, body, headers) => call(`${baseUrl}${path}`, apiKey, method, body, headers),
    kill: async (name) => {
      const child = children.get(name);
      if (child === undefined) throw new Error(`${name} does not run`);
      process.kill(-child.pid, 'SIGKILL');
      await child.ended;
    },
    isRunning: (name) => isAlive(children.get(name)?.pid),
    pidOf: (name) => children.get(name)?.pid,
    stop: async () => {
      await Promise.all([...children.values()].map((child) => child.stop()));
      await proxy.close();
      await temporal.connection.close();
      await database.drop();
      rmSync(home, { recursive: true, force: true });
    },
  };
}

function isAlive(pid: number | undefined): boolean {
  if (pid === undefined) return false;
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

const isReadyLine = (line: string): boolean => line.includes('"msg":"ready"');

async function call(
  url: string,
  apiKey: string,
  method: string,
  body: unknown,
  headers: Record<string, string> = {},
): Promise<Answer> {
  const response = await fetch(url, {
    method,
    headers: {
      authorization: `Bearer ${apiKey}`,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  requireAsDeclared(method, url, response, text);
  return {
    status: response.status,
    headers: response.headers,
    text,
    body: text === '' ? {} : JSON.parse(text),
  };
}

/** All items of a list, page after page, oldest first where the list has an order. */
export async function readAll<Item>(
  system: Pick<System, 'call'>,
  path: string,
  key: string,
): Promise<Item[]> {
  const items: Item[] = [];
  let cursor: string | null = null;
  do {
    const next: string = cursor === null ? path : `${path}${path.includes('?') ? '&' : '?'}cursor=${cursor}`;
    const { status, body } = await system.call('GET', next);
    if (status !== 200) throw new Error(`GET ${next} answered ${status}: ${JSON.stringify(body)}`);
    items.push(...(body[key] as Item[]));
    cursor = body['nextCursor'] as string | null;
  } while (cursor !== null);
  return items;
}

export interface CheckView {
  id: string;
  number: number;
  trigger: string;
  startedAt: string;
  outcome: string;
  rows: number | null;
  httpStatus: number | null;
  error: { code: string; detail: string } | null;
  warnings: { code: string; count: number }[];
}

/** Requests a check and waits until it is done. */
export async function checkAndWait(system: System, recordId: string): Promise<CheckView> {
  const ask = () => system.call('POST', `/v1/sources/${recordId}/check`, undefined, { prefer: 'wait=30' });
  // The worker of a loaded machine may not accept it in time.
  const { status, body, text } = await until('a worker accepts the check', async () => {
    const answer = await ask();
    return answer.body['code'] !== 'unavailable' && answer;
  });
  // The API waits at most 30 seconds.
  if (status === 202) return untilCheck(system, recordId, 'the check is done', ({ id }) => id === body['id']);
  if (status !== 200) throw new Error(`The check was not done: ${status} ${text}`);
  return body as unknown as CheckView;
}

/** Creates a record that is checked only when asked, and waits for its first check. */
export async function createRecord(
  system: Pick<System, 'call'> & { database: Pick<TestDatabase, 'db'> },
  settings: Record<string, unknown>,
): Promise<Record<string, unknown> & { id: string }> {
  const { status, body, text } = await system.call(
    'POST',
    '/v1/sources',
    { checkIntervalMinutes: 1_000, ...settings },
    { prefer: 'wait=30' },
  );
  if (status !== 201) throw new Error(`The record was not created: ${status} ${text}`);
  const record = body as unknown as Record<string, unknown> & { id: string };
  // The API waits at most 30 seconds.
  await untilCheck(system, record.id, 'the first check is done', () => true);
  // Only paid accounts have webhooks.
  await system.database.db('records').where({ id: record.id }).update({ tier: 'watch' });
  return record;
}

export const untilCheck = (
  system: Pick<System, 'call'>,
  recordId: string,
  what: string,
  isIt: (check: CheckView) => boolean,
) =>
  until(what, async () =>
    (await readAll<CheckView>(system, `/v1/sources/${recordId}/checks`, 'checks')).find(isIt),
  );
