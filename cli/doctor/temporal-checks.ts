// What `doctor` checks in Temporal: its version, clock and schedules, workers and their backlog, and stuck workflows.
import { randomUUID } from 'node:crypto';
import { type Client, ScheduleNotFoundError } from '@temporalio/client';
import { SCHEDULE_IDS, TASK_QUEUES, WORKFLOW_TYPES } from '../../workflows/contract.ts';
import { compareClocks, fine, type Finding, problem, warning } from './finding.ts';
import { judgeQueue } from './judge-queue.ts';

/** As docs/operations.md requires. */
const OLDEST = [1, 31] as const;

export async function checkTemporal(
  client: Client,
  namespace: string,
  now: () => number,
): Promise<Finding[]> {
  return [
    await checkVersion(client),
    await compareClocks('Temporal', () => readTemporalClock(client), now),
    ...(await Promise.all(Object.values(SCHEDULE_IDS).map((id) => checkSchedule(client, id, now)))),
    ...(await Promise.all(Object.values(TASK_QUEUES).map((name) => checkQueue(client, namespace, name)))),
    await checkStuck(client),
  ];
}

async function checkVersion({ workflowService }: Client): Promise<Finding> {
  const { serverVersion } = await workflowService.getSystemInfo({});
  const [major = 0, minor = 0] = serverVersion.split('.').map(Number);
  const words = `The Temporal server has version ${serverVersion}.`;
  // Temporal Cloud has versions of its own.
  const isRelease = /^\d+\.\d+\.\d+$/.test(serverVersion);
  const isOld = major < OLDEST[0] || (major === OLDEST[0] && minor < OLDEST[1]);
  if (!isRelease || !isOld) return fine('temporal version', words);
  return warning('temporal version', words, `Upgrade it to ${OLDEST.join('.')} or newer.`);
}

/**
 * Temporal exposes its clock only through stored timestamps. So this starts a workflow that no worker runs, reads its start time,
 * and terminates it.
 */
async function readTemporalClock(client: Client): Promise<number> {
  const handle = await client.workflow.start('doctor', {
    workflowId: `doctor/${randomUUID()}`,
    taskQueue: 'doctor',
    workflowExecutionTimeout: '10s',
  });
  const { startTime } = await handle.describe();
  await handle.terminate('doctor has read the clock');
  return startTime.getTime();
}

/** Hourly runs must succeed within this time. */
const PRUNED_WITHIN_MS = 3 * 3_600_000;

async function checkSchedule(client: Client, id: string, now: () => number): Promise<Finding> {
  const check = `schedule ${id}`;
  try {
    const { state, info } = await client.schedule.getHandle(id).describe();
    if (state.paused)
      return warning(check, `The schedule ${id} is paused.`, 'Unpause it in the Temporal UI.');
    const since = new Date(now() - PRUNED_WITHIN_MS);
    const isAsked = id === SCHEDULE_IDS.pruneHistory && info.createdAt < since;
    if (!isAsked || (await hasPruned(client, since))) return fine(check, `The schedule ${id} runs.`);
    return warning(
      check,
      `No run of the schedule ${id} has succeeded for three hours.`,
      'Look at its runs in the Temporal UI: docs/runbooks.md#prunemissing.',
    );
  } catch (error) {
    if (!(error instanceof ScheduleNotFoundError)) throw error;
    return problem(
      check,
      `The schedule ${id} is missing.`,
      'Restart a worker: it creates missing schedules.',
    );
  }
}

async function hasPruned(client: Client, since: Date): Promise<boolean> {
  const { count } = await client.workflow.count(
    `WorkflowType = '${WORKFLOW_TYPES.pruneHistory}' AND ExecutionStatus = 'Completed' AND CloseTime > '${since.toISOString()}'`,
  );
  return count > 0;
}

const TASK_QUEUE_TYPES = { workflow: 1, activity: 2 } as const;

async function checkQueue({ workflowService }: Client, namespace: string, name: string): Promise<Finding> {
  const kinds = await Promise.all(
    Object.values(TASK_QUEUE_TYPES).map((taskQueueType) =>
      workflowService.describeTaskQueue({ namespace, taskQueue: { name }, taskQueueType, reportStats: true }),
    ),
  );
  return judgeQueue(name, kinds, Date.now());
}

async function checkStuck(client: Client): Promise<Finding> {
  const query = `TemporalReportedProblems IS NOT NULL AND ExecutionStatus = 'Running'`;
  const { count } = await client.workflow.count(query);
  if (count === 0) return fine('stuck workflows', 'No workflow is stuck.');
  let such = '';
  for await (const { workflowId } of client.workflow.list({ query, pageSize: 1 })) {
    such = workflowId;
    break;
  }
  return problem(
    'stuck workflows',
    `${count} workflows cannot continue because their tasks fail, such as ${such}.`,
    '`record show` says why. After an upgrade, reconciling restarts them within minutes; otherwise see the log of the workers.',
  );
}
