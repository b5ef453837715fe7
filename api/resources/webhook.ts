// A webhook in responses, of a record or of an account. Its secret is only in the responses to its creation and to a rotation.
import { type Static, Type } from 'typebox';
import {
  BODY_CONTENTS,
  BODY_FORMATS,
  FAILING_AFTER,
  FAILURE_EFFECTS,
  QUIET_HOURS,
  WEBHOOK_EVENT_TYPES,
} from '../../core/deliveries.ts';
import { DIGEST_PERIODS } from '../../core/notices/digest-times.ts';
import { BODY_BYTES } from '../../core/delivery-rows.ts';
import type { PublicWebhook } from '../../db/webhooks/webhooks.ts';
import { nullable, time } from './shapes.ts';
import { CHANGE_TYPES } from '../../db/rows/delta-rows.ts';
import { columnField } from '../input/fields.ts';
import { requiredLabelsField } from '../input/labels.ts';
import { webhookActivitySchema } from './webhook-activity.ts';
import { presentLabels } from './labels.ts';

const MAX_FILTER_COLUMNS = 100;
const unique = { uniqueItems: true, minItems: 1 } as const;

const filters = Type.Object(
  {
    changeTypes: Type.Optional(
      Type.Array(Type.Enum([...CHANGE_TYPES]), {
        ...unique,
        description: 'Only rows with these change types count.',
      }),
    ),
    columns: Type.Optional(
      Type.Array(columnField, {
        ...unique,
        maxItems: MAX_FILTER_COLUMNS,
        description: 'A changed row counts when one of these columns differs.',
      }),
    ),
    minChanges: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 1_000_000_000,
        description: 'At least this many rows must count.',
      }),
    ),
  },
  { title: 'WebhookFilters', additionalProperties: false },
);

export const filtersField = nullable(filters);

/** Checked further by core/conditions/condition.ts, which names the faulty part. */
export const conditionField = nullable(
  Type.Unsafe<{ [operator: string]: unknown }>(
    Type.Object(
      {},
      {
        title: 'Condition',
        additionalProperties: true,
        description:
          'One operator with its list of arguments, in the form of JSONLogic. Conditions: `and`, `or`; `==`, `!=`, `<`, `<=`, ' +
          '`>`, `>=` of two values; `some` and `all` of `{"var": "rows"}` and a condition on a row. Values of the event: ' +
          '`{"var": "newCount"}`, `changedCount`, `deletedCount`, `unchangedCount`, `totalCount`. Values of a row: ' +
          '`{"var": "changeType"}`, and for a column `{"before": "price"}`, `{"after": "price"}`, `{"change": "price"}`, ' +
          '`{"percent": "price"}`. Also numbers, texts and null. A comparison with a missing value is false, unless with null.',
      },
    ),
  ),
);

/** In which order deliveries are sent. */
export const orderFields = {
  ordered: Type.Boolean({
    description:
      'The events of a record are sent one at a time, in their order: each waits until the one before has ended.',
  }),
  onFailure: Type.Enum([...FAILURE_EFFECTS], {
    description:
      'With `ordered`, what happens when a delivery has failed in all its attempts: `block`, the later ones of the record ' +
      'wait until it was sent again and arrived, or `skip`, they are sent without it.',
  }),
};

export const quietHoursField = Type.Integer({
  minimum: QUIET_HOURS.min,
  maximum: QUIET_HOURS.max,
  description: 'After how many hours without a change `record.quiet` is sent.',
});

export const failingAfterField = Type.Integer({
  minimum: FAILING_AFTER.min,
  maximum: FAILING_AFTER.max,
  description:
    'After how many failed checks in a row `check.failed` is sent. `check.recovered` is sent only after as many.',
});

/** Checked further by api/webhooks/digest-setting.ts. */
export const digestField = nullable(
  Type.Object(
    {
      every: Type.Enum([...DIGEST_PERIODS], { description: '`hour`: at each full hour; `day`: once a day.' }),
      at: Type.Optional(
        Type.String({
          pattern: '^([01][0-9]|2[0-3]):[0-5][0-9]$',
          description: 'With `day`, the time of day, such as 08:00, which is the default.',
        }),
      ),
      timeZone: Type.Optional(
        Type.String({
          maxLength: 64,
          description: 'With `day`, the IANA time zone of that time, such as Europe/Berlin; UTC by default.',
        }),
      ),
    },
    {
      title: 'Digest',
      additionalProperties: false,
      description:
        'When the events since the last digest are sent, as one message. Only for messages for people, and without `ordered`.',
    },
  ),
);

/** How bodies show rows. */
export const bodyFields = {
  format: Type.Enum([...BODY_FORMATS], {
    description:
      'The form of bodies: `json`, the members alone; `cloudevents`, as the `data` of a CloudEvent 1.0 in structured mode; ' +
      '`slack`, `teams`, `discord` or `ntfy`, a message for people at the URL of a chat; or `mail`, a mail to a `mailto:` URL.',
  }),
  include: Type.Enum([...BODY_CONTENTS], {
    description:
      'What the body of a `delta` says of the rows: `keys`, the first 100 of each change type, or `rows`, also the values ' +
      'of those that the filters select, before and after. Messages for people show the first rows with either.',
  }),
  maxBodyBytes: Type.Integer({
    minimum: BODY_BYTES.min,
    maximum: BODY_BYTES.max,
    description: 'The largest body with rows, in bytes. `rowsUrl` continues with the rows that do not fit.',
  }),
  fields: nullable(
    Type.Array(columnField, {
      ...unique,
      maxItems: MAX_FILTER_COLUMNS,
      description: 'The columns of each row in the body.',
    }),
  ),
};

