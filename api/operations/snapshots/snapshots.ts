// Lists snapshots, the distinct versions of a record's data.
import { Type } from 'typebox';
import { ApiError } from '../../../core/errors.ts';
import { findSnapshot, listSnapshots, type SnapshotRow } from '../../../db/rows/snapshots.ts';
import { notFound } from '../../contract/errors.ts';
import { limitOf, orderedPageQuery, recordParams, snapshotParams } from '../../input/fields.ts';
import { getRecord } from '../../access/find-named.ts';
import { defineOperation } from '../../contract/operation.ts';
import { readPage, recordEnvelope } from '../../input/page.ts';
import { presentSnapshot, snapshotSchema } from '../../resources/snapshot.ts';

const SNAPSHOT_LIMITS = { fallback: 100, max: 100 } as const;

export const listRecordSnapshots = defineOperation({
  name: 'listSnapshots',
  tag: 'Snapshots',
  scope: 'read',
  summary: 'List a record’s snapshots: the distinct versions of its data',
  http: { method: 'GET', path: '/v1/sources/:id/snapshots' },
  params: recordParams,
  query: { ...orderedPageQuery, ...limitOf(SNAPSHOT_LIMITS) },
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
  params: snapshotParams,
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
