// The record that a call is about.
import { findVisibleRecord, type TrackedRecord } from '../db/records.ts';
import type { Context } from './context.ts';
import { notFound } from './errors.ts';

/** As it was when the call was let in. @throws ApiError not_found: also for one that the principal may not see */
export function getRecord({ record }: Pick<Context, 'record'>): TrackedRecord {
  if (record === null) throw notFound();
  return record;
}

/** As it is now. @throws ApiError not_found when it was deleted meanwhile */
export async function readRecord({ db, principal }: Context, id: string): Promise<TrackedRecord> {
  return getRecord({ record: (await findVisibleRecord(db, principal, id)) ?? null });
}
