// The OpenAPI description of deliveries: each event type, and how it is signed.
import { WEBHOOK_EVENT_TYPES, type WebhookEventType } from '../../core/deliveries.ts';
import type { JsonObject, NamedSchemas } from './named-schemas.ts';
import { CLOUD_EVENT_TYPE } from '../../core/cloud-event.ts';
import { cloudEventSchema, PAYLOADS } from './payloads.ts';

const header = (name: string, description: string, example: string): JsonObject => ({
  name,
  in: 'header',
  required: true,
  description,
  schema: { type: 'string' },
  example,
});

const HEADERS = [
  header('webhook-id', 'The delivery: the same on every attempt.', 'dlv_019a346c20117b3c8d4e5f6071829304'),
  header('webhook-timestamp', 'The time of this attempt, in seconds since 1970.', '1772442005'),
  header(
    'webhook-signature',
    'One signature or, after a rotation of the secret, several separated by spaces. One valid signature is enough.',
    'v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=',
  ),
];

const SIGNED = `Signed according to [Standard Webhooks](https://www.standardwebhooks.com) 1.0.0: \`webhook-signature\` is \`v1,\` and the
base64 of the HMAC-SHA256 of \`<webhook-id>.<webhook-timestamp>.<body>\` with the webhook's secret. Verify it over the body
exactly as it arrived, and refuse timestamps that differ by more than five minutes.

Any 2xx within 15 seconds is a success. Otherwise the delivery is retried, with ten attempts in all over about 75 hours,
following \`Retry-After\`. A 410 disables the webhook, and so do five days of nothing but failures, with one in these days at
least half a day before the last. Redirects are not followed.`;

interface Words {
  operationId: string;
  summary: string;
  /** When it is sent. */
  occasion: string;
}

const WORDS: Readonly<Record<WebhookEventType, Words>> = {
  delta: {
    operationId: 'delta',
    summary: 'Rows of a record have changed',
    occasion:
      'Sent to each enabled webhook of a record, and of its account for that record, for every delta event with at least ' +
      'one new, changed or deleted row that matches its filters.',
  },
  'check.failed': {
    operationId: 'checkFailed',
    summary: 'A check of a record failed',
    occasion: 'Sent for the first of several consecutive failed checks, to webhooks with this event type.',
  },
  'check.recovered': {
    operationId: 'checkRecovered',
    summary: 'A check of a record succeeded again',
    occasion: 'Sent for the first successful check after failed ones, to webhooks with this event type.',
  },
  'check.held': {
    operationId: 'checkHeld',
    summary: 'A check of a record is held',
    occasion:
      'Sent for the first check that is held because rows are missing or the key repeats, to webhooks with this event ' +
      'type. It needs a confirmation by a second check or by the owner.',
  },
  'record.quiet': {
    operationId: 'recordQuiet',
    summary: 'A record has not changed for a while',
    occasion:
      'Sent once a good check has found no change for `quietHours`, to webhooks with this event type; again only after a change.',
  },
  'schema.changed': {
    operationId: 'schemaChanged',
    summary: 'Columns of a record were added or removed',
    occasion:
      'Sent for every check that finds other columns than the previous one, to webhooks with this event type.',
  },
  'webhook.disabled': {
    operationId: 'webhookDisabled',
    summary: 'A webhook of a record was disabled after failures',
    occasion:
      'Sent to the record’s other webhooks with this event type, and to those of the account that are for the record. A webhook ' +
      'of the account that was disabled is reported to the latter only.',
  },
};

/** By event type. */
export function describeWebhooks(schemas: NamedSchemas): Record<WebhookEventType, JsonObject> {
  const described = WEBHOOK_EVENT_TYPES.map((type) => [type, describeWebhook(type, schemas)] as const);
  // One for each type.
  return Object.fromEntries(described) as Record<WebhookEventType, JsonObject>;
}

function describeWebhook(eventType: WebhookEventType, schemas: NamedSchemas): JsonObject {
  const { operationId, summary, occasion } = WORDS[eventType];
  return {
    post: {
      operationId,
      tags: ['Webhooks'],
      summary,
      description: `${occasion}\n\n${SIGNED}`,
      security: [],
      parameters: HEADERS,
      requestBody: {
        required: true,
        content: {
          'application/json': { schema: schemas.refer(PAYLOADS[eventType]) },
          [CLOUD_EVENT_TYPE]: { schema: schemas.refer(cloudEventSchema) },
        },
      },
      responses: {
        '2XX': { description: 'Received.' },
        '410': { description: 'Stop sending: the webhook is disabled.' },
        default: { description: 'Not received: retried later.' },
      },
    },
  };
}
