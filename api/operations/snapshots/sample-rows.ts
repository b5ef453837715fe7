// A sample of a snapshot's rows.
import { Type } from 'typebox';
import { sampledPart } from '../../../db/rows/profile-rows.ts';
import { sampleSnapshotRows } from '../../../db/rows/sample-rows.ts';
import { limitOf, snapshotParams } from '../../input/fields.ts';
import { getRecord, keyFieldsOf, openSnapshot, whileKept } from '../../access/find-named.ts';
import { readSlowly } from '../../capacity/slow-reads.ts';
import { defineOperation } from '../../contract/operation.ts';
import { presentSnapshotRow, snapshotRowSchema } from '../../resources/snapshot.ts';
import { columnsOf, readSelection, requireColumns, selectionQuery } from '../../input/row-selection.ts';

const LIMITS = { fallback: 20, max: 100 } as const;

export const sampleRows = defineOperation({
  name: 'sampleSnapshotRows',
  tag: 'Snapshots',
  scope: 'read',
  summary: 'Sample the rows of a snapshot, at random or by the values of a column',
  description:
    'A representative sample, always the same for one snapshot. With `stratifyBy` each value of that column gets a ' +
    'row before any gets two, so that rare values appear too. Of a snapshot with more than some 100,000 rows, about ' +
    'that many are considered. `search` and `filter` apply first.',
  errors: ['validation_failed', 'query_too_expensive'],
  http: { method: 'GET', path: '/v1/sources/:id/snapshots/:snapshotId/sample' },
  params: snapshotParams,
  query: {
    ...limitOf(LIMITS),
    stratifyBy: Type.Optional(Type.String({ description: 'The name of a column.', examples: ['brand'] })),
    ...selectionQuery,
  },
  output: Type.Object(
    {
      sourceId: Type.String(),
      snapshotId: Type.String(),
      totalRows: Type.Integer({ description: 'Rows in the snapshot.' }),
      count: Type.Integer({ description: 'Rows in this response.' }),
      rows: Type.Array(snapshotRowSchema),
    },
    { title: 'RowSample' },
  ),
  async run(ctx, { snapshotId, limit = LIMITS.fallback, stratifyBy = null, ...selected }) {
    const record = getRecord(ctx);
    const snapshot = await openSnapshot(ctx, record, snapshotId);
    const selection = readSelection(selected);
    const named = stratifyBy === null ? [] : [{ pointer: 'stratifyBy', column: stratifyBy }];
    requireColumns([...named, ...columnsOf(selection)], snapshot.columns);
    const ref = { ...snapshot, recordNo: record.recordNo };
    const sample = {
      selection,
      keyFields: keyFieldsOf(record, snapshot),
      stratifyBy,
      limit: Math.min(limit, LIMITS.max),
      part: sampledPart(snapshot),
    };
    const read = () => readSlowly(ctx, (db) => sampleSnapshotRows(db, ref, sample));
    const found = await whileKept(ctx, record, [snapshot], read);
    // The first one always fits.
    const rows = found.filter((row) => row.fits).map(presentSnapshotRow);
    const { id, totalRows } = snapshot;
    return { sourceId: record.id, snapshotId: id, totalRows, count: rows.length, rows };
  },
});
