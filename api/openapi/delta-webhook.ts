// The webhook `delta` as OpenAPI describes it (interface 6.1): what an endpoint receives, and how it is signed.
import { Type } from 'typebox';
import { countsSchema } from '../resources/delta-event.ts';
import { time } from '../resources/shapes.ts';
import type { JsonObject, NamedSchemas } from './named-schemas.ts';

const rowKeys = (which: string) =>
  Type.Array(Type.String(), {
    maxItems: 100,
    description: `Row keys of ${which} rows, 100 at most: the event's rows list all of them.`,
  });

/** What core/delivery-payload.ts writes. */
export const deltaPayloadSchema = Type.Object(
  {
    event: Type.Literal('delta'),
    webhookId: Type.String(),
    sourceId: Type.String({ description: 'The record.' }),
    sourceName: Type.String(),
    sourceSlug: Type.String(),
    deltaEventId: Type.String({ description: 'Receivers do a thing once per event by remembering this.' }),
    snapshotId: Type.String({ description: 'The version of the data in which the changes were found.' }),
    detectedAt: time,
    summary: countsSchema,
    newKeys: rowKeys('new'),
    changedKeys: rowKeys('changed'),
    deletedKeys: rowKeys('deleted'),
  },
  { title: 'DeltaPayload' },
);

const header = (name: string, description: string, example: string): JsonObject => ({
  name,
  in: 'header',
  required: true,
  description,
  schema: { type: 'string' },
  example,
});

const DESCRIPTION = `Sent to each enabled webhook of a record for every delta event with at least one new, changed or deleted
row. Signed as [Standard Webhooks](https://www.standardwebhooks.com) 1.0.0 says: \`webhook-signature\` is \`v1,\` and the
base64 of the HMAC-SHA256 of \`<webhook-id>.<webhook-timestamp>.<body>\` under the webhook's secret. Verify it over the body
exactly as it arrived, and refuse timestamps that are more than five minutes off.

Any 2xx within 15 seconds is a success. Otherwise the delivery is tried again, ten times over about 75 hours in all,
honouring \`Retry-After\`; 410 disables the webhook. Redirects are not followed.`;

export function deltaWebhook(schemas: NamedSchemas): JsonObject {
  return {
    post: {
      operationId: 'delta',
      tags: ['Webhooks'],
      summary: 'Rows of a record have changed',
      description: DESCRIPTION,
      security: [],
      parameters: [
        header(
          'webhook-id',
          'The delivery: the same on every attempt.',
          'dlv_019a346c20117b3c8d4e5f6071829304',
        ),
        header('webhook-timestamp', 'When this attempt is made, in seconds since 1970.', '1772442005'),
        header(
          'webhook-signature',
          'One signature or, while a secret is being rotated, several with spaces between: any one that fits will do.',
          'v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=',
        ),
      ],
      requestBody: {
        required: true,
        content: { 'application/json': { schema: schemas.refer(deltaPayloadSchema) } },
      },
      responses: {
        '2XX': { description: 'Received.' },
        '410': { description: 'Never send to this webhook again: it is disabled.' },
        default: { description: 'Not received: tried again later.' },
      },
    },
  };
}
