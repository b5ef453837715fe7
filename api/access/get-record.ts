// The record that a call is about.
import type { TrackedRecord } from '../../db/records/records.ts';
import { findVisibleRecord } from '../../db/records/visible-records.ts';
import type { Context } from '../contract/context.ts';
import { ApiError } from '../../core/errors.ts';
import type { Principal } from '../../core/principal.ts';
import { notFound } from '../contract/errors.ts';

/** As it was when the call was let in. @throws ApiError not_found: also for one that the principal may not see */
export function getRecord({
  record,
  principal,
  reference,
}: Pick<Context, 'record' | 'principal' | 'reference'>): TrackedRecord {
  if (record !== null) return record;
  requireOwnRecord(principal, reference);
  throw notFound();
}

/** As it is now. @throws ApiError not_found when it was deleted meanwhile */
export async function readRecord({ db, principal }: Context, id: string): Promise<TrackedRecord> {
  const record = (await findVisibleRecord(db, principal, id)) ?? null;
  return getRecord({ record, principal, reference: id });
}

/** An account has no one record that is its own. @throws ApiError not_found, with words that say what `self` is */
export function requireOwnRecord({ kind }: Principal, reference: string | undefined): void {
  if (reference !== 'self' || kind !== 'account') return;
  throw new ApiError(
    'not_found',
    '`self` is the one record of a record key or of a session token. This credential is of the whole account: name the record by its id or slug.',
  );
}
