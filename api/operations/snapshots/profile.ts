// Profiles the columns of a snapshot.
import { Type } from 'typebox';
import { profileRows, sampledPart } from '../../../db/rows/profile-rows.ts';
import { snapshotParams } from '../../input/fields.ts';
import { getRecord, openSnapshot, whileKept } from '../../access/find-named.ts';
import { readSlowly } from '../../capacity/slow-reads.ts';
import { defineOperation } from '../../contract/operation.ts';
import { columnProfileSchema, presentColumnProfile } from '../../resources/profile.ts';
import { requireColumns } from '../../input/row-selection.ts';

export const getSnapshotProfile = defineOperation({
  name: 'getSnapshotProfile',
  tag: 'Snapshots',
  scope: 'read',
  summary: 'Profile the columns of a snapshot: type, extremes, distinct values, samples',
  description:
    'Exact for snapshots of up to 100,000 rows and 1,000,000 values. For a larger one, a sample of about that size ' +
    'is counted, always the same rows (`isSampled`); name fewer columns to include more rows.',
  errors: ['validation_failed', 'query_too_expensive'],
  http: { method: 'GET', path: '/v1/sources/:id/snapshots/:snapshotId/profile' },
  params: snapshotParams,
  query: {
    field: Type.Optional(
      Type.Array(Type.String(), {
        maxItems: 100,
        description: 'Only this column. Up to 100 times.',
      }),
    ),
  },
  output: Type.Object(
    {
      sourceId: Type.String(),
      snapshotId: Type.String(),
      totalRows: Type.Integer({ description: 'Rows in the snapshot.' }),
      isSampled: Type.Boolean(),
      sampledRows: Type.Integer({ description: 'Rows that were counted: all unless `isSampled`.' }),
      columns: Type.Array(columnProfileSchema, { description: 'In the order of the origin.' }),
    },
    { title: 'Profile' },
  ),
  async run(ctx, { snapshotId, field }) {
    const record = getRecord(ctx);
    const { recordNo } = record;
    const snapshot = await openSnapshot(ctx, record, snapshotId);
    requireColumns(
      (field ?? []).map((column) => ({ pointer: 'field', column })),
      snapshot.columns,
    );
    const columns = snapshot.columns.filter((column) => field === undefined || field.includes(column));
    const part = sampledPart({ ...snapshot, columns });
    const read = () => readSlowly(ctx, (db) => profileRows(db, { ...snapshot, recordNo }, columns, part));
    const profile = await whileKept(ctx, record, [snapshot], read);
    const byColumn = new Map(profile.columns.map((one) => [one.column, one]));
    return {
      sourceId: record.id,
      snapshotId: snapshot.id,
      totalRows: snapshot.totalRows,
      isSampled: part < 1,
      sampledRows: profile.rows,
      columns: columns.map((column) => presentColumnProfile(column, byColumn.get(column))),
    };
  },
});
