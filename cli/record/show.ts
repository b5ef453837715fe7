// `record show`
import { type Client, type WorkflowExecutionDescription, WorkflowNotFoundError } from '@temporalio/client';
import { findFailingTask } from '../../activities/housekeeping/stuck-workflows.ts';
import { presentRecord } from '../../api/resources/record.ts';
import { findSymptomTimes } from '../../db/upkeep/symptoms.ts';
import { readFailure } from '../../outbound/payload-codec.ts';
import { watchRecordId } from '../../workflows/contract.ts';
import { fields, intervalInWords, print, type Printing } from '../operator/print.ts';
import type { OperatorSettings } from '../operator/settings.ts';
import { askTemporal } from '../operator/tell-workflows.ts';
import { withDatabase } from '../operator/with-database.ts';
import { findNamedRecord } from './find-record.ts';

const outcomeOf = ({ lastOutcome, isBaseline }: ReturnType<typeof presentRecord>): string | null =>
  isBaseline ? 'first good check' : lastOutcome;

export interface ShowOptions extends Printing {
  account?: string;
}

/** @throws CommanderError when there is no such record */
export async function show(reference: string, { account, ...printing }: ShowOptions): Promise<void> {
  const { record, times, problem, poll } = await withDatabase(async (db, settings) => {
    const found = await findNamedRecord(db, reference, account);
    const times = await findSymptomTimes(db, found.id);
    return { record: found, times, ...(await askWorkflow(settings, watchRecordId(found.id))) };
  });
  const shown = {
    ...presentRecord(record),
    accountId: record.accountId,
    failingSince: times.failingSince?.toISOString() ?? null,
    heldSince: times.heldSince?.toISOString() ?? null,
    workflowId: watchRecordId(record.id),
    workflowPoll: poll,
    workflowProblem: problem,
  };
  const { lastError } = shown;
  print(printing, shown, () =>
    fields({
      Record: shown.id,
      Slug: shown.slug,
      Name: shown.name,
      Account: shown.accountId,
      URL: shown.url,
      Tier: shown.tier,
      Status: shown.status,
      'Asked for': `a check every ${intervalInWords(record.checkIntervalSeconds)}`,
      'Last check': shown.lastCheckedAt,
      Outcome: lastError === null ? outcomeOf(shown) : `${shown.lastOutcome}: ${lastError.code}`,
      'Last error': lastError?.detail ?? null,
      'Failures in a row': shown.consecutiveFailures,
      'Failing since': shown.failingSince,
      'Held since': shown.heldSince,
      'Next check': shown.nextCheckAt,
      Rows: shown.totalRows,
      Workflow: shown.workflowId,
      'Its poll': poll,
      'Its problem': problem,
    }),
  );
}

interface WorkflowState {
  /** Why it cannot continue, in words; null when it can. */
  problem: string | null;
  /** What the latest check on schedule found; null when none is scheduled. */
  poll: string | null;
}

async function askWorkflow(settings: OperatorSettings, workflowId: string): Promise<WorkflowState> {
  const { answer, error } = await askTemporal(settings, async (client): Promise<WorkflowState> => {
    try {
      const { status, raw } = await client.workflow.getHandle(workflowId).describe();
      if (status.name !== 'RUNNING') return notRunning(status.name.toLowerCase());
      return { problem: await findProblem(client, workflowId), poll: await findPoll(client, raw) };
    } catch (reason) {
      if (!(reason instanceof WorkflowNotFoundError)) throw reason;
      return notRunning('missing');
    }
  });
  return answer ?? { problem: `not known: ${error}`, poll: null };
}

const notRunning = (status: string): WorkflowState => ({
  problem: `it does not run (${status}); reconciling starts it when a check is overdue`,
  poll: null,
});

async function findProblem(client: Client, workflowId: string): Promise<string | null> {
  const task = await findFailingTask(client, workflowId);
  if (task === undefined) return null;
  const { attempt, since, reason } = task;
  return `it cannot continue: attempt ${attempt} at a task that fails since ${since.toISOString()}: ${reason ?? 'timed out'}`;
}

/** The activity that makes the checks on schedule. */
const POLL = 'pollSource';

async function findPoll(client: Client, raw: WorkflowExecutionDescription['raw']): Promise<string | null> {
  const poll = raw.pendingActivities?.find(({ activityType }) => activityType?.name === POLL);
  if (poll === undefined) return null;
  const { lastFailure } = poll;
  const found = lastFailure ? (await readFailure(client, lastFailure)).replace(/\.$/, '') : 'nothing yet';
  return `${found}; attempt ${poll.attempt}`;
}
