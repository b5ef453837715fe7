// The payload codec on the whole product: turned on while records are watched, its key changed and missing meanwhile, and what
// operators and Temporal's own tools see.
import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { promisify } from 'node:util';
import { historyFromJSON, historyToJSON } from '@temporalio/common/lib/proto-utils.js';
import proto from '@temporalio/proto';
import { Worker } from '@temporalio/worker';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { findTemporalServer } from '../../../cli/temporal/find-server.ts';
import { parseConfig } from '../../../core/config.ts';
import { sealingOptions } from '../../../outbound/payload-codec.ts';
import { SEALING_FAILURES } from '../../../worker/bundle.ts';
import { watchRecordId } from '../../../workflows/contract.ts';
import { freePort } from '../../support/servers/free-port.ts';
import { type Origin, startOrigin } from '../../support/servers/origin-server.ts';
import { runInProcess } from '../../support/servers/run-in-process.ts';
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
import { copyWorkflowBundle, sharedWorkflowBundle } from '../../support/checks/workflow-bundle.ts';
import { silenceRuntime } from '../../support/checks/workflow-worker.ts';

const TOKEN = randomBytes(20).toString('hex');
const newKey = (id: string): string => `${id}:${randomBytes(32).toString('base64')}`;
const [c1, c2] = [newKey('c1'), newKey('c2')];

let system: System;
let origin: Origin;
let sink: WebhookSink;
let codecAddress: string;
const settings: Record<string, string> = {};
/** Watched since before the codec. */
let record: { id: string };

beforeAll(async () => {
  origin = await startOrigin();
  sink = await startSink();
  system = await startSystem({}, undefined, { api: settings, worker: settings });
  await copyWorkflowBundle(system.home, true);
  codecAddress = `127.0.0.1:${await freePort()}`;
  origin.set('/plain.csv', { body: 'id\n1\n' });
  record = await createRecord(system, { url: `${origin.url}/plain.csv`, slug: 'plain-prices' });
});

afterAll(async () => {
  await system.stop();
  await sink.close();
  await origin.close();
});

/** Restarts API and worker with these keys. */
async function useKeys(keys: string): Promise<void> {
  Object.assign(settings, { TEMPORAL_CODEC_KEYS: keys });
  await Promise.all([system.kill('api'), system.kill('worker')]);
  await Promise.all([system.start('api'), system.start('worker')]);
}

const history = (workflowId: string) => system.temporal.client.workflow.getHandle(workflowId).fetchHistory();

/** Changes the file, and sees the change recorded. */
async function expectChange(path: string, id: string, body: string): Promise<void> {
  origin.set(path, { body });
  expect(await checkAndWait(system, id)).toMatchObject({ outcome: 'changed' });
}

/** Removes what Temporal itself works with: names of workflows and search attributes. */
function withoutOpenParts(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutOpenParts);
  if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value)) return value;
  const open = new Set(['workflowId', 'searchAttributes', 'firstExecutionRunId']);
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name]) => !open.has(name))
      .map(([name, inner]) => [name, withoutOpenParts(inner)]),
  );
}

/** The bytes that Temporal keeps of a history, without the parts above. */
async function keptBytes(workflowId: string): Promise<Buffer> {
  const kept = withoutOpenParts(await history(workflowId)) as object;
  return Buffer.from(proto.temporal.api.history.v1.History.encode(kept).finish());
}

/** Ids of the keys that sealed something in a history. */
async function keysIn(workflowId: string): Promise<Set<string>> {
  const text = historyToJSON(await history(workflowId));
  const ids = [...text.matchAll(/"encryption-key-id":\s*"([^"]+)"/g)];
  return new Set(ids.map(([, id = '']) => Buffer.from(id, 'base64').toString()));
}

it('a running workflow moves on when the codec is turned on', async () => {
  expect(await keysIn(watchRecordId(record.id))).toEqual(new Set());
  Object.assign(settings, { TEMPORAL_CODEC_ADDRESS: codecAddress, TEMPORAL_CODEC_TOKEN: TOKEN });
  await useKeys(c1);
  await expectChange('/plain.csv', record.id, 'id\n1\n2\n');
  expect(await keysIn(watchRecordId(record.id))).toEqual(new Set(['c1']));
});

it('its history, partly sealed, replays', async () => {
  silenceRuntime();
  const codePath = await sharedWorkflowBundle(true);
  const { dataConverter } = sealingOptions(parseConfig({ TEMPORAL_CODEC_KEYS: c1 }));
  const json: unknown = JSON.parse(historyToJSON(await history(watchRecordId(record.id))));
  const options = {
    workflowBundle: { codePath },
    dataConverter: { ...dataConverter, failureConverterPath: SEALING_FAILURES },
  };
  const replay = Worker.runReplayHistory(options, historyFromJSON(json), watchRecordId(record.id));
  await expect(replay).resolves.toBeUndefined();
});

