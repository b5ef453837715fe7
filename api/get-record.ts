// From a reference in a path to the record it means for this caller.
import { findVisibleRecord, type TrackedRecord } from '../db/records.ts';
import type { Context } from './context.ts';
import { notFound } from './errors.ts';

/** @throws ApiError not_found: also for a record that the principal may not see */
export async function getRecord({ db, principal }: Context, reference: string): Promise<TrackedRecord> {
  const record = await findVisibleRecord(db, principal, reference);
  if (record === undefined) throw notFound();
  return record;
}
