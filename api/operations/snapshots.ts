// Snapshots, and the rows of the latest one.
import { Type } from 'typebox';
import { ApiError } from '../../core/errors.ts';
import type { TrackedRecord } from '../../db/records.ts';
import {
  findSnapshot,
  listSnapshotRows,
  listSnapshots,
  type SnapshotRow,
  type StoredRow,
} from '../../db/snapshots.ts';
import type { Context } from '../context.ts';
import { notFound } from '../errors.ts';
import { orderedPageQuery, pageQuery, recordParams } from '../fields.ts';
import { getRecord } from '../get-record.ts';
import { defineOperation } from '../operation.ts';
import { readPage, recordEnvelope } from '../page.ts';
import {
  presentSnapshot,
  presentSnapshotRow,
  snapshotRowSchema,
  snapshotSchema,
} from '../resources/snapshot.ts';

const SNAPSHOT_LIMITS = { fallback: 100, max: 100 } as const;
const ROW_LIMITS = { fallback: 20, max: 100 } as const;

export const listRecordSnapshots = defineOperation({
  name: 'listSnapshots',
  tag: 'Snapshots',
  scope: 'read',
  summary: 'List a record’s snapshots: the distinct versions of its data',
  http: { method: 'GET', path: '/v1/sources/:id/snapshots' },
  params: recordParams,
  query: orderedPageQuery,
  output: Type.Object({ ...recordEnvelope, snapshots: Type.Array(snapshotSchema) }),
  async run(ctx, { order = 'desc', ...query }) {
    const { id: recordId } = getRecord(ctx);
    const { items, ...page } = await readPage<SnapshotRow, [number]>(
      ctx,
      { listing: 'snapshots', filters: { recordId, order }, limits: SNAPSHOT_LIMITS },
      query,
      ({ after, limit }) => listSnapshots(ctx.db, recordId, order, { after: after?.[0] ?? null, limit }),
      (snapshot) => [snapshot.sequence],
    );
    return { sourceId: recordId, ...page, snapshots: items.map(presentSnapshot) };
  },
});

export const getSnapshot = defineOperation({
  name: 'getSnapshot',
  tag: 'Snapshots',
  scope: 'read',
  summary: 'Read one snapshot; `latest` for the latest one',
  http: { method: 'GET', path: '/v1/sources/:id/snapshots/:snapshotId' },
  params: {
    ...recordParams,
    snapshotId: Type.String({
      pattern: '^(latest|snap_[0-9a-f]{32})$',
      description: 'Id of a snapshot, or `latest`.',
    }),
  },
  output: snapshotSchema,
  async run(ctx, { snapshotId }) {
    const record = getRecord(ctx);
    const wanted = snapshotId === 'latest' ? record.snapshotId : snapshotId;
    if (wanted === null) throw new ApiError('not_found', 'No check of this record has found data yet.');
    const snapshot = await findSnapshot(ctx.db, record.id, wanted);
    if (snapshot === undefined) throw notFound();
    return presentSnapshot(snapshot);
  },
});

export const listLatestRows = defineOperation({
  name: 'listSnapshotRows',
  tag: 'Snapshots',
  scope: 'read',
  errors: ['gone'],
  summary: 'List the rows of the latest snapshot, by key; later pages stay with the snapshot of the first',
  http: { method: 'GET', path: '/v1/sources/:id/snapshot-rows' },
  params: recordParams,
  query: pageQuery,
  output: Type.Object({ ...recordEnvelope, rows: Type.Array(snapshotRowSchema) }),
  async run(ctx, { ...query }) {
    const record = getRecord(ctx);
    let snapshot: Pinned | null = latestOf(record);
    const { items, ...page } = await readPage<StoredRow, [key: string, snapshotId: string]>(
      ctx,
      { listing: 'snapshot-rows', filters: { recordId: record.id }, limits: ROW_LIMITS },
      query,
      async ({ after, limit }) => {
        if (after !== null) snapshot = await reopen(ctx, record, after[1]);
        if (snapshot === null) return [];
        const { recordNo } = record;
        return listSnapshotRows(ctx.db, { recordNo, ...snapshot }, { after: after?.[0] ?? null, limit });
      },
      (row) => [row.key, snapshot?.id ?? ''],
      (row) => row.fits,
    );
    return { sourceId: record.id, ...page, rows: items.map(presentSnapshotRow) };
  },
});

type Pinned = Pick<SnapshotRow, 'id' | 'generation' | 'sequence'>;

function latestOf({ snapshotId, generation, sequence }: TrackedRecord): Pinned | null {
  return snapshotId === null ? null : { id: snapshotId, generation, sequence };
}

/** The snapshot that earlier pages showed. @throws ApiError gone when it was deleted since */
async function reopen(ctx: Context, record: TrackedRecord, snapshotId: string): Promise<Pinned> {
  const latest = latestOf(record);
  const snapshot = latest?.id === snapshotId ? latest : await findSnapshot(ctx.db, record.id, snapshotId);
  if (snapshot !== undefined) return snapshot;
  throw new ApiError(
    'gone',
    'The snapshot of the first page is no longer kept. Begin again without a cursor.',
  );
}
