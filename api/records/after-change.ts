// Tells a record's workflow about changed settings, and waits for their effect if the caller asked for that.
import { isRekeyDue } from '../../core/generation.ts';
import { findCheck } from '../../db/commit/checks.ts';
import type { TrackedRecord } from '../../db/records/records.ts';
import type { Context } from '../contract/context.ts';
import { readRecord } from '../access/get-record.ts';
import { isRekeyPending } from '../resources/record.ts';
import { tellWorkflow } from '../temporal/tell-workflow.ts';
import { waitUntil } from '../temporal/wait-until.ts';
import type { ChangeEffect } from './change-rows.ts';

/** @returns the record once the change took effect, or as it is when the caller's wait ends */
export async function afterChange(
  ctx: Context,
  { id, status }: TrackedRecord,
  effect: ChangeEffect,
): Promise<TrackedRecord> {
  const isCheckAwaited = effect === 'fetch' && ctx.waitMs > 0 && status === 'active';
  const checkId = isCheckAwaited ? await askForCheck(ctx, id) : undefined;
  if (checkId === undefined) await tellWorkflow(ctx, id, 'settingsChanged');
  const settled = await waitUntil(ctx, async () => {
    if (checkId !== undefined && (await findCheck(ctx.db, checkId)) === undefined) return undefined;
    const record = await readRecord(ctx, id);
    return isRekeyPending(record) ? undefined : record;
  });
  return settled ?? readRecord(ctx, id);
}

/**
 * Asks for a check by id, because a check that is already running uses the old settings.
 * @returns undefined when no worker answers: the change is committed, so the request does not fail
 */
async function askForCheck(ctx: Context, id: string): Promise<string | undefined> {
  // The rows are rekeyed before another body is compared with them.
  if (isRekeyDue(await readRecord(ctx, id))) await tellWorkflow(ctx, id, 'settingsChanged');
  return ctx.temporal.requestCheck(id).catch((error: unknown) => {
    ctx.log.error({ err: error, recordId: id }, 'could not request a check; signalling the workflow instead');
    return undefined;
  });
}
