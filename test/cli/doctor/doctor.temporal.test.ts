// `doctor` on a running system: each of its findings is caused, found, and gone again. Also `record list` and `record show`.
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { diagnose } from '../../../cli/doctor/doctor.ts';
import type { Finding } from '../../../cli/doctor/finding.ts';
import { parseConfig } from '../../../core/config.ts';
import { SCHEDULE_IDS, watchRecordId } from '../../../workflows/contract.ts';
import { createTestRecord, newTestId } from '../../support/rows/factories.ts';
import { makeHeldCheck } from '../../support/rows/new-held-check.ts';
import { type Ended, runInProcess } from '../../support/servers/run-in-process.ts';
import { startSystem, type System } from '../../support/servers/system.ts';
import { openTemporal } from '../../support/servers/temporal.ts';

const folder = mkdtempSync(join(tmpdir(), 'recordwatch-doctor-test-'));
const HOUR_AGO = new Date(Date.now() - 3_600_000);
let system: System;

beforeAll(async () => {
  // As root `doctor` tries no folder.
  vi.spyOn(process, 'getuid').mockReturnValue(1_000);
  system = await startSystem({ BLOB_STORE: join(folder, 'blobs') });
});
afterAll(async () => {
  vi.restoreAllMocks();
  await system.stop();
  rmSync(folder, { recursive: true, force: true });
});

const look = (settings: Record<string, string> = {}, now?: () => number): Promise<Finding[]> =>
  diagnose(parseConfig({ ...system.env, ...settings }), now);

/** The findings that are not well, by check. */
async function faults(settings: Record<string, string> = {}, now?: () => number) {
  const found = await look(settings, now);
  for (const { level, nextStep } of found) expect(nextStep === null).toBe(level === 'ok');
  return Object.fromEntries(found.filter(({ level }) => level !== 'ok').map((each) => [each.check, each]));
}

const recordwatch = (args: readonly string[], settings: Record<string, string> = {}): Promise<Ended> =>
  runInProcess(args, { ...system.env, ...settings });

it('finds nothing in a healthy system, and says so by its exit code', async () => {
  const { code, stdout } = await recordwatch(['doctor']);
  expect([code, stdout]).toEqual([0, expect.stringContaining('All is well.')]);
  expect((await look()).map(({ check }) => check)).toEqual([
    'schema',
    'clock PostgreSQL',
    'overdue records',
    'overdue deliveries',
    'records',
    'keys',
    'pages',
    'temporal version',
    'clock Temporal',
    'schedule reconcile',
    'schedule prune-history',
    'queue records',
    'queue deliveries',
    'stuck workflows',
    'blob store',
  ]);
});

it('finds what is late', async () => {
  // Otherwise it would catch up.
  await system.kill('worker');
  const { db } = system.database;
  const recordId = await createTestRecord(db, system.accountId);
  await db('record_heads').where({ recordId }).update({ nextCheckAt: HOUR_AGO });
  const webhookId = newTestId('webhook');
  await db('webhooks').insert({ id: webhookId, recordId, url: 'https://example.com/hook', sealedSecret: '' });
  const delivery = { id: newTestId('delivery'), webhookId, recordId, eventData: { isTest: true } };
  await db('deliveries').insert({ ...delivery, eventType: 'delta', nextAttemptAt: HOUR_AGO });
  const late = await faults();
  expect(late['overdue records']).toMatchObject({
    level: 'problem',
    words: expect.stringContaining(recordId),
  });
  expect(late['overdue deliveries']?.words).toContain(delivery.id);
  const listed = JSON.parse((await recordwatch(['record', 'list', '--overdue', '--json'])).stdout);
  expect(listed.records).toMatchObject([{ id: recordId, since: HOUR_AGO.toISOString() }]);
  const { code } = await recordwatch(['doctor', '--json']);
  expect(code).toBe(2);
  await db('records').where({ id: recordId }).delete();
  expect(await faults()).toEqual({});
});

it('finds paused and missing schedules', async () => {
  const schedule = system.temporal.client.schedule.getHandle(SCHEDULE_IDS.reconcile);
  await schedule.pause();
  expect(await faults()).toMatchObject({ 'schedule reconcile': { level: 'warning' } });
  const { code, stdout } = await recordwatch(['doctor', '--json']);
  expect([code, JSON.parse(stdout).level]).toEqual([1, 'warning']);
  await schedule.delete();
  expect(await faults()).toMatchObject({ 'schedule reconcile': { level: 'problem' } });
  await system.start('worker');
  expect(await faults()).toEqual({});
});

it('regression: finds that pruning has not succeeded for hours', async () => {
  const later = () => Date.now() + 3 * 3_600_000 + 60_000;
  const asked = async () => (await look({}, later)).find(({ check }) => check === 'schedule prune-history');
  expect(await asked()).toMatchObject({
    level: 'warning',
    words: 'No run of the schedule prune-history has succeeded for three hours.',
  });
  // As by the clock of the schedule itself.
  expect((await faults())['schedule prune-history']).toBeUndefined();
});

