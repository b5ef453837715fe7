// Starts what Postgres says should run and Temporal does not know: after an API that died between commit and
// signal, a Temporal server that lost its data, first attempts that gave up, a session whose end nobody noticed. And
// starts again what cannot go on, and ends what Temporal still keeps of erased records, and what is left of deleted accounts.
import { Context } from '@temporalio/activity';
import type { Client } from '@temporalio/client';
import { WorkflowIdConflictPolicy } from '@temporalio/common';
import { eraseSomeOfAccount, listErasableAccounts } from '../../db/accounts/delete-account.ts';
import { listOverdueBacklogs, listOverdueDeliveries, listOverdueRecords } from '../../db/upkeep/overdue.ts';
import type {
  RetryDeliveryInput,
  SendBacklogInput,
  SweepResult,
  WatchRecordInput,
} from '../../workflows/contract.ts';
import {
  attemptNow,
  retryDeliveryId,
  sendBacklogId,
  settingsChanged,
  TASK_QUEUES,
  watchRecordId,
  WORKFLOW_TYPES,
} from '../../workflows/contract.ts';
import type { ActivityDeps } from '../deps.ts';
import { forgetErasedRuns } from './forget-runs.ts';
import { restartStuck, summaryOption } from './stuck-workflows.ts';

/** At most so many of each kind at a time; the next run comes within a minute. */
const BATCH = 500;
const LINES_PER_STEP = 5_000;

/** Touches overdue rows only. Running twice does no harm: a workflow that runs already is only asked to look at Postgres again. */
export async function reconcile(deps: ActivityDeps): Promise<SweepResult> {
  const { db, temporal, config, log } = deps;
  const graceMs = config.reconcileGraceSeconds * 1_000;
  const beat = (): void => Context.current().heartbeat();
  const restarted = await restartStuck(deps, beat).catch((err: unknown) => {
    log.error({ err }, 'workflows that cannot go on could not be listed; the next run tries again');
    return 0;
  });
  const records = await listOverdueRecords(db, graceMs, BATCH);
  const startedRecords = await startEach(records, (id) => wake(deps, id), log);
  const deliveries = await listOverdueDeliveries(db, graceMs, BATCH);
  const startedDeliveries = await startEach(deliveries, (id) => retry(temporal, id), log);
  const backlogs = await listOverdueBacklogs(db, graceMs, BATCH);
  const startedBacklogs = await startEach(backlogs, (id) => sendBacklog(temporal, id), log);
  const accounts = await startEach(
    await listErasableAccounts(db, BATCH),
    (id) => eraseAccount({ db, log }, id),
    log,
  );
  const forgottenRuns = await forgetErasedRuns(temporal, graceMs, beat).catch((err: unknown) => {
    log.error(
      { err },
      'what Temporal keeps of erased records could not be removed; the next run tries again',
    );
    return 0;
  });
  return {
    records: startedRecords,
    deliveries: startedDeliveries,
    backlogs: startedBacklogs,
    accounts,
    restarted,
    forgottenRuns,
  };
}

/**
 * One that cannot be started (a workflow takes only so many signals, for instance) must not hold up the others:
 * the log tells of it, and the next run tries again.
 * @returns how many were started
 */
async function startEach(
  ids: readonly string[],
  start: (id: string) => Promise<void>,
  log: ActivityDeps['log'],
): Promise<number> {
  let started = 0;
  for (const id of ids) {
    try {
      await start(id);
      started += 1;
    } catch (err) {
      log.error({ err, id }, 'reconciling could not take up this one');
    }
    Context.current().heartbeat(id);
  }
  return started;
}

/** Signalled, not only started: a workflow that runs may have missed a pause, a new interval, its deletion or its session's end. */
async function wake({ db, temporal }: ActivityDeps, recordId: string): Promise<void> {
  const input: WatchRecordInput = { recordId };
  await temporal.workflow.signalWithStart(WORKFLOW_TYPES.watchRecord, {
    workflowId: watchRecordId(recordId),
    taskQueue: TASK_QUEUES.records,
    args: [input],
    signal: settingsChanged,
    ...(await summaryOption(db, recordId)),
  });
}

/** Signalled too: one that runs may sleep until a time of before, its delivery having been opened anew since. */
async function retry(temporal: Client, deliveryId: string): Promise<void> {
  const input: RetryDeliveryInput = { deliveryId, waitMs: 0, words: 'Overdue: taken up by reconciling.' };
  await temporal.workflow.signalWithStart(WORKFLOW_TYPES.retryDelivery, {
    workflowId: retryDeliveryId(deliveryId),
    taskQueue: TASK_QUEUES.deliveries,
    args: [input],
    signal: attemptNow,
  });
}

/** Not signalled: one that runs may be giving a failing endpoint time. */
async function sendBacklog(temporal: Client, webhookId: string): Promise<void> {
  const input: SendBacklogInput = { webhookId };
  await temporal.workflow.start(WORKFLOW_TYPES.sendBacklog, {
    workflowId: sendBacklogId(webhookId),
    taskQueue: TASK_QUEUES.deliveries,
    args: [input],
    workflowIdConflictPolicy: WorkflowIdConflictPolicy.USE_EXISTING,
  });
}

/** Of an account whose records are gone. Goes on where an earlier run stopped. */
async function eraseAccount({ db, log }: Pick<ActivityDeps, 'db' | 'log'>, accountId: string): Promise<void> {
  while (!(await eraseSomeOfAccount(db, accountId, LINES_PER_STEP))) Context.current().heartbeat(accountId);
  log.info({ accountId }, 'a deleted account was erased');
}
