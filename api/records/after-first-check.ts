// Answering a creation with the record once it has been looked at, if the caller waits for that.
import { findRecord, type TrackedRecord } from '../../db/records/records.ts';
import type { PublicContext } from '../contract/context.ts';
import { waitUntil } from '../temporal/wait-until.ts';

/** The record once its first check is committed, or as it is when the caller's patience ends. */
export async function afterFirstCheck(ctx: PublicContext, id: string): Promise<TrackedRecord> {
  const checked = await waitUntil(ctx, async () => {
    const record = await findRecord(ctx.db, id);
    return record !== undefined && (record.lastCheckedAt !== null || ctx.waitMs === 0) ? record : undefined;
  });
  const record = checked ?? (await findRecord(ctx.db, id));
  if (record === undefined) throw new Error('The record vanished while it was being created');
  return record;
}
