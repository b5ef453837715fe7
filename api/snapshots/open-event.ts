// The delta event that a call is about.
import { ApiError } from '../../core/errors.ts';
import { type DeltaEventRow, findDeltaEvent, findLatestDeltaEvent } from '../../db/rows/delta-events.ts';
import type { Context } from '../contract/context.ts';
import { notFound } from '../contract/errors.ts';

/** @param reference an id, or `latest` @throws ApiError not_found: also for one of another record */
export async function openEvent(
  { db }: Pick<Context, 'db'>,
  recordId: string,
  reference: string,
): Promise<DeltaEventRow> {
  const isLatest = reference === 'latest';
  const event = await (isLatest
    ? findLatestDeltaEvent(db, recordId)
    : findDeltaEvent(db, recordId, reference));
  if (event !== undefined) return event;
  throw isLatest ? new ApiError('not_found', 'No check of this record has found data yet.') : notFound();
}
