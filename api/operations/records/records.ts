// Reads, deletes, pauses and resumes a record.
import { Type } from 'typebox';
import { findLastChange } from '../../../db/records/visible-records.ts';
import type { Knex } from '../../../db/driver/knex.ts';
import { lockNextCheck, lockRecord } from '../../../db/records/lock-record.ts';
import {
  markRecordDeleted,
  readWritten,
  setNextCheck,
  type TrackedRecord,
  updateRecord,
} from '../../../db/records/records.ts';
import { findLastAnswer } from '../../../db/records/last-answer.ts';
import { listEndedWebhooks } from '../../../db/webhooks/ended-webhooks.ts';
import { takeExtraCheck } from '../../access/usage-limits.ts';
import type { Audit } from '../../contract/audit.ts';
import type { Context } from '../../contract/context.ts';
import { notFound } from '../../contract/errors.ts';
import { recordParams } from '../../input/fields.ts';
import { getRecord } from '../../access/find-named.ts';
import { defineOperation } from '../../contract/operation.ts';
import { presentAnswer } from '../../resources/check.ts';
import { presentNotice, presentRecord, recordSchema } from '../../resources/record.ts';
import { tellWorkflow } from '../../temporal/workflows.ts';

export const getOneRecord = defineOperation({
  name: 'getRecord',
  tag: 'Records',
  scope: 'read',
  summary: 'Read one record',
  http: { method: 'GET', path: '/v1/sources/:id' },
  params: recordParams,
  output: recordSchema,
  async run(ctx) {
    const record = getRecord(ctx);
    const isFailing = record.consecutiveFailures > 0;
    const [notices, lastChangeAt, last] = await Promise.all([
      listEndedWebhooks(ctx.db, record.id),
      findLastChange(ctx.db, record.id),
      isFailing ? findLastAnswer(ctx.db, record.id) : undefined,
    ]);
    return {
      ...presentRecord(record),
      lastChangeAt: lastChangeAt?.toISOString() ?? null,
      originAnswer: last === undefined ? null : presentAnswer(last),
      notices: notices.map(presentNotice),
    };
  },
});

export const deleteRecord = defineOperation({
  name: 'deleteRecord',
  audit: { action: 'record.delete' },
  tag: 'Records',
  scope: 'full',
  summary: 'Delete a record with all of its history',
  http: { method: 'DELETE', path: '/v1/sources/:id', status: 204 },
  params: recordParams,
  output: Type.Null(),
  async run(ctx) {
    const record = getRecord(ctx);
    await ctx.db.transaction(async (trx) => {
      await lockForCaller(trx, record);
      await markRecordDeleted(trx, record.id);
      await ctx.audit(trx, { target: record });
    });
    await tellWorkflow(ctx, record.id, 'deleted');
    return null;
  },
});

export const pauseRecord = defineOperation({
  name: 'pauseRecord',
  audit: { action: 'record.pause' },
  tag: 'Records',
  scope: 'full',
  summary: 'Stop checking a record until it is resumed',
  http: { method: 'POST', path: '/v1/sources/:id/pause' },
  params: recordParams,
  output: recordSchema,
  run: (ctx) => setStatus(ctx, 'paused'),
});

export const resumeRecord = defineOperation({
  name: 'resumeRecord',
  audit: { action: 'record.resume' },
  tag: 'Records',
  scope: 'full',
  summary: 'Resume a paused record, with a check at once',
  http: { method: 'POST', path: '/v1/sources/:id/resume' },
  params: recordParams,
  output: recordSchema,
  run: (ctx) => setStatus(ctx, 'active'),
});

/** Does nothing if the record has this status already. */
async function setStatus(ctx: Context & { audit: Audit }, status: 'active' | 'paused') {
  const record = getRecord(ctx);
  if (record.status === status) return presentRecord(record);
  // Resuming checks at once, so pausing and resuming must not be a way around the limit.
  if (status === 'active' && ctx.principal.kind === 'ephemeral') await takeExtraCheck(ctx.db, record.id);
  const changed = await ctx.db.transaction(async (trx) => {
    if (status === 'active') await lockNextCheck(trx, record.id);
    await lockForCaller(trx, record);
    await updateRecord(trx, record.id, { status });
    // Lets reconciling find the record if its workflow misses the message. Pausing does not touch the head, because a
    // running commit may hold its lock; the workflow clears the time when it learns of the pause.
    if (status === 'active') await setNextCheck(trx, record.id, 0);
    await ctx.audit(trx, { target: record });
    return readWritten(trx, record.id);
  });
  await tellWorkflow(ctx, record.id, status === 'active' ? 'resumed' : 'paused');
  return presentRecord(changed);
}

/** Another account may have kept the record since the request was admitted. It then no longer belongs to the caller. */
async function lockForCaller(trx: Knex.Transaction, record: TrackedRecord): Promise<void> {
  if ((await lockRecord(trx, record)) === undefined) throw notFound();
}
