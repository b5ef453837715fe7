// Telling a record's workflow of other settings, and answering with what they lead to if the caller waits for that.
import { findCheck } from '../db/checks.ts';
import type { TrackedRecord } from '../db/records.ts';
import type { Context } from './context.ts';
import { readRecord } from './get-record.ts';
import { isRekeyPending } from './resources/record.ts';
import { tellWorkflow } from './tell-workflow.ts';
import { waitUntil } from './wait-until.ts';

/**
 * The record once it was checked, or its rows are those of its settings; or as it is when the caller's patience ends.
 * @param isFetched the settings have the origin asked at once
 */
export async function afterChange(
  ctx: Context,
  { id, status }: TrackedRecord,
  isFetched: boolean,
): Promise<TrackedRecord> {
  // A check that has a name can be waited for; one that may be under way already shows the settings from before.
  const checkId = isFetched && ctx.waitMs > 0 && status === 'active' ? await askForCheck(ctx, id) : undefined;
  if (checkId === undefined) await tellWorkflow(ctx, id, 'settingsChanged');
  const settled = await waitUntil(ctx, async () => {
    if (checkId !== undefined && (await findCheck(ctx.db, checkId)) === undefined) return undefined;
    const record = await readRecord(ctx, id);
    return isRekeyPending(record) ? undefined : record;
  });
  return settled ?? readRecord(ctx, id);
}

/** The change is committed, so the caller's request has succeeded, whether or not a worker answers. */
const askForCheck = (ctx: Context, id: string): Promise<string | undefined> =>
  ctx.temporal.requestCheck(id).catch((error: unknown) => {
    ctx.log.error({ err: error, recordId: id }, 'no check could be asked for; the workflow is told instead');
    return undefined;
  });
