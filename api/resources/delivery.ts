// A delivery in responses, with its attempts.
import { type Static, Type } from 'typebox';
import { DELIVERY_STATUSES, WEBHOOK_EVENT_TYPES } from '../../core/deliveries.ts';
import { ATTEMPT_ERRORS } from '../../core/errors.ts';
import type { AttemptRow, DeliveryRow, FullAttemptRow } from '../../db/webhooks/delivery-log.ts';
import { nullable, time } from './shapes.ts';

const attemptSchema = Type.Object(
  {
    number: Type.Integer({ description: 'Counts the attempts of the delivery, from 1.' }),
    startedAt: time,
    durationMs: Type.Integer(),
    statusCode: nullable(Type.Integer({ description: 'null: no answer came.' })),
    errorCode: nullable(
      Type.Enum(Object.keys(ATTEMPT_ERRORS), { description: 'Why it did not succeed; null: it did.' }),
    ),
    response: Type.Optional(
      nullable(
        Type.String({
          description:
            'The first 16 KiB of what the endpoint answered, as text; null: no answer came. Only where one delivery is asked for.',
        }),
      ),
    ),
  },
  { title: 'Attempt' },
);

export const deliverySchema = Type.Object(
  {
    id: Type.String({ description: 'The header `webhook-id`: the same on every attempt.' }),
    webhookId: Type.String(),
    sourceId: Type.String(),
    eventType: Type.Enum([...WEBHOOK_EVENT_TYPES]),
    deltaEventId: nullable(Type.String({ description: 'null: it is not about a delta event.' })),
    isTest: Type.Boolean({ description: 'An example that was asked for: nothing has happened.' }),
    status: Type.Enum([...DELIVERY_STATUSES], {
      description:
        '`pending`: waits for an attempt; `delivered`; `failed`: given up; `cancelled`: its webhook was disabled first.',
    }),
    attemptCount: Type.Integer({ description: 'All attempts, also those that are not shown.' }),
    createdAt: time,
    nextAttemptAt: nullable(
      Type.String({ ...time, description: 'When the next attempt is due; null unless `pending`.' }),
    ),
    finishedAt: nullable(Type.String({ ...time, description: 'null while `pending`.' })),
    payload: Type.Optional(
      Type.String({
        description:
          'The body as text, byte for byte as an attempt made now sends it. What was sent before is not stored: it was ' +
          'the same, unless the record was renamed or the service was updated or moved since. Only in the answer to reading one delivery.',
      }),
    ),
    attempts: Type.Array(attemptSchema, {
      description: 'Oldest first: the last ten in a list, the last 50 where one delivery is asked for.',
    }),
  },
  { title: 'Delivery' },
);

export function presentDelivery(
  delivery: DeliveryRow,
  attempts: readonly (AttemptRow | FullAttemptRow)[],
): Static<typeof deliverySchema> {
  const { id, webhookId, recordId, eventType, deltaEventId, isTest, status, attemptCount } = delivery;
  return {
    id,
    webhookId,
    sourceId: recordId,
    eventType,
    deltaEventId,
    isTest,
    status,
    attemptCount,
    createdAt: delivery.createdAt.toISOString(),
    nextAttemptAt: delivery.nextAttemptAt?.toISOString() ?? null,
    finishedAt: delivery.finishedAt?.toISOString() ?? null,
    attempts: attempts.map(presentAttempt),
  };
}

function presentAttempt(attempt: AttemptRow | FullAttemptRow): Static<typeof attemptSchema> {
  const { number, startedAt, durationMs, statusCode, errorCode } = attempt;
  return {
    number,
    startedAt: startedAt.toISOString(),
    durationMs,
    statusCode,
    errorCode,
    ...('responseExcerpt' in attempt ? { response: attempt.responseExcerpt } : {}),
  };
}
