// POST /v1/sources/:id/webhooks
import { Type } from 'typebox';
import { sealField, unwrapDataKey } from '../../core/crypto/envelope.ts';
import { generateWebhookSecret, webhookSigningKey } from '../../core/crypto/webhook-signature.ts';
import { ApiError, type FieldError } from '../../core/errors.ts';
import { checkUrl } from '../../core/network/origin-url.ts';
import { webhookSecretContext } from '../../core/seal-contexts.ts';
import { findAccount } from '../../db/accounts.ts';
import { insertWebhook } from '../../db/webhooks.ts';
import type { Context } from '../context.ts';
import { recordParams, urlField } from '../fields.ts';
import { getRecord } from '../get-record.ts';
import { newId } from '../new-id.ts';
import { defineOperation } from '../operation.ts';
import { createdWebhookSchema, presentWebhook } from '../resources/webhook.ts';

const MAX_WEBHOOKS = 20;

export const createWebhook = defineOperation({
  name: 'createWebhook',
  tag: 'Webhooks',
  scope: 'full',
  lock: { feature: 'Webhooks', creates: true },
  errors: ['url_not_allowed', 'conflict'],
  secrets: ['secret'],
  summary: 'Have a record’s changes pushed to an endpoint',
  http: { method: 'POST', path: '/v1/sources/:id/webhooks', status: 201 },
  params: recordParams,
  body: {
    url: urlField,
    secret: Type.Optional(
      Type.String({ description: 'Signs the deliveries; made and shown once when not given.' }),
    ),
  },
  output: createdWebhookSchema,
  async run(ctx, { url: givenUrl, secret = generateWebhookSecret() }) {
    const record = getRecord(ctx);
    const url = checkFields(ctx, givenUrl, secret);
    const id = newId('webhook', ctx.clock());
    const sealedSecret = await seal(ctx, record.accountId, id, secret);
    const webhook = await insertWebhook(ctx.db, { id, recordId: record.id, url, sealedSecret }, MAX_WEBHOOKS);
    if (webhook === undefined) {
      throw new ApiError('conflict', `A record has at most ${MAX_WEBHOOKS} webhooks: delete one first.`);
    }
    return { ...presentWebhook(webhook), secret };
  },
});

/** The URL as it is to be stored. @throws ApiError with every fault of URL and secret */
function checkFields({ allowedNetworks }: Context, givenUrl: string, secret: string): string {
  const verdict = checkUrl(givenUrl, allowedNetworks);
  const errors = secretFaults(secret);
  if ('error' in verdict) {
    const { code, detail } = verdict.error;
    throw new ApiError(code, detail, { errors: [{ pointer: '/url', code, detail }, ...errors] });
  }
  const [first] = errors;
  if (first !== undefined) throw new ApiError('validation_failed', first.detail, { errors });
  return verdict.url.href;
}

function secretFaults(secret: string): FieldError[] {
  try {
    webhookSigningKey(secret);
    return [];
  } catch (error) {
    // Its words say what is wanted, without the secret.
    const detail = error instanceof Error ? error.message : 'is not usable';
    return [{ pointer: '/secret', code: 'invalid_value', detail }];
  }
}

async function seal(
  { db, config }: Context,
  accountId: string,
  webhookId: string,
  secret: string,
): Promise<Buffer> {
  const account = await findAccount(db, accountId);
  if (account === undefined) throw new Error('The account vanished while its webhook was being created');
  const dataKey = unwrapDataKey(config.keyEncryptionKeys, accountId, account.wrappedDataKey);
  return sealField(dataKey, secret, webhookSecretContext(accountId, webhookId));
}
