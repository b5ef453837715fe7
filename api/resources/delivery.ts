// A delivery in responses, with its attempts.
import { type Static, Type } from 'typebox';
import { DELIVERY_EVENT_TYPES, DELIVERY_STATUSES } from '../../core/deliveries.ts';
import { ATTEMPT_ERRORS } from '../../core/errors.ts';
import type { AttemptRow, DeliveryRow, FullAttemptRow } from '../../db/webhooks/delivery-log.ts';
import { nullable, time } from './shapes.ts';

const attemptSchema = Type.Object(
  {
    number: Type.Integer({ description: 'Counts the attempts of the delivery, from 1.' }),
    startedAt: time,
    durationMs: Type.Integer(),
    statusCode: nullable(Type.Integer({ description: 'null: no response.' })),
    errorCode: nullable(
      Type.Enum(Object.keys(ATTEMPT_ERRORS), { description: 'Why it failed; null: it succeeded.' }),
    ),
    response: Type.Optional(
      nullable(
        Type.String({
          description:
            'The first 16 KiB of the endpoint’s response, as text; null: no response. Only in the response for one ' +
            'delivery.',
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
    sourceId: Type.String({ description: 'Of a `digest`: the record with the newest event.' }),
    eventType: Type.Enum([...DELIVERY_EVENT_TYPES], {
      description: '`digest`: a message about several events.',
    }),
    deltaEventId: nullable(Type.String({ description: 'null: not about a delta event.' })),
    condition: nullable(
      Type.Enum(['met', 'undecided'], {
        description:
          'What the webhook’s condition said of the event. `undecided`: it depends on rows beyond those that are looked at, ' +
          'so the event is sent. null: the webhook had no condition.',
      }),
    ),
    isTest: Type.Boolean({ description: 'A requested example: nothing has happened.' }),
    status: Type.Enum([...DELIVERY_STATUSES], {
      description:
        '`pending`: waits for an attempt; `delivered`; `failed`: no attempts left; `cancelled`: its webhook was ' +
        'disabled before.',
    }),
    attemptCount: Type.Integer({ description: 'All attempts, including those that are not shown.' }),
    createdAt: time,
    nextAttemptAt: nullable(
      Type.String({ ...time, description: 'When the next attempt is due; null unless `pending`.' }),
    ),
    waitsFor: nullable(
      Type.String({
        description:
          'The delivery that goes first, because the webhook is `ordered`; null: none. While there is one, no attempt is made.',
      }),
    ),
    finishedAt: nullable(Type.String({ ...time, description: 'null while `pending`.' })),
    payload: Type.Optional(
      Type.String({
        description:
          'The body as text, byte for byte as an attempt now would send it. Earlier attempts sent the same, unless ' +
          'the record was renamed, or the service was updated or moved since. Only in the response for one delivery.',
      }),
    ),
    attempts: Type.Array(attemptSchema, {
      description: 'Oldest first: the last ten in a list, the last 50 in the response for one delivery.',
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
    condition: delivery.conditionOutcome,
    isTest,
    status,
    attemptCount,
    createdAt: delivery.createdAt.toISOString(),
    nextAttemptAt: delivery.nextAttemptAt?.toISOString() ?? null,
    waitsFor: delivery.waitsFor,
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