it('finds that no worker takes tasks', async () => {
  const { namespace, connection } = await openTemporal();
  await connection.close();
  expect(await faults({ TEMPORAL_NAMESPACE: namespace })).toMatchObject({
    'queue records': { level: 'problem', words: expect.stringContaining('No worker') },
    'queue deliveries': { level: 'problem' },
    'schedule prune-history': { level: 'problem' },
  });
});

it('finds keys that are old, missing and wrong', async () => {
  const present = system.env['KEY_ENCRYPTION_KEYS'] ?? '';
  const other = randomBytes(32).toString('base64');
  const keysAre = async (keys: string) => (await faults({ KEY_ENCRYPTION_KEYS: keys }))['keys'];
  expect(await keysAre(`next:${other},${present}`)).toMatchObject({
    level: 'warning',
    words: 'All data keys open; 1 are sealed under an older key than next.',
  });
  expect(await keysAre(`next:${other}`)).toMatchObject({
    level: 'problem',
    words: expect.stringContaining('1 under test'),
  });
  expect(await keysAre(`test:${other}`)).toMatchObject({ level: 'problem' });
  expect(await keysAre('')).toMatchObject({ level: 'warning' });
});

it('finds clocks that differ', async () => {
  for (const skewMs of [-60_000, 60_000]) {
    const found = await faults({}, () => Date.now() + skewMs);
    expect(Object.keys(found)).toEqual(['clock PostgreSQL', 'clock Temporal']);
    const side = skewMs < 0 ? 'ahead of' : 'behind';
    for (const { words } of Object.values(found))
      expect(words).toMatch(new RegExp(`is (59|60)\\.\\d s ${side}`));
  }
});

it('finds what does not answer', async () => {
  writeFileSync(join(folder, 'a-file'), '');
  expect(await faults({ BLOB_STORE: join(folder, 'a-file') })).toMatchObject({
    'blob store': { level: 'problem' },
  });
  expect(await faults({ TEMPORAL_ADDRESS: '127.0.0.1:1' })).toMatchObject({
    temporal: { words: expect.stringContaining('127.0.0.1:1') },
  });
  const away = await faults({ DATABASE_URL: 'postgres://user:hidden-word@127.0.0.1:1/none' });
  expect(away).toMatchObject({ database: { words: expect.stringContaining('127.0.0.1:1/none') } });
  expect(JSON.stringify(away)).not.toContain('hidden-word');
});

it('finds a schema that lacks migrations', async () => {
  const { db } = system.database;
  const last = await db('knex_migrations').orderBy('id', 'desc').first();
  await db('knex_migrations').where({ id: last.id }).delete();
  expect(await faults()).toMatchObject({ schema: { words: expect.stringContaining(last.name) } });
  await db('knex_migrations').insert(last);
  expect(await faults()).toEqual({});
});

it('record list and show say what fails and is held, and since when', async () => {
  const { db } = system.database;
  const failing = await createTestRecord(db, system.accountId);
  const held = await createTestRecord(db, system.accountId);
  await db('records').update({ status: 'paused' });
  const error = { lastErrorCode: 'http_error', lastErrorDetail: 'It was 503.', consecutiveFailures: 3 };
  await db('record_heads')
    .where({ recordId: failing })
    .update({ ...error, lastOutcome: 'failed', failingSince: HOUR_AGO });
  await makeHeldCheck(db, held);
  const listed = async (symptom: string) =>
    JSON.parse((await recordwatch(['record', 'list', symptom, '--json'])).stdout).records;
  expect(await listed('--failing')).toMatchObject([
    { id: failing, accountId: system.accountId, errorCode: 'http_error', errorDetail: 'It was 503.' },
  ]);
  expect(await listed('--held')).toMatchObject([{ id: held, since: expect.any(String) }]);
  expect(await listed('--overdue')).toEqual([]);
  expect((await recordwatch(['record', 'list'])).code).toBe(2);
  expect((await recordwatch(['record', 'list', '--failing', '--held'])).code).toBe(2);
  const { stdout } = await recordwatch(['record', 'show', failing]);
  expect(stdout).toMatch(/^Last error +It was 503\.$/m);
  expect(stdout).toMatch(new RegExp(`^Failing since +${HOUR_AGO.toISOString()}$`, 'm'));
});

it('regression: record show says that a workflow has ended', async () => {
  const id = await createTestRecord(system.database.db, system.accountId);
  const shown = async () => JSON.parse((await recordwatch(['record', 'show', id, '--json'])).stdout);
  expect(await shown()).toMatchObject({ workflowProblem: expect.stringContaining('does not run (missing)') });
  const { workflow } = system.temporal.client;
  // On a queue that no worker asks for tasks.
  const workflowId = watchRecordId(id);
  const handle = await workflow.start('anything', { workflowId, taskQueue: 'nobody' });
  expect(await shown()).toMatchObject({ workflowProblem: null });
  await handle.terminate('an operator ended it');
  const problem = 'it does not run (terminated); reconciling starts it when a check is overdue';
  expect(await shown()).toMatchObject({ workflowProblem: problem, workflowPoll: null });
});
