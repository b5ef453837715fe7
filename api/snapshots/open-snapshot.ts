// The snapshot that a call is about.
import { ApiError } from '../../core/errors.ts';
import type { TrackedRecord } from '../../db/records/records.ts';
import { findSnapshot, findSnapshotBefore, type SnapshotRow } from '../../db/rows/snapshots.ts';
import type { Context } from '../contract/context.ts';
import { notFound } from '../contract/errors.ts';

/** What reading a snapshot needs to know of it. */
export type OpenSnapshot = Pick<
  SnapshotRow,
  'id' | 'generation' | 'sequence' | 'columns' | 'totalRows' | 'bytes'
>;

/** The latest one came with the record, and costs no statement; null before the first. */
export function latestOf(record: TrackedRecord): OpenSnapshot | null {
  const { snapshotId: id, generation, sequence, columns, totalRows, bodyBytes } = record;
  return id === null ? null : { id, generation, sequence, columns, totalRows, bytes: bodyBytes ?? 0 };
}

/** @param reference an id, or `latest` @throws ApiError not_found: also for one of another record */
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
  throw new ApiError('not_found', 'There is no snapshot before this one to compare it with.');
}

/** What names the rows of a snapshot; nothing known for one of an earlier generation, whose key may have been another. */
export const keyFieldsOf = (
  { generation, headKeyFields }: TrackedRecord,
  snapshot: Pick<OpenSnapshot, 'generation'>,
): readonly string[] => (snapshot.generation === generation ? headKeyFields : []);

/** The snapshot that earlier pages showed. @throws ApiError gone when it was deleted since */
export async function reopenSnapshot(
  ctx: Pick<Context, 'db'>,
  record: TrackedRecord,
  id: string,
): Promise<OpenSnapshot> {
  const snapshot = await findKept(ctx, record, id);
  if (snapshot !== undefined) return snapshot;
  throw new ApiError(
    'gone',
    'The snapshot of the first page is no longer kept. Begin again without a cursor.',
  );
}

async function findKept(
  { db }: Pick<Context, 'db'>,
  record: TrackedRecord,
  id: string,
): Promise<OpenSnapshot | undefined> {
  const latest = latestOf(record);
  return latest?.id === id ? latest : findSnapshot(db, record.id, id);
}
