// Tells workflows about committed changes. PostgreSQL holds the truth: a lost message costs time, not correctness,
// because reconciling finds what is overdue.
import type { FastifyBaseLogger } from 'fastify';
import { recordSummary } from '../../core/record-summary.ts';
import type { RecordNews, WorkflowDoor } from './workflows.ts';

interface Telling {
  temporal: WorkflowDoor;
  log: FastifyBaseLogger;
}

/** Starts the workflow of a record that was just committed. Never fails: the caller's request has succeeded already. */
export async function startWorkflow(
  { temporal, log }: Telling,
  record: { id: string; slug: string; url: string },
): Promise<void> {
  try {
    await temporal.startWatching(record.id, recordSummary(record));
  } catch (error) {
    log.error({ err: error, recordId: record.id }, 'the workflow could not be started; reconciling will');
  }
}

/** Tells a record's workflow what was just committed. Never fails, for the same reason. */
export async function tellWorkflow(
  { temporal, log }: Telling,
  recordId: string,
  news: RecordNews,
): Promise<void> {
  try {
    await temporal.tell(recordId, news);
  } catch (error) {
    log.error({ err: error, recordId, news }, 'the workflow could not be told; reconciling will');
  }
}

/** Starts the workflows of deliveries that were just written. Never fails, for the same reason. */
export async function tellDeliveries(
  { temporal, log }: Telling,
  what: { deliveryId: string } | { backlogOf: string },
): Promise<void> {
  try {
    if ('deliveryId' in what) await temporal.attemptNow(what.deliveryId);
    else await temporal.sendBacklog(what.backlogOf);
  } catch (error) {
    log.error({ err: error, ...what }, 'the workflow could not be told; reconciling will');
  }
}
