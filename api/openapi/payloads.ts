// The bodies of deliveries, one for each event type (interface 6.1), as core/delivery-payload.ts writes them.
import { type TProperties, Type } from 'typebox';
import { CHECK_ERRORS } from '../../core/errors.ts';
import type { WebhookEventType } from '../../core/deliveries.ts';
import { countsSchema, schemaChange } from '../resources/delta-event.ts';
import { nullable, time } from '../resources/shapes.ts';

const rowKeys = (which: string) =>
  Type.Array(Type.String(), {
    maxItems: 100,
    description: `Row keys of ${which} rows, 100 at most: the event's rows list all of them.`,
  });

const isCut = Type.Boolean({ description: 'The list is incomplete.' });

const failingSince = Type.String({
  ...time,
  description: 'When the first of the consecutive failed checks was made.',
});

const checkId = Type.String({ description: 'The check that caused the event.' });

const common = (eventType: WebhookEventType) => ({
  event: Type.Literal(eventType),
  type: Type.Literal(eventType, { description: 'The same as `event`, under the name of Standard Webhooks.' }),
  timestamp: Type.String({ ...time, description: 'When it happened.' }),
  webhookId: Type.String(),
  sourceId: Type.String({ description: 'The record.' }),
  sourceName: Type.String(),
  sourceSlug: Type.String(),
  // Not `const: true`: openapi-generator turns that into an enumeration that does not compile in Java.
  isTest: Type.Optional(Type.Boolean({ description: 'true: a requested example. Real events omit it.' })),
});

const deltaMembers = {
  deltaEventId: Type.String({ description: 'Remember it to process each event once.' }),
  snapshotId: Type.String({ description: 'The version of the data with the changes.' }),
  detectedAt: time,
  summary: countsSchema,
  newKeys: rowKeys('new'),
  changedKeys: rowKeys('changed'),
  deletedKeys: rowKeys('deleted'),
  truncated: Type.Object(
    { newKeys: isCut, changedKeys: isCut, deletedKeys: isCut },
    {
      title: 'TruncatedKeys',
      description:
        'Which lists of keys are incomplete: keys beyond 100, or beyond 256 KiB of body, are omitted.',
    },
  ),
  rowsUrl: Type.String({ description: 'The URL of the event’s rows in the API.' }),
};

const noDeltaEvent = {
  // Not `Type.Null()`: openapi-generator makes a class of it that it then leaves out.
  deltaEventId: nullable(Type.String({ description: 'null: it is not about a delta event.' })),
};

const payload = (eventType: WebhookEventType, title: string, members: TProperties) =>
  Type.Object({ ...common(eventType), ...members }, { title });

export const PAYLOADS = {
  delta: payload('delta', 'DeltaPayload', deltaMembers),
  'check.failed': payload('check.failed', 'CheckFailedPayload', {
    ...noDeltaEvent,
    checkId,
    failingSince,
    error: Type.Object(
      { code: Type.Enum(Object.keys(CHECK_ERRORS)), detail: Type.String() },
      { title: 'FailedCheckError', description: 'Why it failed.' },
    ),
  }),
  'check.recovered': payload('check.recovered', 'CheckRecoveredPayload', {
    ...noDeltaEvent,
    checkId,
    failingSince,
  }),
  'schema.changed': payload('schema.changed', 'SchemaChangedPayload', {
    ...noDeltaEvent,
    checkId,
    snapshotId: deltaMembers.snapshotId,
    schemaChange,
  }),
  'webhook.disabled': payload('webhook.disabled', 'WebhookDisabledPayload', {
    ...noDeltaEvent,
    disabledWebhookId: Type.String({ description: 'Another webhook of the record.' }),
    disabledAt: time,
    disabledReason: Type.String(),
  }),
} as const;
