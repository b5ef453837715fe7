// Webhooks of a record: list, read, create, change, delete, rotate the secret.
import { Type } from 'typebox';
import { changesBetween } from '../../../core/audit.ts';
import {
  deleteWebhook,
  insertWebhook,
  listWebhooks,
  type PublicWebhook,
  rotateSecret,
  updateWebhook,
} from '../../../db/webhooks/webhooks.ts';
import type { Database } from '../../../db/driver/knex.ts';
import { notFound } from '../../contract/errors.ts';
import { orderedPageQuery, recordParams, urlField, webhookParams } from '../../input/fields.ts';
import { requireRecentSignIn } from '../../access/admission.ts';
import { getRecord, getWebhook } from '../../access/find-named.ts';
import { defineOperation } from '../../contract/operation.ts';
import { readPage, recordEnvelope, USUAL_LIMITS } from '../../input/page.ts';
import { createdWebhookSchema, presentWebhook, webhookSchema } from '../../resources/webhook.ts';
import { readWebhook, sealWebhookSecret, secretField, webhookBody } from '../../webhooks/webhook-settings.ts';
import { generateWebhookSecret } from '../../../core/crypto/webhook-signature.ts';
import { ApiError } from '../../../core/errors.ts';
import { newId } from '../../contract/new-id.ts';

/** A webhook in the audit log. Its URL is often a secret. */
const targetOf = ({ id, description }: PublicWebhook) => ({ id, name: description });

const ofWebhook = {
  tag: 'Webhooks',
  scope: 'full',
  lock: { feature: 'Webhooks', creates: false },
} as const;

export const listRecordWebhooks = defineOperation({
  ...ofWebhook,
  name: 'listWebhooks',
  summary: 'List a record’s webhooks',
  http: { method: 'GET', path: '/v1/sources/:id/webhooks' },
  params: recordParams,
  query: orderedPageQuery,
  output: Type.Object({ ...recordEnvelope, webhooks: Type.Array(webhookSchema) }),
  async run(ctx, { order = 'desc', ...query }) {
    const { id: recordId } = getRecord(ctx);
    const { items, ...page } = await readPage<PublicWebhook, [string]>(
      ctx,
      { listing: 'webhooks', filters: { recordId, order }, limits: USUAL_LIMITS },
      query,
      ({ after, limit }) => listWebhooks(ctx.db, recordId, order, { after: after?.[0] ?? null, limit }),
      (webhook) => [webhook.id],
    );
    return { sourceId: recordId, ...page, webhooks: items.map(presentWebhook) };
  },
});

export const getOneWebhook = defineOperation({
  ...ofWebhook,
  name: 'getWebhook',
  summary: 'Read one webhook',
  http: { method: 'GET', path: '/v1/sources/:id/webhooks/:webhookId' },
  params: webhookParams,
  output: webhookSchema,
  run: async (ctx, { webhookId }) => presentWebhook(await getWebhook(ctx, webhookId)),
});

export const patchWebhook = defineOperation({
  ...ofWebhook,
  name: 'updateWebhook',
  audit: { action: 'webhook.update' },
  errors: ['url_not_allowed', 'recent_sign_in_required'],
  summary: 'Change a webhook, enable or disable it',
  description:
    'Disabling cancels the deliveries that wait for another attempt (`cancelled`); one that is being sent may still ' +
    'arrive. A disabled webhook gets no deliveries. Enabling it does not send the missed ones, but you can recover ' +
    'them. Enabling it, or setting another URL, clears the reason for which it was disabled and the time since when ' +
    'it failed.',
  http: { method: 'PATCH', path: '/v1/sources/:id/webhooks/:webhookId' },
  params: webhookParams,
  body: { url: Type.Optional(urlField), ...webhookBody },
  output: webhookSchema,
  async run(ctx, { id: _reference, webhookId, ...given }) {
    const record = getRecord(ctx);
    const changes = readWebhook(ctx, given);
    // A body without fields changes nothing, and is valid.
    const before = await getWebhook(ctx, webhookId);
    if (Object.keys(changes).length === 0) return presentWebhook(before);
    if (changes.url !== undefined && changes.url !== before.url)
      await requireRecentSignIn(ctx, 'save the URL');
    return ctx.db.transaction(async (trx) => {
      const webhook = await updateWebhook(trx, record.id, webhookId, changes);
      if (webhook === undefined) throw notFound();
      await ctx.audit(trx, {
        target: targetOf(webhook),
        changes: changesBetween(presentWebhook(before), given),
      });
      return presentWebhook(webhook);
    });
  },
});

