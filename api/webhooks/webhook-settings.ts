// The settings of a webhook: their fields in request bodies, their rules, and the sealed secret.
import { type Static, Type } from 'typebox';
import { conditionErrors } from '../input/condition-text.ts';
import { readCondition } from '../../core/conditions/condition.ts';
import { webhookSigningKey } from '../../core/crypto/webhook-signature.ts';
import { ApiError, type FieldError } from '../../core/errors.ts';
import { checkUrl } from '../../core/network/origin-url.ts';
import { isMailUrl, WEBHOOK_EVENT_TYPES } from '../../core/deliveries.ts';
import type { WebhookSettings } from '../../db/webhooks/webhooks.ts';
import type { Context } from '../contract/context.ts';
import { endpointField } from '../input/fields.ts';
import { nullable } from '../resources/shapes.ts';
import {
  bodyFields,
  conditionField,
  descriptionField,
  digestField,
  failingAfterField,
  filtersField,
  orderFields,
  quietHoursField,
} from '../resources/webhook.ts';
import { digestFaults, readDigest } from './digest-setting.ts';
import { sealField, unwrapDataKey, webhookSecretContext } from '../../core/crypto/envelope.ts';
import { requireAccount } from '../../db/accounts/accounts.ts';

const unique = { uniqueItems: true, minItems: 1 } as const;

export const secretField = nullable(
  Type.String({
    writeOnly: true,
    description:
      'Signs the deliveries; generated if not given or null. `whsec_` and base64 of 24 to 64 bytes, or any text of ' +
      'up to 512 bytes, whose UTF-8 bytes are the key. Give at least 24 random bytes.',
  }),
);

export const webhookBody = {
  eventTypes: Type.Optional(
    Type.Array(Type.Enum([...WEBHOOK_EVENT_TYPES]), {
      ...unique,
      description: 'Which events to send; by default `delta` only.',
    }),
  ),
  description: Type.Optional(descriptionField),
  filters: Type.Optional(
    Type.Union(filtersField.anyOf, {
      description:
        'Which `delta` events to send: all of these must hold. Replaces the previous filters; null: all events.',
    }),
  ),
  condition: Type.Optional(
    Type.Union(conditionField.anyOf, {
      description:
        'Which of these `delta` events to send, by their counts and the values of their rows; null: all. In the form of JSONLogic.',
    }),
  ),
  format: Type.Optional(bodyFields.format),
  include: Type.Optional(bodyFields.include),
  maxBodyBytes: Type.Optional(bodyFields.maxBodyBytes),
  fields: Type.Optional(
    Type.Union(bodyFields.fields.anyOf, {
      description: 'The columns of each row in the body, with `include: "rows"`; null: all columns.',
    }),
  ),
  ordered: Type.Optional(orderFields.ordered),
  onFailure: Type.Optional(orderFields.onFailure),
  quietHours: Type.Optional(quietHoursField),
  failingAfter: Type.Optional(failingAfterField),
  digest: Type.Optional(digestField),
  enabled: Type.Optional(Type.Boolean({ description: 'A disabled webhook gets no deliveries.' })),
};

const givenWebhook = Type.Object({ url: Type.Optional(endpointField), ...webhookBody });
export type GivenWebhook = Static<typeof givenWebhook>;

/**
 * Validates the given fields, and returns the columns to store. Whether the URL fits the format is for webhook-target.ts.
 * @throws ApiError with every error of URL, condition, digest and secret
 */
export function readWebhook(
  { reach }: Pick<Context, 'reach'>,
  { url, filters: givenFilters, digest, ...given }: GivenWebhook,
  secret?: string,
): Partial<WebhookSettings> {
  const verdict = url === undefined || isMailUrl(url) ? undefined : checkUrl(url, reach.account);
  const errors = [
    ...conditionFaults(given.condition),
    ...digestFaults(digest),
    ...(secret === undefined ? [] : secretFaults(secret)),
  ];
  if (verdict !== undefined && 'error' in verdict) {
    const { code, detail } = verdict.error;
    throw new ApiError(code, detail, { errors: [{ pointer: '/url', code, detail }, ...errors] });
  }
  const [first] = errors;
  if (first !== undefined) throw new ApiError('validation_failed', first.detail, { errors });
  return {
    ...given,
    ...(url === undefined ? {} : { url: verdict?.url.href ?? url }),
    ...(givenFilters === undefined ? {} : columnsOfFilters(givenFilters)),
    ...(digest === undefined ? {} : { digest: readDigest(digest) }),
  };
}

export function conditionFaults(condition: object | null | undefined): FieldError[] {
  if (condition === undefined || condition === null) return [];
  const read = readCondition(condition);
  return 'condition' in read ? [] : conditionErrors(read.faults);
}

export function columnsOfFilters(given: Static<typeof filtersField>) {
  const { changeTypes = null, columns = null, minChanges = null } = given ?? {};
  return { changeTypes, columns, minChanges };
}

function secretFaults(secret: string): FieldError[] {
  try {
    webhookSigningKey(secret);
    return [];
  } catch (error) {
    // The message says what is expected, without the secret.
    const detail = error instanceof Error ? error.message : 'is not usable';
    return [{ pointer: '/secret', code: 'invalid_value', detail }];
  }
}

export async function sealWebhookSecret(
  { db, config }: Pick<Context, 'db' | 'config'>,
  accountId: string,
  webhookId: string,
  secret: string,
): Promise<Buffer> {
  const { wrappedDataKey } = await requireAccount(db, accountId);
  const dataKey = unwrapDataKey(config.keyEncryptionKeys, accountId, wrappedDataKey);
  return sealField(dataKey, secret, webhookSecretContext(accountId, webhookId));
}
