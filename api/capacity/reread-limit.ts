// How often a record's stored body is read again because somebody asks for it: each time may take minutes of a worker
// and, for new key fields, as much room as all of its rows.
import { ApiError } from '../../core/errors.ts';
import type { Database } from '../../db/driver/knex.ts';
import { rereadsSubject, takeOne } from '../../db/usage/usage-counters.ts';

export const REREADS_PER_HOUR = 30;

/** @throws ApiError rate_limited */
export async function takeReread(db: Database, recordId: string): Promise<void> {
  const { isTaken, resetInSeconds } = await takeOne(db, rereadsSubject(recordId), 'hour', REREADS_PER_HOUR);
  if (isTaken) return;
  throw new ApiError(
    'rate_limited',
    `Other key or ignored fields are tried and set ${REREADS_PER_HOUR} times an hour for a record; Retry-After says when there is room.`,
    { retryAfterSeconds: Math.max(1, resetInSeconds ?? 0) },
  );
}
