// The bodies of deliveries, one for each event type (interface 6.1), as core/delivery-payload.ts writes them.
import { type TProperties, Type } from 'typebox';
import { CHECK_ERRORS } from '../../core/errors.ts';
import type { WebhookEventType } from '../../core/deliveries.ts';
import {
  changedColumnsField,
  countsSchema,
  deltaRowSchema,
  previousKeysField,
  schemaChangeSchema,
} from '../resources/delta-event.ts';
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
  condition: Type.Optional(
    Type.Enum(['met', 'undecided'], {
      description:
        'What the webhook’s condition said. `undecided`: it depends on rows beyond those that are looked at. Only with a condition.',
    }),
  ),
  summary: countsSchema,
  newKeys: rowKeys('new'),
  changedKeys: rowKeys('changed'),
  deletedKeys: rowKeys('deleted'),
  previousKeys: Type.Optional(previousKeysField),
  changedColumns: Type.Optional(
    nullable({
      ...changedColumnsField,
      description:
        'Only with `include: "rows"`: columns in which changed rows of the whole event differ, most rows first; with `fields` ' +
        'only those. null for an event of an older version.',
    }),
  ),
  truncated: Type.Object(
    {
      newKeys: isCut,
      changedKeys: isCut,
      deletedKeys: isCut,
      rows: Type.Optional(Type.Boolean({ description: 'There are more rows. Only with `include: "rows"`.' })),
      changedColumns: Type.Optional(
        Type.Boolean({ description: 'The list is incomplete. Only with `include: "rows"`.' }),
      ),
    },
    {
      title: 'TruncatedKeys',
      description:
        'Which lists are incomplete. Keys beyond 100, or beyond 256 KiB of body, are omitted; with `include: "rows"` keys ' +
        'beyond a quarter of `maxBodyBytes`, columns beyond an eighth, and rows that do not fit.',
    },
  ),
  rowsUrl: Type.String({
    description:
      'The URL of the event’s rows in the API. With `include: "rows"`: of those that the webhook selects; if `truncated.rows` ' +
      'is true, of those after the last one in `rows`.',
  }),
  rows: Type.Optional(
    Type.Array(deltaRowSchema, {
      description:
        'Only with `include: "rows"`: the first rows that the webhook selects, by key, as many as fit into `maxBodyBytes`.',
    }),
  ),
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
  'check.held': payload('check.held', 'CheckHeldPayload', {
    ...noDeltaEvent,
    checkId,
    error: Type.Object(
      { code: Type.Enum(Object.keys(CHECK_ERRORS)), detail: Type.String() },
      { title: 'HeldCheckError', description: 'Why it is held.' },
    ),
  }),
  'record.quiet': payload('record.quiet', 'RecordQuietPayload', {
    ...noDeltaEvent,
    snapshotId: Type.String({ description: 'The version of the data that is still the latest.' }),
    unchangedSince: Type.String({ ...time, description: 'When that version was found.' }),
    checkedAt: Type.String({ ...time, description: 'When a check last found no other.' }),
    quietHours: Type.Integer({ description: 'The hours that the webhook asked for.' }),
  }),
  'schema.changed': payload('schema.changed', 'SchemaChangedPayload', {
    ...noDeltaEvent,
    checkId,
    snapshotId: deltaMembers.snapshotId,
    schemaChange: schemaChangeSchema,
  }),
  'webhook.disabled': payload('webhook.disabled', 'WebhookDisabledPayload', {
    ...noDeltaEvent,
    disabledWebhookId: Type.String({ description: 'Another webhook of the record or of the account.' }),
    disabledAt: time,
    disabledReason: Type.String(),
  }),
} as const;

/** The body of every event type with `format: "cloudevents"`. */
export const cloudEventSchema = Type.Object(
  {
    specversion: Type.String({ description: 'Always 1.0.' }),
    id: Type.String({ description: 'The delivery, as in `webhook-id`.' }),
    source: Type.String({ description: 'The URL of the record in the API.' }),
    type: Type.String({ description: '`recordwatch.` and the event type.' }),
    subject: Type.Optional(
      Type.String({ description: 'What it is about: the id of a delta event, a check or a webhook.' }),
    ),
    time: Type.String({ ...time, description: 'When it happened.' }),
    datacontenttype: Type.String({ description: 'Always application/json.' }),
    data: Type.Unsafe<object>({
      type: 'object',
      title: 'CloudEventData',
      description: 'The body of this event type in `json` format.',
    }),
  },
  { title: 'CloudEvent', description: 'A CloudEvent 1.0 in structured mode.' },
);
