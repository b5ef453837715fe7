// Brings Temporal in line with PostgreSQL: starts workflows that are missing or overdue, restarts stuck ones, erases deleted
// accounts, and removes the histories of erased records. Also does what is due by the clock: news of quiet records, digests, and
// mails to owners of disabled webhooks.
import { setTimeout as pause } from 'node:timers/promises';
import { Context } from '@temporalio/activity';
import type { Client } from '@temporalio/client';
import { WorkflowExecutionAlreadyStartedError, WorkflowIdConflictPolicy } from '@temporalio/common';
import { eraseSomeOfAccount, listErasableAccounts } from '../../db/accounts/accounts.ts';
import {
  listMissedRecords,
  listOverdueBacklogs,
  listOverdueDeliveries,
  listOverdueRecords,
} from '../../db/upkeep/overdue.ts';
import { tellFeedsOfQuiet, tellWebhooksOfQuiet } from '../../db/webhooks/quiet-records.ts';
import {
  sendBacklogId,
  type SendBacklogInput,
  settingsChanged,
  type SweepResult,
  TASK_QUEUES,
  watchRecordId,
  type WatchRecordInput,
  WORKFLOW_TYPES,
} from '../../workflows/contract.ts';
import { wakeRetry } from '../deliveries/start-delivery-workflows.ts';
import type { ActivityDeps } from '../deps.ts';
import { makeDueDigests } from './send-digests.ts';
import { forgetErasedRuns } from './erase-record.ts';
import { restartStuck, summaryOption } from './stuck-workflows.ts';
import { tellOwners } from './tell-owners.ts';

/** The most of each kind in one run; the next run comes within a minute. */
const BATCH = 500;
const ROWS_PER_STEP = 5_000;
/** How long a run may start missing workflows, and how fast: at most a million within an hour. */
const STARTS_WITHIN_MS = 50_000;
const STARTS_AT_ONCE = 30;
const STARTS_EVERY_MS = 80;
const OVERDUE = 'Overdue: taken up by reconciling.';
/** Records in one statement, which reads all heads. */
const MISSED_PER_PAGE = 5_000;

/**
 * Safe to run twice: a workflow that runs already only reads PostgreSQL again.
 * @throws the first error of a step, once all other steps are done
 */
export async function reconcile(deps: ActivityDeps): Promise<SweepResult> {
  const { db, temporal, config, log } = deps;
  const endsAtMs = Date.now() + STARTS_WITHIN_MS;
  const graceMs = config.reconcileGraceSeconds * 1_000;
  const beat = (): void => Context.current().heartbeat();
  const restarted = await restartStuck(deps, beat).catch((err: unknown) => {
    log.error({ err }, 'stuck workflows could not be listed; the next run tries again');
    return 0;
  });
  const faults: unknown[] = [];
  const listIn = async (list: () => Promise<string[] | void>): Promise<string[]> => {
    try {
      return (await list()) ?? [];
    } catch (err) {
      if (Context.current().cancellationSignal.aborted) throw err;
      log.error({ err }, 'a step of reconciling failed; the others continue');
      faults.push(err);
      return [];
    }
  };
  const records = await listIn(() => listOverdueRecords(db, graceMs, BATCH));
  let startedRecords = await startEach(records, (id) => wake(deps, id), log);
  const deliveries = [
    ...(await listIn(() => tellWebhooksOfQuiet(db, BATCH))),
    ...(await listIn(() => makeDueDigests(deps, BATCH, beat))),
    ...(await listIn(() => listOverdueDeliveries(db, graceMs, BATCH))),
  ];
  await listIn(() => tellFeedsOfQuiet(db, BATCH));
  const startedDeliveries = await startEach(
    deliveries,
    (deliveryId) => wakeRetry(temporal, { deliveryId, words: OVERDUE }),
    log,
  );
  const backlogs = await listIn(() => listOverdueBacklogs(db, graceMs, BATCH));
  const startedBacklogs = await startEach(backlogs, (id) => sendBacklog(temporal, id), log);
  const accounts = await startEach(
    await listIn(() => listErasableAccounts(db, BATCH)),
    (id) => eraseAccount({ db, log }, id),
    log,
  );
  const forgottenRuns = await forgetErasedRuns(temporal, graceMs, beat).catch((err: unknown) => {
    log.error({ err }, 'histories of erased records could not be deleted; the next run tries again');
    return 0;
  });
  // After what starts work, because it may wait for the mail server.
  await listIn(() => tellOwners(deps, beat));
  // Others may be missing too.
  if (records.length >= BATCH) startedRecords += await startMissing(deps, graceMs, endsAtMs);
  if (faults.length > 0) throw faults[0];
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
 * Starts each one. A failure is logged, does not stop the others, and is tried again in the next run.
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
      log.error({ err, id }, 'reconciling could not start this one');
    }
    Context.current().heartbeat(id);
  }
  return started;
}