it('histories hold no id, name, host or words of a record or a delivery', async () => {
  sink.respondWith(500);
  origin.set('/sealed.csv', { body: 'id\n1\n' });
  const sealed = await createRecord(system, { url: `${origin.url}/sealed.csv`, slug: 'sealed-prices' });
  const hook = { url: `${sink.url}/hook` };
  const { body: webhook } = await system.call('POST', `/v1/sources/${sealed.id}/webhooks`, hook);
  await expectChange('/sealed.csv', sealed.id, 'id\n1\n2\n');
  origin.set('/sealed.csv', { status: 404 });
  expect(await checkAndWait(system, sealed.id)).toMatchObject({ outcome: 'failed' });
  const path = `/v1/sources/${sealed.id}/webhooks/${String(webhook['id'])}/deliveries`;
  const deliveries = await until('a delivery failed', async () => {
    const all = await readAll<{ id: string; attemptCount: number }>(system, path, 'deliveries');
    return all.length > 0 && all.every(({ attemptCount }) => attemptCount > 1) && all;
  });
  const workflows = [watchRecordId(sealed.id), ...deliveries.map(({ id }) => `delivery/${id}`)];
  expect(workflows.length).toBeGreaterThan(1);
  const secrets = [
    sealed.id,
    sealed.id.slice(4),
    'sealed',
    origin.url,
    '127.0.0.1',
    'status 404',
    'rows',
    system.accountId,
    'src_',
    'chk_',
    'dlv_',
  ];
  for (const workflowId of workflows) {
    const bytes = await keptBytes(workflowId);
    expect(bytes.length).toBeGreaterThan(500);
    expect(secrets.filter((secret) => bytes.includes(secret))).toEqual([]);
  }
});

it('what a waiting poll found is sealed in Temporal, and shown to operators', async () => {
  const words = async (): Promise<string | null | undefined> => {
    const { raw } = await system.temporal.client.workflow.getHandle(watchRecordId(record.id)).describe();
    return raw.pendingActivities?.find(({ lastFailure }) => lastFailure)?.lastFailure?.message;
  };
  expect(await until('the poll waits', words)).toBe('Encoded failure');
  const env = { ...system.env, TEMPORAL_ADDRESS: system.temporal.address, TEMPORAL_CODEC_KEYS: c1 };
  const shown = await runInProcess(['record', 'show', record.id], env);
  expect(shown.stdout).toMatch(/Its poll +.*Next check at .+; attempt \d+/);
  const without = await runInProcess(['record', 'show', record.id], { ...env, TEMPORAL_CODEC_KEYS: '' });
  expect(without.stdout).toMatch(/Its problem +.*sealed with the key "c1": add it to TEMPORAL_CODEC_KEYS/);
});

it('Temporal’s CLI reads it by the codec server, and not without', async () => {
  const { path } = await findTemporalServer();
  const { address, namespace } = system.temporal;
  const show = async (...more: string[]): Promise<string> => {
    const where = ['--address', address, '--namespace', namespace, '--workflow-id', watchRecordId(record.id)];
    const { stdout } = await promisify(execFile)(path, [
      'workflow',
      'show',
      '--output',
      'json',
      ...where,
      ...more,
    ]);
    return stdout;
  };
  const sealed = Buffer.from('binary/encrypted').toString('base64');
  expect(await show()).toContain(sealed);
  const opened = await show('--codec-endpoint', `http://${codecAddress}`, '--codec-auth', `Bearer ${TOKEN}`);
  expect(opened).not.toContain(sealed);
  expect(opened).toContain('EVENT_TYPE_ACTIVITY_TASK_COMPLETED');
});

it('the key changes while the workflow runs', async () => {
  await useKeys(`${c2},${c1}`);
  await expectChange('/plain.csv', record.id, 'id\n1\n2\n3\n');
  expect(await keysIn(watchRecordId(record.id))).toEqual(new Set(['c1', 'c2']));
});

it('a missing key stops the workflow with clear words, and loses nothing', async () => {
  const handle = system.temporal.client.workflow.getHandle(watchRecordId(record.id));
  const { runId } = await handle.describe();
  await useKeys(c2);
  origin.set('/plain.csv', { body: 'id\n1\n2\n3\n4\n' });
  const answer = await system.call('POST', `/v1/sources/${record.id}/check`);
  expect(answer.status).toBe(503);
  await until('the worker says what is missing', () =>
    system.logs().includes('is sealed with the key \\"c1\\": add it to TEMPORAL_CODEC_KEYS'),
  );
  await useKeys(`${c2},${c1}`);
  await until('the change is recorded', async () => {
    const { status } = await system.call('POST', `/v1/sources/${record.id}/check`);
    const checks = await readAll<CheckView>(system, `/v1/sources/${record.id}/checks`, 'checks');
    return status === 202 && checks.filter(({ outcome }) => outcome === 'changed').length === 3;
  });
  expect((await handle.describe()).runId).toBe(runId);
  const deltas = await readAll<{ number: number }>(system, `/v1/sources/${record.id}/delta`, 'events');
  expect(new Set(deltas.map(({ number }) => number)).size).toBe(deltas.length);
});
