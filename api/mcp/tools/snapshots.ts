// list_snapshots, describe_snapshot, query_snapshot, compare_snapshots and get_download_link
import { Type } from 'typebox';
import { listRecordSnapshots } from '../../operations/snapshots/snapshots.ts';
import { answerOf, defineTool, READS, READS_ROWS } from './tool.ts';
import {
  changeType,
  filterArgument,
  limitArgument,
  orderField,
  pageFields,
  requiredSnapshotField,
  searchArgument,
  snapshotField,
} from './tool-fields.ts';
import { getSnapshotProfile } from '../../operations/snapshots/profile.ts';
import { querySnapshot as operation } from '../../operations/snapshots/query-rows.ts';
import { rowQueryBody } from '../../input/row-query.ts';
import { compareTwoSnapshots, listCompareRows } from '../../operations/changes/compare.ts';
import { recordEnvelope } from '../../input/page.ts';
import { comparisonSchema } from '../../resources/comparison.ts';
import { deltaRowSchema } from '../../resources/delta-event.ts';
import { createDownloadLink } from '../../operations/snapshots/download-links.ts';
import { kindFields } from '../../operations/snapshots/downloads.ts';

const SNAPSHOTS = { fallback: 20, max: 100 } as const;

export const listSnapshotsTool = defineTool({
  name: 'list_snapshots',
  title: 'List snapshots',
  description:
    'The stored versions of a source’s data, newest first: when each appeared, how many rows and which columns it ' +
    'has. Use it to pick two for compare_snapshots. For what happened between them: list_deltas.',
  hints: READS,
  over: [listRecordSnapshots],
  input: { ...pageFields(SNAPSHOTS), order: orderField },
  output: answerOf(listRecordSnapshots),
  items: 'snapshots',
  run: (ctx, { limit, ...rest }) =>
    listRecordSnapshots.run(ctx, { limit: limitArgument(SNAPSHOTS, limit), ...rest }),
});

export const describeSnapshot = defineTool({
  name: 'describe_snapshot',
  title: 'Describe the columns of a snapshot',
  description:
    'What each column contains: type, rows with a value, number of distinct values, minimum and maximum, the most ' +
    'frequent values. Use it before query_snapshot or a filter, to learn the columns and the form of values.',
  hints: READS_ROWS,
  slowly: 'Reading the columns',
  asTask: 'rerun',
  over: [getSnapshotProfile],
  input: {
    snapshotId: snapshotField,
    columns: Type.Optional(
      Type.Array(Type.String(), { maxItems: 100, description: 'Only these columns; all by default.' }),
    ),
  },
  output: answerOf(getSnapshotProfile),
  run: (ctx, { snapshotId = 'latest', columns }) =>
    getSnapshotProfile.run(ctx, { snapshotId, ...(columns === undefined ? {} : { field: columns }) }),
});

export const querySnapshotTool = defineTool({
  name: 'query_snapshot',
  title: 'Count, group and add up rows',
  description:
    'Aggregates of a snapshot’s rows, exact to the last digit: count, distinct, min, max, avg and sum, over all rows ' +
    'or by group, with search and filter. Use it for "how many", "which most", "what total". For the rows ' +
    'themselves: get_snapshot_rows.',
  hints: READS_ROWS,
  slowly: 'Counting',
  asTask: 'rerun',
  over: [operation],
  input: { snapshotId: snapshotField, ...rowQueryBody, filter: filterArgument, search: searchArgument },
  output: answerOf(operation),
  items: 'groups',
  run: (ctx, { snapshotId = 'latest', ...body }) => operation.run(ctx, { snapshotId, ...body }),
});

const COMPARED_ROWS = { fallback: 20, max: 200 } as const;
const FEW_KEYS = 10;

const { sourceId: _sourceId, ...comparedEnvelope } = recordEnvelope;

export const compareSnapshotsTool = defineTool({
  name: 'compare_snapshots',
  title: 'Compare two snapshots',
  description:
    'The differences between any two snapshots of a source: counts, and the rows by key, before and after. Rows that ' +
    'changed and changed back do not differ. from is the earlier version, to the later one.',
  hints: READS_ROWS,
  slowly: 'Comparing',
  asTask: 'rerun',
  over: [compareTwoSnapshots, listCompareRows],
  input: { from: requiredSnapshotField, to: snapshotField, changeType, ...pageFields(COMPARED_ROWS) },
  output: Type.Object({
    comparison: comparisonSchema,
    rows: Type.Array(deltaRowSchema),
    ...comparedEnvelope,
  }),
  items: 'rows',
  run: async (ctx, { from, to = 'latest', limit, ...rest }) => {
    const comparison = await compareTwoSnapshots.run(ctx, { from, to, keysLimit: FEW_KEYS });
    const query = { from, to, limit: limitArgument(COMPARED_ROWS, limit), ...rest };
    // The operation's output. Its record is known already.
    const { sourceId: _known, ...rows } = (await listCompareRows.run(ctx, query)) as { sourceId: string };
    return { comparison, ...rows };
  },
});

export const getDownloadLink = defineTool({
  name: 'get_download_link',
  title: 'Get a link to a file',
  description:
    'A link to the rows of a snapshot as a CSV or JSON Lines file: all, or those that match search and filter. For ' +
    '15 minutes anyone with the link can use it, without a credential. Use it for more rows than fit in an answer.',
  hints: READS,
  over: [createDownloadLink],
  input: {
    snapshotId: snapshotField,
    search: searchArgument,
    searchColumns: Type.Optional(
      Type.Array(Type.String(), { maxItems: 20, description: 'With search: only in these columns.' }),
    ),
    filter: filterArgument,
    ...kindFields,
  },
  output: answerOf(createDownloadLink),
  run: (ctx, { snapshotId = 'latest', searchColumns, ...rest }) =>
    createDownloadLink.run(ctx, {
      snapshotId,
      ...(searchColumns === undefined ? {} : { field: searchColumns }),
      ...rest,
    }),
});
