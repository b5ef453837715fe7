// What API and worker log. Every line on standard output or standard error is JSON, even while PostgreSQL is away and
// libraries report errors.
import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../support/servers/database.ts';
import { createGate } from '../../support/gate.ts';
import { type Origin, startOrigin } from '../../support/servers/origin-server.ts';
import { createRecord, startSystem, type System, untilCheck } from '../../support/servers/system.ts';
import { startTcpProxy, type TcpProxy } from '../../support/servers/tcp-proxy.ts';
import { openTemporal } from '../../support/servers/temporal.ts';
import { until } from '../../support/until.ts';

const PROCESSES = ['api', 'worker'] as const;

let database: TestDatabase;
let system: System;
let origin: Origin;
let proxy: TcpProxy;
/** Settings of the next process that starts. */
const own: { api?: Record<string, string> } = {};

beforeAll(async () => {
  database = await createTestDatabase();
  const url = new URL(database.url);
  proxy = await startTcpProxy(url.host);
  url.host = proxy.address;
  system = await startSystem(
    { DATABASE_URL: url.href, DATABASE_PATIENCE_SECONDS: '12' },
    { temporal: await openTemporal(), database },
    own,
  );
  origin = await startOrigin();
});

afterAll(async () => {
  proxy.heal();
  proxy.sever();
  await origin.close();
  await system.stop();
  await proxy.close();
});

const logLines = (): string[] =>
  system
    .logs()
    .split('\n')
    .filter((line) => line !== '');

/** Whether knex has logged that it gets no connection. */
const hasNoConnection = (name: string): boolean =>
  logLines().some(
    (line) => line.includes(`"process":"${name}"`) && line.includes('"msg":"Acquire connection error'),
  );

async function end(name: (typeof PROCESSES)[number]): Promise<void> {
  process.kill(system.pidOf(name) ?? 0, 'SIGTERM');
  await until(`${name} has ended`, () => !system.isRunning(name));
}

it('keeps good answers to probes out of the log', async () => {
  for (const path of ['/healthz', '/readyz', '/v1/usage']) {
    expect((await system.call('GET', path)).status).toBe(200);
  }
  await until('the last request is logged', () => system.logs().includes('"path":"/v1/usage"'));
  expect(system.logs()).not.toMatch(/"path":"\/(healthz|readyz)"/);
});

it('says at its start which keys are missing', async () => {
  own.api = { KEY_ENCRYPTION_KEYS: `other:${randomBytes(32).toString('base64')}` };
  await end('api');
  await system.start('api');
  await until('the API reports it', () =>
    system.logs().includes('KEY_ENCRYPTION_KEYS does not open some data keys: at least 1 under test.'),
  );
  delete own.api;
  await end('api');
  await system.start('api');
});

it('regression: logs are JSON line by line while PostgreSQL is away', async () => {
  const body = 'id,name\n1,one\n';
  const gate = createGate();
  origin.set('/list.csv', { body });
  const { id } = await createRecord(system, { url: `${origin.url}/list.csv`, keyFields: ['id'] });
  const visits = origin.requests.length;
  origin.set('/list.csv', { body: `${body}2,two\n`, until: gate.wait() });
  const { status, body: check } = await system.call('POST', `/v1/sources/${id}/check`);
  expect(status).toBe(202);
  await until('the check asks the origin', () => origin.requests.length > visits);

  proxy.sever();
  proxy.silence({ newOnes: true });
  gate.open();
  expect((await system.call('GET', `/v1/sources/${id}`)).status).toBeGreaterThanOrEqual(500);
  await until('the worker gets no connection', () => hasNoConnection('worker'));
  await end('api');
  await expect(system.start('api')).rejects.toThrow('api ended unexpectedly');
  expect(hasNoConnection('api')).toBe(true);

  proxy.heal();
  proxy.sever();
  await system.start('api');
  await untilCheck(system, id, 'the check is done', (one) => one.id === check['id']);
  for (const name of PROCESSES) await end(name);
  const lines = logLines().map((line): { source?: string } => JSON.parse(line));
  // Lines from the console are marked. These must reach the logger directly.
  expect(lines.filter(({ source }) => source === 'console')).toEqual([]);
});
