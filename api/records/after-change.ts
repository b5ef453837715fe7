// Telling a record's workflow of other settings, and answering with what they lead to if the caller waits for that.
import { findCheck } from '../../db/commit/checks.ts';
import type { TrackedRecord } from '../../db/records/records.ts';
import type { Context } from '../contract/context.ts';
import { readRecord } from '../access/get-record.ts';
import { isRekeyPending } from '../resources/record.ts';
import { tellWorkflow } from '../temporal/tell-workflow.ts';
import { waitUntil } from '../temporal/wait-until.ts';

interface ChangeEffects {
  /** The settings have the origin asked at once. */
  isFetched: boolean;
  /** The rows that stand are read again under another rule. */
  isRekeyed: boolean;
}

/** The record once it was checked, or its rows are those of its settings; or as it is when the caller's patience ends. */
export async function afterChange(
  ctx: Context,
  { id, status }: TrackedRecord,
  { isFetched, isRekeyed }: ChangeEffects,
): Promise<TrackedRecord> {
  const isCheckAwaited = isFetched && ctx.waitMs > 0 && status === 'active';
  // The rows are brought under their rule before a body is compared with them.
  if (isRekeyed || !isCheckAwaited) await tellWorkflow(ctx, id, 'settingsChanged');
  // A check that has a name can be waited for; one that may be under way already shows the settings from before.
  const checkId = isCheckAwaited ? await askForCheck(ctx, id) : undefined;
  if (isCheckAwaited && !isRekeyed && checkId === undefined) await tellWorkflow(ctx, id, 'settingsChanged');
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
