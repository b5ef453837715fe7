// POST /v1/sources/:id/webhooks/:webhookId/recover
import { type Static, Type } from 'typebox';
import { ApiError } from '../../../core/errors.ts';
import type { Database } from '../../../db/driver/knex.ts';
import { recoverDeliveries } from '../../../db/webhooks/reopen-deliveries.ts';
import { invalidField } from '../../contract/errors.ts';
import { webhookParams } from '../../input/fields.ts';
import { getRecord } from '../../access/get-record.ts';
import { getWebhook } from '../../access/get-webhook.ts';
import { readSlowly } from '../../capacity/slow-reads.ts';
import { defineOperation } from '../../contract/operation.ts';
import { webhookDisabled } from '../../webhooks/send-delivery.ts';
import { edgeField, readSinceTime } from '../../input/since.ts';
import { tellDeliveries } from '../../temporal/tell-workflow.ts';

const MAX_DELIVERIES = 10_000;

const recoverySchema = Type.Object(
  {
    webhookId: Type.String(),
    dryRun: Type.Boolean(),
    count: Type.Integer({ description: 'Deliveries that are sent, or with `dryRun` would be.' }),
    hasMore: Type.Boolean({ description: 'There are more: repeat the request when these are sent.' }),
  },
  { title: 'Recovery' },
);

export const recoverWebhook = defineOperation({
  name: 'recoverWebhook',
  tag: 'Webhooks',
  scope: 'full',
  lock: { feature: 'Webhooks', creates: false },
  errors: ['conflict', 'gone', 'query_too_expensive'],
  summary: 'Send what a webhook has missed',
  description:
    'Everything since a time or an event that failed, that was cancelled because the webhook was disabled, or that was ' +
    'never to be sent because it was: oldest first, each with ten attempts. Deliveries keep their ids. Of what was never ' +
    'to be sent, delta events alone can be recovered: those since the webhook was made that its filters ask for.',
  http: {
    method: 'POST',
    path: '/v1/sources/:id/webhooks/:webhookId/recover',
    status: ({ dryRun }: Static<typeof recoverySchema>) => (dryRun ? 200 : 202),
    statuses: [200, 202],
  },
  params: webhookParams,
  body: {
    since: edgeField('Only what happened after this ISO 8601 time or event id.'),
    dryRun: Type.Optional(Type.Boolean({ description: 'Only counts. false unless given.' })),
  },
  output: recoverySchema,
  async run(ctx, { webhookId, since, dryRun = false }) {
    const record = getRecord(ctx);
    const { enabled, columns } = await getWebhook(ctx, webhookId);
    if (!enabled) throw webhookDisabled();
    const time = await readSinceTime(ctx, record, since).catch((error: unknown) => {
      throw ofBody(error);
    });
    const request = { since: time, isDryRun: dryRun, limit: MAX_DELIVERIES };
    const recover = (db: Database) => recoverDeliveries(db, webhookId, request);
    // A filter of columns reads the rows of past events.
    const recovery = columns === null ? await recover(ctx.db) : await readSlowly(ctx, recover);
    if (recovery === undefined) throw webhookDisabled();
    if (!dryRun && recovery.count > 0) await tellDeliveries(ctx, { backlogOf: webhookId });
    return { webhookId, dryRun, ...recovery };
  },
});

/** It is a field here, not a parameter. */
function ofBody(error: unknown): unknown {
  const [fault] = error instanceof ApiError && error.code === 'invalid_parameter' ? error.errors : [];
  return fault === undefined ? error : invalidField('/since', fault.code, fault.detail);
}