/**
 * Starts the missing workflows of overdue records, most overdue first, at a limited pace. A workflow that runs is left alone:
 * when workers are behind, many records are overdue, and signals would put the workers further behind. For the same reason
 * it ends after a page of records that all have one.
 * @returns how many were started
 */
async function startMissing(deps: ActivityDeps, graceMs: number, endsAtMs: number): Promise<number> {
  let started = 0;
  let after = { dueAt: '-infinity', id: '' };
  for (;;) {
    const page = await listMissedRecords(deps.db, graceMs, after, MISSED_PER_PAGE);
    const before = started;
    for (let from = 0; from < page.length; from += STARTS_AT_ONCE) {
      if (Date.now() >= endsAtMs) return started;
      const ids = page.slice(from, from + STARTS_AT_ONCE).map(({ id }) => id);
      const [areNew] = await Promise.all([
        Promise.all(ids.map((id) => startIfMissing(deps, id))),
        pause(STARTS_EVERY_MS),
      ]);
      started += areNew.filter(Boolean).length;
      Context.current().heartbeat();
    }
    const last = page.at(-1);
    if (last === undefined || started === before) return started;
    after = last;
  }
}

/** @returns whether it was missing, and is started */
async function startIfMissing({ db, temporal, log }: ActivityDeps, recordId: string): Promise<boolean> {
  const input: WatchRecordInput = { recordId };
  try {
    await temporal.workflow.start(WORKFLOW_TYPES.watchRecord, {
      workflowId: watchRecordId(recordId),
      taskQueue: TASK_QUEUES.records,
      args: [input],
      ...(await summaryOption(db, recordId)),
    });
    return true;
  } catch (err) {
    if (!(err instanceof WorkflowExecutionAlreadyStartedError))
      log.error({ err, id: recordId }, 'reconciling could not start this one');
    return false;
  }
}

/** Signals as well as starts: a workflow that runs may have missed a pause, a new interval, a deletion or a session's end. */
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

/** Does not signal, because a workflow that runs may be waiting for a failing endpoint. */
async function sendBacklog(temporal: Client, webhookId: string): Promise<void> {
  const input: SendBacklogInput = { webhookId };
  await temporal.workflow.start(WORKFLOW_TYPES.sendBacklog, {
    workflowId: sendBacklogId(webhookId),
    taskQueue: TASK_QUEUES.deliveries,
    args: [input],
    workflowIdConflictPolicy: WorkflowIdConflictPolicy.USE_EXISTING,
  });
}

/** Erases an account whose records are erased. Continues where an earlier run stopped. */
async function eraseAccount({ db, log }: Pick<ActivityDeps, 'db' | 'log'>, accountId: string): Promise<void> {
  while (!(await eraseSomeOfAccount(db, accountId, ROWS_PER_STEP))) Context.current().heartbeat(accountId);
  log.info({ accountId }, 'a deleted account was erased');
}
