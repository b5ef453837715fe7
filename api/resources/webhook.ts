// A webhook in responses. Its secret is only in the responses to its creation and to a rotation.
import { type Static, Type } from 'typebox';
import { WEBHOOK_EVENT_TYPES } from '../../core/deliveries.ts';
import type { PublicWebhook } from '../../db/webhooks/webhooks.ts';
import { nullable, time } from './shapes.ts';
import { CHANGE_TYPES } from '../../db/rows/delta-rows.ts';
import { columnField } from '../input/fields.ts';

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

export const descriptionField = nullable(
  Type.String({
    // Line feeds are allowed; other control characters could affect a terminal.
    pattern: '^([^\\p{Cc}\\p{Cs}]|\\n)*$',
    maxLength: 500,
    description: 'printable text of at most 500 characters',
  }),
);

const fields = {
  id: Type.String(),
  sourceId: Type.String(),
  url: Type.String(),
  enabled: Type.Boolean(),
  disabledReason: nullable(
    Type.String({ description: 'Why it was disabled; null: it is enabled, or its owner disabled it.' }),
  ),
  disabledAt: nullable(time),
  description: descriptionField,
  eventTypes: Type.Array(Type.Enum([...WEBHOOK_EVENT_TYPES])),
  filters: filtersField,
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

export const webhookSchema = Type.Object(fields, { title: 'Webhook' });

export const createdWebhookSchema = Type.Object(
  {
    ...fields,
    secret: Type.String({ description: 'Shown only here.' }),
  },
  { title: 'CreatedWebhook' },
);

export function presentWebhook(webhook: PublicWebhook): Static<typeof webhookSchema> {
  const { id, recordId, url, enabled, disabledReason, description, eventTypes } = webhook;
  return {
    id,
    sourceId: recordId,
    url,
    enabled,
    disabledReason,
    disabledAt: webhook.disabledAt?.toISOString() ?? null,
    description,
    eventTypes,
    filters: filtersOf(webhook),
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
