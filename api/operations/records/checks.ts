// Checks of a record: request one, list them.
import { type Static, Type } from 'typebox';
import { ApiError } from '../../../core/errors.ts';
import { type CheckRow, findCheck, listChecks } from '../../../db/check-log.ts';
import { takeExtraCheck } from '../../access/usage-limits.ts';
import type { Context } from '../../contract/context.ts';
import { notFound } from '../../contract/errors.ts';
import { checkParams, orderedPageQuery, recordParams } from '../../input/fields.ts';
import { getRecord } from '../../access/find-named.ts';
import { defineOperation } from '../../contract/operation.ts';
import { readPage, recordEnvelope, USUAL_LIMITS } from '../../input/page.ts';
import {
  checkDetailSchema,
  checkSchema,
  presentCheck,
  presentCheckDetail,
  presentPendingCheck,
} from '../../resources/check.ts';
import { readAfterCommit } from '../../temporal/after-commit.ts';
import { waitUntil } from '../../temporal/wait-until.ts';

export const checkRecord = defineOperation({
  name: 'checkRecord',
  audit: { action: 'record.check', isMerged: true },
  tag: 'Checks',
  scope: 'full',
  errors: ['conflict', 'rate_limited'],
  summary: 'Check a record now',
  http: {
    method: 'POST',
    path: '/v1/sources/:id/check',
    status: ({ outcome }: Static<typeof checkSchema>) => (outcome === null ? 202 : 200),
    statuses: [200, 202],
  },
  params: recordParams,
  mayWait: true,
  output: checkSchema,
  async run(ctx) {
    const record = getRecord(ctx);
    if (record.status === 'paused') throw new ApiError('conflict', 'The record is paused: resume it first.');
    if (ctx.principal.kind === 'ephemeral') await takeExtraCheck(ctx.db, record.id);
    // Before the request, which no transaction holds: a request that fails after this may leave an entry, never the reverse.
    await ctx.audit(ctx.db, { target: record });
    const checkId = await ctx.temporal.requestCheck(record.id);
    const check =
      ctx.waitMs === 0
        ? undefined
        : await readAfterCommit(ctx.log, undefined, () =>
            waitUntil(ctx, () => findCheck(ctx.db, record.id, checkId)),
          );
    return check === undefined ? presentPendingCheck(checkId, record.id) : presentCheck(check);
  },
});

/** Undefined if the check that was requested is not done yet. */
export async function findFinishedCheck(
  ctx: Context,
  checkId: string,
): Promise<Static<typeof checkSchema> | undefined> {
  const check = await findCheck(ctx.db, getRecord(ctx).id, checkId);
  return check === undefined ? undefined : presentCheck(check);
}

export const listRecordChecks = defineOperation({
  name: 'listChecks',
  tag: 'Checks',
  scope: 'read',
  summary: 'List a record’s checks with their outcomes',
  http: { method: 'GET', path: '/v1/sources/:id/checks' },
  params: recordParams,
  query: orderedPageQuery,
  output: Type.Object({ ...recordEnvelope, checks: Type.Array(checkSchema) }),
  async run(ctx, { order = 'desc', ...query }) {
    const { id: recordId } = getRecord(ctx);
    const listing = { listing: 'checks', filters: { recordId, order }, limits: USUAL_LIMITS };
    const { items, ...page } = await readPage<CheckRow, [number]>(
      ctx,
      listing,
      query,
      ({ after, limit }) => listChecks(ctx.db, recordId, order, { after: after?.[0] ?? null, limit }),
      (check) => [check.number],
    );
    return { sourceId: recordId, ...page, checks: items.map(presentCheck) };
  },
});

export const getCheck = defineOperation({
  name: 'getCheck',
  tag: 'Checks',
  scope: 'read',
  summary: 'Read one check; for a held one also what it would change',
  http: { method: 'GET', path: '/v1/sources/:id/checks/:checkId' },
  params: checkParams,
  output: checkDetailSchema,
  async run(ctx, { checkId }) {
    const check = await findCheck(ctx.db, getRecord(ctx).id, checkId);
    if (check === undefined) throw notFound();
    return presentCheckDetail(check);
  },
});
