// A worker whose code cannot replay the histories of an earlier version. Workflows that cannot continue are restarted from the
// state in PostgreSQL, and no check is lost or made twice.
import { execFile } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { diagnose } from '../../../cli/doctor/doctor.ts';
import { parseConfig } from '../../../core/config.ts';
import { retryDeliveryId, SCHEDULE_IDS, watchRecordId } from '../../../workflows/contract.ts';
import { createGate } from '../../support/gate.ts';
import { type Origin, startOrigin } from '../../support/servers/origin-server.ts';
import { PROGRAMS } from '../../support/servers/programs.ts';
import {
  checkAndWait,
  type CheckView,
  createRecord,
  readAll,
  startSystem,
  type System,
} from '../../support/servers/system.ts';
import { until } from '../../support/until.ts';
import { startSink, type WebhookSink } from '../../support/servers/webhook-sink.ts';

/** The server marks a workflow after five failed tasks. It times out the later ones. */
const LONG = { everyMs: 500 };

let system: System;
let origin: Origin;
let sink: WebhookSink;

beforeAll(async () => {
  system = await startSystem({ DELIVERY_SCHEDULE: '50ms,5s,5s,5s,5s,5s,5s,5s,5s' });
  origin = await startOrigin();
  sink = await startSink();
});

afterAll(async () => {
  await sink.close();
  await origin.close();
  await system.stop();
});

const csv = (rows: number): string =>
  ['id,name', ...Array.from({ length: rows }, (_, i) => `${i},row ${i}`)].join('\n');

/** Restarts the worker with changed workflow code. @returns the previous code */
async function deploy(change: (code: string) => string): Promise<string> {
  await system.kill('worker');
  const folder = join(system.home, 'cache');
  const [name = ''] = readdirSync(folder).filter((file) => /^workflows-[0-9a-f]+\.js$/.test(file));
  const code = readFileSync(join(folder, name), 'utf8');
  const changed = change(code);
  expect(changed).not.toBe(code);
  writeFileSync(join(folder, name), changed);
  await system.start('worker');
  return code;
}

/** The code of a version that slept for a moment before each fetch and each attempt. */
const earlierVersion = (code: string): string =>
  code.replaceAll(
    /(?<before>let fetched = await fetchOnce\(input, \w+\);|const result = await \w+\.deliveries\.attemptDelivery\b)/g,
    'await (0,_temporalio_workflow__WEBPACK_IMPORTED_MODULE_0__.sleep)(1);\n$<before>',
  );

async function show(id: string): Promise<{ workflowProblem: string | null }> {
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [PROGRAMS.cli.path, 'record', 'show', id, '--json'],
    {
      env: {
        PATH: process.env['PATH'],
        DATABASE_URL: system.database.url,
        TEMPORAL_ADDRESS: system.temporal.address,
        TEMPORAL_NAMESPACE: system.temporal.namespace,
        KEY_ENCRYPTION_KEYS: `k1:${Buffer.alloc(32).toString('base64')}`,
      },
    },
  );
  return JSON.parse(stdout) as { workflowProblem: string | null };
}

const runIdOf = async (workflowId: string): Promise<string> =>
  (await system.temporal.client.workflow.getHandle(workflowId).describe()).runId;

const reconcile = () => system.temporal.client.schedule.getHandle(SCHEDULE_IDS.reconcile).trigger();

const changesOf = async (id: string) =>
  (
    await readAll<{ isNoChange: boolean; newCount: number }>(
      system,
      `/v1/sources/${id}/delta?order=asc`,
      'events',
    )
  )
    .filter(({ isNoChange }) => !isNoChange)
    .map(({ newCount }) => newCount);

it('regression: a workflow that cannot continue is restarted and makes the check that it promised', async () => {
  const code = await deploy(earlierVersion);
  origin.set('/feed.csv', { body: csv(30) });
  const { id } = await createRecord(system, { url: `${origin.url}/feed.csv`, keyFields: ['id'] });
  sink.respondWith(500);
  expect((await system.call('POST', `/v1/sources/${id}/webhooks`, { url: sink.url })).status).toBe(201);
  origin.set('/feed.csv', { body: csv(31) });
  await checkAndWait(system, id);
  await until('the delivery was tried twice', () => sink.deliveries.length === 2);
  const deliveryId = String(sink.deliveries[0]?.headers['webhook-id']);
  const gate = createGate();
  origin.set('/feed.csv', { body: csv(33), pauseUntil: gate.wait() });
  const seen = origin.requests.length;
  const { body: promised } = await system.call('POST', `/v1/sources/${id}/check`);
  await until('the promised check fetches', () => origin.requests.length > seen);
  const ids = [watchRecordId(id), retryDeliveryId(deliveryId)];
  const before = await Promise.all(ids.map(runIdOf));

  // Otherwise it could restart them before the operator looks.
  await system.temporal.client.schedule.getHandle(SCHEDULE_IDS.reconcile).pause();
  await deploy(() => code);
  gate.open();
  await until(
    'the operator is told',
    async () => /^it cannot continue: attempt.*TMPRL1100/.test((await show(id)).workflowProblem ?? ''),
    LONG,
  );
  await until(
    'doctor finds it',
    async () =>
      (await diagnose(parseConfig(system.env))).some(
        ({ check, level }) => check === 'stuck workflows' && level === 'problem',
      ),
    LONG,
  );
  expect(
    (await readAll<CheckView>(system, `/v1/sources/${id}/checks`, 'checks')).map((check) => check.id),
  ).not.toContain(promised['id']);
  sink.respondWith(200);
  await until(
    'both were started again',
    async () => {
      await reconcile();
      const now = await Promise.all(ids.map(runIdOf));
      return now.every((runId, index) => runId !== before[index]);
    },
    LONG,
  );
  const checks = await until('the promised check', async () => {
    const made = await readAll<CheckView>(system, `/v1/sources/${id}/checks`, 'checks');
    return made.some((check) => check.id === promised['id']) ? made : undefined;
  });
  expect(checks.find((check) => check.id === promised['id'])).toMatchObject({
    outcome: 'changed',
    trigger: 'manual',
  });
  expect(await changesOf(id)).toEqual([1, 2]);
  expect((await show(id)).workflowProblem).toBeNull();
  await until('what was owed is delivered', async () => {
    const statuses = await system.database.db('deliveries').where({ recordId: id }).pluck('status');
    return statuses.every((status) => status === 'delivered');
  });
  expect(system.logs()).toMatch(/"workflowId":"record\/src_[^\n]*TMPRL1100[^\n]*was restarted from/);
  const restarted = await system.temporal.client.workflow.getHandle(watchRecordId(id)).describe();
  expect(await restarted.staticSummary()).toMatch(new RegExp(` at ${new URL(origin.url).host}$`));
  // It continues normally.
  expect(await checkAndWait(system, id)).toMatchObject({ outcome: 'unchanged' });
}, 400_000);
