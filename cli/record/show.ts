// `record show`
import { WorkflowNotFoundError } from '@temporalio/client';
import { findFailingTask } from '../../activities/housekeeping/stuck-workflows.ts';
import { presentRecord } from '../../api/resources/record.ts';
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
  const { record, problem } = await withDatabase(async (db, settings) => {
    const found = await findNamedRecord(db, reference, account);
    return { record: found, problem: await findProblem(settings, watchRecordId(found.id)) };
  });
  const shown = {
    ...presentRecord(record),
    accountId: record.accountId,
    workflowId: watchRecordId(record.id),
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
      'Failures in a row': shown.consecutiveFailures,
      'Next check': shown.nextCheckAt,
      Rows: shown.totalRows,
      Workflow: shown.workflowId,
      'Its problem': problem,
    }),
  );
}

/** In words; null: it can go on. */
async function findProblem(settings: OperatorSettings, workflowId: string): Promise<string | null> {
  const { answer, error } = await askTemporal(settings, (client) =>
    findFailingTask(client, workflowId).catch((reason: unknown) => {
      if (reason instanceof WorkflowNotFoundError) return null;
      throw reason;
    }),
  );
  if (error !== undefined) return `not known: ${error}`;
  if (answer === null) return 'it does not run; reconciling starts it when a check is overdue';
  if (answer === undefined) return null;
  const { attempt, since, reason } = answer;
  return `it cannot go on: attempt ${attempt} at a task that fails since ${since.toISOString()}: ${reason ?? 'timed out'}`;
}
