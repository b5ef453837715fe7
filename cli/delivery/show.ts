// `delivery show`
import { presentDelivery } from '../../api/resources/delivery.ts';
import { findDeliveryLog } from '../../db/webhooks/delivery-log.ts';
import { retryDeliveryId } from '../../workflows/contract.ts';
import { noSuchThing } from '../operator/fail.ts';
import { columns, fields, print, type Printing } from '../operator/print.ts';
import { withDatabase } from '../operator/with-database.ts';

const RESPONSE_CHARACTERS = 80;

/** @throws CommanderError when there is no such delivery */
export async function show(id: string, printing: Printing): Promise<void> {
  const delivery = await withDatabase((db) => findDeliveryLog(db, id));
  if (delivery === undefined) throw noSuchThing(`delivery ${id}`);
  // A workflow of this id is there only after a failed attempt.
  const shown = { ...presentDelivery(delivery, delivery.attempts), workflowId: retryDeliveryId(id) };
  print(printing, shown, () => inWords(shown));
}

function inWords(shown: ReturnType<typeof presentDelivery> & { workflowId: string }): string {
  const about = fields({
    Delivery: shown.id,
    Webhook: shown.webhookId,
    Record: shown.sourceId,
    About: shown.isTest ? `a test of ${shown.eventType}` : (shown.deltaEventId ?? shown.eventType),
    Status: shown.status,
    Attempts: shown.attemptCount,
    'Next attempt': shown.nextAttemptAt,
    Finished: shown.finishedAt,
    Workflow: shown.workflowId,
  });
  const attempts = columns(
    ['Attempt', 'At', 'Took', 'Status', 'Error', 'Answer'],
    shown.attempts.map((attempt) => [
      attempt.number,
      attempt.startedAt,
      `${attempt.durationMs} ms`,
      attempt.statusCode,
      attempt.errorCode,
      attempt.response?.slice(0, RESPONSE_CHARACTERS) ?? null,
    ]),
    'No attempt was made yet.',
  );
  return `${about}\n\n${attempts}`;
}
