// query_snapshot
import { querySnapshot as operation } from '../../operations/snapshots/query-rows.ts';
import { rowQueryBody } from '../../input/row-query.ts';
import { answerOf, defineTool, READS_ROWS } from './tool.ts';
import { snapshotField } from './tool-fields.ts';
import { filterField, searchField } from './row-fields.ts';

export const querySnapshot = defineTool({
  name: 'query_snapshot',
  title: 'Count, group and add up rows',
  description:
    'Aggregates of a snapshot’s rows, exact to the last digit: count, distinct, min, max, avg and sum, of all rows or by group, of those that search and filter leave. Use it for "how many", "which most", "what total". For the rows themselves: get_snapshot_rows.',
  hints: READS_ROWS,
  over: [operation],
  input: { snapshotId: snapshotField, ...rowQueryBody, filter: filterField, search: searchField },
  output: answerOf(operation),
  items: 'groups',
  run: (ctx, { snapshotId = 'latest', ...body }) => operation.run(ctx, { snapshotId, ...body }),
});
