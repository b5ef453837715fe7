// Finds what a call names (a record, a webhook, a delta event, a snapshot) among what its credential may see.
import { findRecord, type TrackedRecord } from '../../db/records/records.ts';
import { findVisibleRecord } from '../../db/records/visible-records.ts';
import type { Context } from '../contract/context.ts';
import { ApiError } from '../../core/errors.ts';
import type { Principal } from '../../core/principal.ts';
import { notFound } from '../contract/errors.ts';
import { type DeltaEventRow, findDeltaEvent, findLatestDeltaEvent } from '../../db/rows/delta-events.ts';
import {
  findSnapshot,
  findSnapshotBefore,
  findSnapshots,
  type SnapshotRow,
} from '../../db/rows/snapshots.ts';

/**
 * The record as it was when the request was admitted.
 * @throws ApiError not_found: also if the principal may not see it
 */
export function getRecord({
  record,
  principal,
  reference,
}: Pick<Context, 'record' | 'principal' | 'reference'>): TrackedRecord {
  if (record !== null) return record;
  requireOwnRecord(principal, reference);
  throw notFound();
}

/**
 * The record as it is now.
 * @throws ApiError not_found when it was deleted meanwhile
 */
export async function readRecord({ db, principal }: Context, id: string): Promise<TrackedRecord> {
  const record = (await findVisibleRecord(db, principal, id)) ?? null;
  return getRecord({ record, principal, reference: id });
}

/**
 * `self` means nothing for an account key.
 * @throws ApiError not_found, with a message that explains `self`
 */
export function requireOwnRecord({ kind }: Principal, reference: string | undefined): void {
  if (reference !== 'self' || kind !== 'account') return;
  throw new ApiError(
    'not_found',
    '`self` works with record keys and session tokens only. This is an account key: name the record by its id or slug.',
  );
}

/**
 * @param reference an id, or `latest`
 * @throws ApiError not_found: also if it belongs to another record
 */
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

/** The columns that reading a snapshot needs. */
export type OpenSnapshot = Pick<
  SnapshotRow,
  'id' | 'generation' | 'sequence' | 'columns' | 'totalRows' | 'bytes' | 'rules'
>;

/** The latest snapshot, which was read with the record; null before the first one. */
export function latestOf(record: TrackedRecord): OpenSnapshot | null {
  const { snapshotId: id, generation, sequence, columns, totalRows, bodyBytes, headRules: rules } = record;
  return id === null ? null : { id, generation, sequence, columns, totalRows, bytes: bodyBytes ?? 0, rules };
}

/**
 * @param reference an id, or `latest`
 * @throws ApiError not_found: also if it belongs to another record
 */
export async function openSnapshot(
  ctx: Pick<Context, 'db'>,
  record: TrackedRecord,
  reference: string,
): Promise<OpenSnapshot> {
  const latest = latestOf(record);
  if (reference === 'latest') {
    if (latest === null) throw new ApiError('not_found', 'No check of this record has found data yet.');
    return latest;
  }
  const snapshot = await findKept(ctx, record, reference);
  if (snapshot === undefined) throw notFound();
  return snapshot;
}

/** @throws ApiError not_found */
export async function openSnapshotBefore(
  { db }: Pick<Context, 'db'>,
  record: TrackedRecord,
  { sequence }: Pick<OpenSnapshot, 'sequence'>,
): Promise<OpenSnapshot> {
  const before = await findSnapshotBefore(db, record.id, sequence);
  if (before !== undefined) return before;
  throw new ApiError('not_found', 'There is no snapshot before this one to compare with.');
}

/** The columns of a snapshot's row key; empty for an earlier generation, whose key may have been different. */
export const keyFieldsOf = (
  { generation, headKeyFields }: TrackedRecord,
  snapshot: Pick<OpenSnapshot, 'generation'>,
): readonly string[] => (snapshot.generation === generation ? headKeyFields : []);

/**
 * Finds the snapshot of a listing's first page.
 * @throws ApiError gone when it was deleted meanwhile
 */
export async function reopenSnapshot(
  ctx: Pick<Context, 'db'>,
  record: TrackedRecord,
  id: string,
): Promise<OpenSnapshot> {
  const snapshot = await findKept(ctx, record, id);
  if (snapshot !== undefined) return snapshot;
  throw new ApiError(
    'gone',
    'The snapshot of the first page is no longer stored. Start again without a cursor.',
  );
}

/**
 * Reads rows of snapshots that were opened before. A read may wait for its turn. Retention deletes rows after their snapshots, and
 * erasing a deleted record deletes them before.
 * @throws ApiError not_found when a snapshot or the record was deleted meanwhile, because a part of the rows must not pass for all
 */
export async function whileKept<T>(
  { db }: Pick<Context, 'db'>,
  record: TrackedRecord,
  snapshots: readonly OpenSnapshot[],
  read: () => Promise<T>,
): Promise<T> {
  const found = await read();
  if ((await findRecord(db, record.id)) === undefined) throw notFound();
  // Retention keeps the latest one for days after the next.
  const ids = new Set(snapshots.map(({ id }) => id).filter((id) => id !== record.snapshotId));
  if (ids.size > 0 && (await findSnapshots(db, record.id, [...ids])).length < ids.size) throw notFound();
  return found;
}

async function findKept(
  { db }: Pick<Context, 'db'>,
  record: TrackedRecord,
  id: string,
): Promise<OpenSnapshot | undefined> {
  const latest = latestOf(record);
  return latest?.id === id ? latest : findSnapshot(db, record.id, id);
}
