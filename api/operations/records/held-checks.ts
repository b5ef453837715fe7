// Decisions of a person about a held check: accept or discard it.
import { type Static, Type } from 'typebox';
import { ApiError } from '../../../core/errors.ts';
import type { CheckDecision } from '../../../core/checks.ts';
import { type CheckRow, findCheck } from '../../../db/check-log.ts';
import type { Database } from '../../../db/driver/knex.ts';
import { decideHeldCheck, isHeldRecorded } from '../../../db/records/held-checks.ts';
import { findRecord } from '../../../db/records/records.ts';
import type { Audit } from '../../contract/audit.ts';
import type { Context } from '../../contract/context.ts';
import { notFound } from '../../contract/errors.ts';
import { checkParams } from '../../input/fields.ts';
import { getRecord } from '../../access/find-named.ts';
import { defineOperation } from '../../contract/operation.ts';
import { checkDetailSchema, presentCheckDetail } from '../../resources/check.ts';
import { readAfterCommit } from '../../temporal/after-commit.ts';
import { tellWorkflow } from '../../temporal/workflows.ts';
import { waitUntil } from '../../temporal/wait-until.ts';

type CheckDetail = Static<typeof checkDetailSchema>;

const acceptedSchema = Type.Object(
  {
    ...checkDetailSchema.properties,
    isRecorded: Type.Boolean({
      description:
        'Whether the decision took effect. If not, a worker will record the held body soon, unless a newer check ' +
        'comes first or the body cannot be read: see the record’s checks.',
    }),
  },
  { title: 'AcceptedCheck' },
);

export const acceptCheck = defineOperation({
  name: 'acceptCheck',
  audit: { action: 'check.accept' },
  tag: 'Checks',
  scope: 'full',
  errors: ['conflict'],
  summary: 'Accept a held check',
  description:
    'Records the held body as it was received, without another fetch, as a check of its own (trigger `accepted`) ' +
    'with its delta event. If the check was held for `key_repeated`, the key is detected again from its body, which ' +
    'begins a generation: the event is `rekeyed`, and no row counts as changed. Only the record’s latest held check ' +
    'can be decided, and only once; otherwise 409.',
  http: {
    method: 'POST',
    path: '/v1/sources/:id/checks/:checkId/accept',
    status: ({ isRecorded }: Static<typeof acceptedSchema>) => (isRecorded ? 200 : 202),
    statuses: [200, 202],
  },
  params: checkParams,
  mayWait: true,
  output: acceptedSchema,
  async run(ctx, { checkId }) {
    const decided = await decide(ctx, checkId, 'accepted');
    const { id: recordId } = getRecord(ctx);
    await tellWorkflow(ctx, recordId, 'settingsChanged');
    return readAfterCommit(ctx.log, { ...decided, isRecorded: false }, async () => {
      await waitUntil(ctx, async () => {
        const record = await findRecord(ctx.db, recordId);
        return record?.heldCheckId === checkId ? undefined : true;
      });
      return {
        ...(await readDetail(ctx.db, recordId, checkId)),
        isRecorded: await isHeldRecorded(ctx.db, { recordId, checkId }),
      };
    });
  },
});

export const rejectCheck = defineOperation({
  name: 'rejectCheck',
  audit: { action: 'check.reject' },
  tag: 'Checks',
  scope: 'full',
  errors: ['conflict'],
  summary: 'Discard a held check',
  description:
    'The last snapshot stays. After `sharp_drop`, later such bodies with about as many rows (within 10 %) are ' +
    'held, and a second one does not confirm them: each needs to be accepted. After `key_repeated`, each check is ' +
    'held while the key repeats; other `keyFields` end that. A check that finds the data again ends both. Only the ' +
    'record’s latest held check can be decided, and only once; otherwise 409.',
  http: { method: 'POST', path: '/v1/sources/:id/checks/:checkId/reject' },
  params: checkParams,
  output: checkDetailSchema,
  run: (ctx, { checkId }) => decide(ctx, checkId, 'rejected'),
});

/**
 * @returns the decided check
 * @throws ApiError not_found, conflict
 */
async function decide(
  ctx: Context & { audit: Audit },
  checkId: string,
  decision: CheckDecision,
): Promise<CheckDetail> {
  const { id: recordId, name } = getRecord(ctx);
  const decided = await ctx.db.transaction(async (trx) => {
    if (!(await decideHeldCheck(trx, { recordId, checkId, decision }))) return undefined;
    await ctx.audit(trx, { target: { id: checkId, name } });
    return readDetail(trx, recordId, checkId);
  });
  if (decided !== undefined) return decided;
  const check = await findCheck(ctx.db, recordId, checkId);
  if (check === undefined) throw notFound();
  if (check.outcome !== 'held') throw new ApiError('conflict', 'The check is not held.');
  // The caller repeats the call when no answer came, and the workflow may have got no signal either.
  if (check.decision === 'accepted') await tellWorkflow(ctx, recordId, 'settingsChanged');
  if (check.decision !== null) throw new ApiError('conflict', `The check was ${check.decision} already.`);
  throw new ApiError('conflict', await whyNotHeld(ctx.db, check));
}

/** A body that is held while an accepted one waits to be recorded does not take its place. */
async function whyNotHeld(db: Database, { recordId, number }: CheckRow): Promise<string> {
  const record = await findRecord(db, recordId);
  const { isHeldAccepted = false, heldCheckId = null } = record ?? {};
  const accepted = isHeldAccepted && heldCheckId !== null && (await findCheck(db, recordId, heldCheckId));
  if (accepted && accepted.number < number)
    return 'An earlier check was accepted, and its body is recorded first. Wait for the next check.';
  return 'A later check has replaced this one, which is no longer held.';
}

async function readDetail(db: Database, recordId: string, checkId: string): Promise<CheckDetail> {
  const check = await findCheck(db, recordId, checkId);
  if (check === undefined) throw notFound();
  return presentCheckDetail(check);
}
