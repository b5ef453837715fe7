// Queries over a snapshot's rows: groups and measures.
import { type Static, Type } from 'typebox';
import { queryRows, type RowGroup } from '../../../db/rows/query-rows.ts';
import { nullable } from '../../resources/shapes.ts';
import { snapshotParams } from '../../input/fields.ts';
import { getRecord, keyFieldsOf, openSnapshot, whileKept } from '../../access/find-named.ts';
import { readSlowly } from '../../capacity/slow-reads.ts';
import { defineOperation } from '../../contract/operation.ts';
import { requireColumns } from '../../input/row-selection.ts';
import { readRowQuery, rowQueryBody } from '../../input/row-query.ts';

export const rowGroupSchema = Type.Object(
  {
    group: Type.Unsafe<Readonly<Record<string, string | null>>>({
      type: 'object',
      additionalProperties: nullable(Type.String()),
      description: 'The group’s values by column, as text; null for missing and null.',
    }),
    values: Type.Unsafe<Readonly<Record<string, number | string | null>>>({
      type: 'object',
      additionalProperties: Type.Union([Type.Integer(), Type.String(), Type.Null()]),
      description:
        'Measures by name: counts are integers, the others text with every digit, or null without a value.',
    }),
  },
  { title: 'RowGroup' },
);

/** Object.fromEntries, because a column may be called __proto__. */
function presentGroup(
  { group, measures }: RowGroup,
  columns: readonly string[],
  names: readonly string[],
): Static<typeof rowGroupSchema> {
  return {
    group: Object.fromEntries(columns.map((column, at) => [column, group[at] ?? null])),
    values: Object.fromEntries(names.map((name, at) => [name, measures[at] ?? null])),
  };
}

export const querySnapshot = defineOperation({
  name: 'querySnapshot',
  audit: null,
  tag: 'Snapshots',
  scope: 'read',
  summary: 'Count, group and add up the rows of a snapshot',
  description:
    'Exact: sums, averages and extremes are text with every digit (averages: 20 more decimals than the values have). ' +
    '`sum` and `avg` use the plain numbers among the values; `min` and `max` compare numbers if all values of a ' +
    'group are numbers, otherwise text. A missing, null or empty cell has no value: it counts as a row, and ' +
    '`groupBy` puts missing and null together. The POST changes nothing.',
  errors: ['validation_failed', 'query_too_expensive'],
  http: { method: 'POST', path: '/v1/sources/:id/snapshots/:snapshotId/query' },
  params: snapshotParams,
  body: rowQueryBody,
  output: Type.Object(
    {
      sourceId: Type.String(),
      snapshotId: Type.String(),
      count: Type.Integer({ description: 'Number of groups in this response.' }),
      hasMore: Type.Boolean({
        description: 'There are more groups than the limit or the size of a response allows.',
      }),
      groups: Type.Array(rowGroupSchema),
    },
    { title: 'QueryResult' },
  ),
  async run(ctx, { snapshotId, ...body }) {
    const record = getRecord(ctx);
    const snapshot = await openSnapshot(ctx, record, snapshotId);
    const { names, columns, ...query } = readRowQuery(body);
    requireColumns(columns, snapshot.columns);
    const ref = { ...snapshot, recordNo: record.recordNo };
    const read = () => readSlowly(ctx, (db) => queryRows(db, ref, query, keyFieldsOf(record, snapshot)));
    const { groups, isWhole } = await whileKept(ctx, record, [snapshot], read);
    return {
      sourceId: record.id,
      snapshotId: snapshot.id,
      count: groups.length,
      hasMore: !isWhole,
      groups: groups.map((group) => presentGroup(group, query.groupBy, names)),
    };
  },
});