export const removeWebhook = defineOperation({
  ...ofWebhook,
  name: 'deleteWebhook',
  audit: { action: 'webhook.delete' },
  summary: 'Delete a webhook with its deliveries',
  http: { method: 'DELETE', path: '/v1/sources/:id/webhooks/:webhookId', status: 204 },
  params: webhookParams,
  output: Type.Null(),
  async run(ctx, { webhookId }) {
    const record = getRecord(ctx);
    const inFirstStep = (trx: Database, webhook: PublicWebhook) =>
      ctx.audit(trx, { target: targetOf(webhook) });
    if (!(await deleteWebhook(ctx.db, record.id, webhookId, { inFirstStep }))) throw notFound();
    return null;
  },
});

const MAX_WEBHOOKS = 20;

export const createWebhook = defineOperation({
  name: 'createWebhook',
  audit: { action: 'webhook.create' },
  tag: 'Webhooks',
  scope: 'full',
  lock: { feature: 'Webhooks', creates: true },
  errors: ['url_not_allowed', 'conflict', 'recent_sign_in_required'],
  secrets: ['secret'],
  summary: 'Send a record’s changes to an endpoint',
  description:
    'Its signing secret (`secret`) is shown in this response only. A record has at most 20 webhooks.',
  http: { method: 'POST', path: '/v1/sources/:id/webhooks', status: 201 },
  params: recordParams,
  body: { url: urlField, secret: Type.Optional(secretField), ...webhookBody },
  output: createdWebhookSchema,
  async run(ctx, { id: _reference, secret: givenSecret, ...given }) {
    const secret = givenSecret ?? generateWebhookSecret();
    const record = getRecord(ctx);
    const settings = { url: given.url, ...readWebhook(ctx, given, secret) };
    await requireRecentSignIn(ctx, 'create the webhook');
    const id = newId('webhook', ctx.clock());
    const sealedSecret = await sealWebhookSecret(ctx, record.accountId, id, secret);
    const inserted = { ...settings, id, recordId: record.id, sealedSecret };
    const webhook = await ctx.db.transaction(async (trx) => {
      const made = await insertWebhook(trx, inserted, MAX_WEBHOOKS);
      if (made !== undefined) await ctx.audit(trx, { target: targetOf(made) });
      return made;
    });
    if (webhook === undefined) {
      throw new ApiError('conflict', `A record has at most ${MAX_WEBHOOKS} webhooks: delete one first.`);
    }
    return { ...presentWebhook(webhook), secret };
  },
});

const OVERLAP_HOURS = 24;

export const rotateWebhookSecret = defineOperation({
  name: 'rotateWebhookSecret',
  audit: { action: 'webhook.rotate_secret' },
  tag: 'Webhooks',
  scope: 'full',
  lock: { feature: 'Webhooks', creates: false },
  secrets: ['secret'],
  summary: 'Rotate a webhook’s signing secret',
  description: `The new secret is shown in this response only. For ${OVERLAP_HOURS} hours deliveries carry two signatures, one with the new secret and one with the previous one, so that receivers can switch. Rotating again within that time ends the older one: to end a secret at once, rotate twice.`,
  http: { method: 'POST', path: '/v1/sources/:id/webhooks/:webhookId/rotate-secret' },
  params: webhookParams,
  body: { secret: Type.Optional(secretField) },
  output: createdWebhookSchema,
  async run(ctx, { webhookId, secret: givenSecret }) {
    const secret = givenSecret ?? generateWebhookSecret();
    const { id: recordId, accountId } = getRecord(ctx);
    readWebhook(ctx, {}, secret);
    const sealedSecret = await sealWebhookSecret(ctx, accountId, webhookId, secret);
    const rotation = { sealedSecret, overlapHours: OVERLAP_HOURS };
    return ctx.db.transaction(async (trx) => {
      const webhook = await rotateSecret(trx, recordId, webhookId, rotation);
      if (webhook === undefined) throw notFound();
      await ctx.audit(trx, { target: targetOf(webhook) });
      return { ...presentWebhook(webhook), secret };
    });
  },
});
