// get_snapshot_rows
import { Type } from 'typebox';
import { listRowsOfSnapshot } from '../../operations/snapshot-rows.ts';
import { answerOf, defineTool, READS_ROWS } from '../tool.ts';
import { limitOf, page, snapshotField } from '../tool-fields.ts';
import { filterField, searchField } from '../row-fields.ts';

const LIMITS = { fallback: 20, max: 100 } as const;

export const getSnapshotRows = defineTool({
  name: 'get_snapshot_rows',
  title: 'Get, search or sample rows',
  description:
    'Rows of a snapshot by key: all, or those that search and filter leave. hasMore with few rows means that there is more to look at: follow nextCursor. For counts: query_snapshot; for one row over time: get_row_history; for everything: get_download_link.',
  hints: READS_ROWS,
  over: [listRowsOfSnapshot],
  input: {
    snapshotId: snapshotField,
    search: searchField,
    searchColumns: Type.Optional(
      Type.Array(Type.String(), { maxItems: 20, description: 'With search: only in these columns.' }),
    ),
    filter: filterField,
    ...page(LIMITS),
  },
  output: answerOf(listRowsOfSnapshot),
  items: 'rows',
  run: (ctx, { snapshotId = 'latest', searchColumns, limit, ...rest }) =>
    listRowsOfSnapshot.run(ctx, {
      snapshotId,
      limit: limitOf(LIMITS, limit),
      ...(searchColumns === undefined ? {} : { field: searchColumns }),
      ...rest,
    }),
});
