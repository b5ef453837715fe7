// Worker Versioning: records continue in the version that is made current, forward, back, and back to workers without a version.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { diagnose } from '../../../cli/doctor/doctor.ts';
import { parseConfig } from '../../../core/config.ts';
import { watchRecordId } from '../../../workflows/contract.ts';
import { type Origin, startOrigin } from '../../support/servers/origin-server.ts';
import { createRecord, startSystem, type System } from '../../support/servers/system.ts';
import { until } from '../../support/until.ts';

const DEPLOYMENT = 'recordwatch';
/** Settings of the worker that is started next. */
const version = { TEMPORAL_DEPLOYMENT_NAME: DEPLOYMENT, TEMPORAL_WORKER_BUILD_ID: '1' };
let system: System;
let origin: Origin;

beforeAll(async () => {
  system = await startSystem({}, undefined, { worker: version });
  origin = await startOrigin();
  origin.set('/list.csv', { body: 'id,name\n1,one\n' });
});
afterAll(async () => {
  await origin.close();
  await system.stop();
});

/** @param buildId empty: workers without a version */
async function makeCurrent(buildId: string): Promise<void> {
  const { namespace, connection } = system.temporal;
  const request = { namespace, deploymentName: DEPLOYMENT, buildId };
  // The server learns of a version when its worker first asks for tasks.
  await until(`${buildId} is current`, () =>
    connection.workflowService.setWorkerDeploymentCurrentVersion(request).then(
      () => true,
      () => false,
    ),
  );
}

/** Starts a worker of the version beside the one that runs, makes it current, and ends the other. */
async function moveTo(buildId: string): Promise<void> {
  const before = system.pidOf('worker') ?? 0;
  version.TEMPORAL_WORKER_BUILD_ID = buildId;
  version.TEMPORAL_DEPLOYMENT_NAME = buildId === '' ? '' : DEPLOYMENT;
  await system.start('worker');
  await makeCurrent(buildId);
  process.kill(before, 'SIGTERM');
  await until('the earlier worker has ended', () => !isAlive(before));
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

const queueFindings = async () =>
  (await diagnose(parseConfig(system.env))).filter(({ check }) => check.startsWith('queue '));

it('doctor says that no version is current, and is content when one is', async () => {
  expect(await queueFindings()).toMatchObject(
    ['records', 'deliveries'].map((queue) => ({
      check: `queue ${queue}`,
      level: 'problem',
      words: expect.stringContaining('are for workers without a version'),
    })),
  );
  await makeCurrent('1');
  // The queues learn of it one after the other.
  await until('all is well', async () => (await queueFindings()).every(({ level }) => level === 'ok'));
});

it('a record continues in each version that is made current', async () => {
  const { id } = await createRecord(system, { url: `${origin.url}/list.csv`, checkIntervalMinutes: 0.01 });
  const checks = async (): Promise<number> =>
    Number(
      (await system.database.db('record_heads').where({ recordId: id }).first('check_number'))?.checkNumber,
    );
  const handle = system.temporal.client.workflow.getHandle(watchRecordId(id));
  const { runId } = await handle.describe();
  for (const buildId of ['2', '1', '']) {
    await moveTo(buildId);
    const before = await checks();
    await until('checks continue', async () => (await checks()) > before + 2);
    const { raw, runId: now } = await handle.describe();
    const { deploymentVersion } = raw.workflowExecutionInfo?.versioningInfo ?? {};
    expect([now, deploymentVersion?.buildId ?? '']).toEqual([runId, buildId]);
  }
});
