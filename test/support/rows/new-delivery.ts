// Creates a delivery for tests that read it.
import type { Database } from '../../../db/driver/knex.ts';
import { newTestId } from './factories.ts';

/** Creates a delivery that failed after one attempt. @returns its id */
export async function makeDelivery(
  db: Database,
  webhookId: string,
  recordId: string,
  deltaEventId: string,
): Promise<string> {
  const id = newTestId('delivery');
  const row = { id, webhookId, recordId, deltaEventId, status: 'failed', attemptCount: 1 };
  await db('deliveries').insert({ ...row, finishedAt: db.fn.now() });
  await db('attempts').insert({
    deliveryId: id,
    number: 1,
    startedAt: db.fn.now(),
    durationMs: 12,
    statusCode: 500,
    errorCode: 'http_error',
    responseExcerpt: 'It is broken.',
  });
  return id;
}