export const descriptionField = nullable(
  Type.String({
    // Line feeds are allowed; other control characters could affect a terminal.
    pattern: '^([^\\p{Cc}\\p{Cs}]|\\n)*$',
    maxLength: 500,
    description: 'printable text of at most 500 characters',
  }),
);

/** Which records an account's webhook is for. */
export const sourcesField = nullable(
  Type.Object(
    {
      ids: Type.Optional(
        Type.Array(Type.String({ pattern: '^src_[0-9a-f]{32}$', description: 'the id of a record' }), {
          uniqueItems: true,
          maxItems: 500,
          description:
            'These records, at least one in a new webhook. A deleted one leaves the list, and a list that is left empty can be ' +
            'sent back.',
        }),
      ),
      labels: Type.Optional(requiredLabelsField),
    },
    {
      title: 'WebhookSources',
      additionalProperties: false,
      minProperties: 1,
      maxProperties: 1,
      description: 'Either `ids` or `labels`.',
    },
  ),
);

const settings = {
  url: Type.String(),
  enabled: Type.Boolean(),
  disabledReason: nullable(
    Type.String({ description: 'Why it was disabled; null: it is enabled, or its owner disabled it.' }),
  ),
  disabledAt: nullable(time),
  description: descriptionField,
  eventTypes: Type.Array(Type.Enum([...WEBHOOK_EVENT_TYPES])),
  filters: filtersField,
  condition: conditionField,
  ...bodyFields,
  ...orderFields,
  quietHours: quietHoursField,
  failingAfter: failingAfterField,
  digest: digestField,
  previousSecretUntil: nullable(
    Type.String({
      ...time,
      description: 'Until when the secret before the last rotation still signs; null: never rotated.',
    }),
  ),
  failingSince: nullable(
    Type.String({
      ...time,
      description: 'When the current series of failed attempts began; null: the last attempt succeeded.',
    }),
  ),
  createdAt: time,
};

const fields = { id: Type.String(), sourceId: Type.String(), ...settings };

const accountFields = { id: Type.String(), sources: sourcesField, ...settings };

const secret = Type.String({ description: 'Shown only here.' });

const activity = Type.Optional(webhookActivitySchema);

export const webhookSchema = Type.Object({ ...fields, activity }, { title: 'Webhook' });

export const createdWebhookSchema = Type.Object({ ...fields, secret }, { title: 'CreatedWebhook' });

export const accountWebhookSchema = Type.Object({ ...accountFields, activity }, { title: 'AccountWebhook' });

export const createdAccountWebhookSchema = Type.Object(
  { ...accountFields, secret },
  { title: 'CreatedAccountWebhook' },
);

/** @param sourceId its record */
export function presentWebhook(webhook: PublicWebhook, sourceId: string): Static<typeof webhookSchema> {
  return { id: webhook.id, sourceId, ...presentSettings(webhook) };
}

export function presentAccountWebhook(webhook: PublicWebhook): Static<typeof accountWebhookSchema> {
  return { id: webhook.id, sources: sourcesOf(webhook), ...presentSettings(webhook) };
}

function sourcesOf({ recordIds, labels }: PublicWebhook): Static<typeof sourcesField> {
  if (recordIds !== null) return { ids: recordIds };
  return labels === null ? null : { labels: presentLabels(labels) };
}

function presentSettings(webhook: PublicWebhook) {
  const { url, enabled, disabledReason, description, eventTypes } = webhook;
  return {
    url,
    enabled,
    disabledReason,
    disabledAt: webhook.disabledAt?.toISOString() ?? null,
    description,
    eventTypes,
    filters: filtersOf(webhook),
    // Stored as it was given, and that was valid.
    condition: webhook.condition as Static<typeof conditionField>,
    format: webhook.format,
    include: webhook.include,
    maxBodyBytes: webhook.maxBodyBytes,
    fields: webhook.fields,
    ordered: webhook.ordered,
    onFailure: webhook.onFailure,
    quietHours: webhook.quietHours,
    failingAfter: webhook.failingAfter,
    digest: webhook.digest,
    previousSecretUntil: webhook.previousSecretUntil?.toISOString() ?? null,
    failingSince: webhook.failingSince?.toISOString() ?? null,
    createdAt: webhook.createdAt.toISOString(),
  };
}

/** In the form that was given, so that it can be sent back. */
function filtersOf({ changeTypes, columns, minChanges }: PublicWebhook): Static<typeof filtersField> {
  if (changeTypes === null && columns === null && minChanges === null) return null;
  return {
    ...(changeTypes === null ? {} : { changeTypes }),
    ...(columns === null ? {} : { columns }),
    ...(minChanges === null ? {} : { minChanges }),
  };
}
