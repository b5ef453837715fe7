// get_snapshot_rows and get_row_history
import { Type } from 'typebox';
import type { Context } from '../../contract/context.ts';
import { invalidField } from '../../contract/errors.ts';
import { sampleRows } from '../../operations/snapshots/sample-rows.ts';
import { listRowsOfSnapshot } from '../../operations/snapshots/snapshot-rows.ts';
import { answerOf, defineTool, READS_ROWS } from './tool.ts';
import {
  filterArgument,
  limitArgument,
  orderField,
  pageFields,
  searchArgument,
  snapshotField,
} from './tool-fields.ts';
import { getRowHistory as operation } from '../../operations/snapshots/row-history.ts';

const SNAPSHOT_ROWS = { fallback: 20, max: 100 } as const;

export const getSnapshotRows = defineTool({
  name: 'get_snapshot_rows',
  title: 'Get, search or sample rows',
  description:
    'Rows of a snapshot by key: all, or those that match search and filter. If hasMore is true, follow nextCursor, ' +
    'even if a page has few rows. For counts: query_snapshot; for one row over time: get_row_history; for ' +
    'everything: get_download_link.',
  hints: READS_ROWS,
  slowly: 'Reading rows',
  asTask: 'rerun',
  over: [listRowsOfSnapshot, sampleRows],
  input: {
    snapshotId: snapshotField,
    search: searchArgument,
    searchColumns: Type.Optional(
      Type.Array(Type.String(), { maxItems: 20, description: 'With search: only in these columns.' }),
    ),
    filter: filterArgument,
    sample: Type.Optional(
      Type.Enum(['random', 'stratified'], {
        description: 'A sample instead of the first rows; stratified: of each value of stratifyBy.',
      }),
    ),
    stratifyBy: Type.Optional(Type.String({ description: 'With sample stratified: a column.' })),
    ...pageFields(SNAPSHOT_ROWS),
  },
  output: answerOf(listRowsOfSnapshot),
  items: 'rows',
  run: (ctx, { snapshotId = 'latest', searchColumns, sample, stratifyBy, limit, cursor, ...rest }) => {
    const query = {
      snapshotId,
      limit: limitArgument(SNAPSHOT_ROWS, limit),
      ...(searchColumns === undefined ? {} : { field: searchColumns }),
      ...rest,
    };
    if (sample !== undefined) return sampled(ctx, query, sample, stratifyBy);
    return listRowsOfSnapshot.run(ctx, { ...query, ...(cursor === undefined ? {} : { cursor }) });
  },
});

/**
 * Returns the sample in the form of a single page.
 * @throws ApiError validation_failed
 */
async function sampled(ctx: Context, query: object, sample: 'random' | 'stratified', stratifyBy?: string) {
  if (sample === 'stratified' && stratifyBy === undefined) {
    throw invalidField('/stratifyBy', 'required', 'is required with sample stratified');
  }
  const by = sample === 'stratified' ? { stratifyBy } : {};
  // The operation's output.
  const found = (await sampleRows.run(ctx, { ...query, ...by })) as SampledRows;
  const { sourceId, count, rows } = found;
  return { sourceId, count, hasMore: false, nextCursor: null, rows };
}

interface SampledRows {
  sourceId: string;
  count: number;
  rows: unknown[];
}

const ROW_VERSIONS = { fallback: 20, max: 200 } as const;

export const getRowHistoryTool = defineTool({
  name: 'get_row_history',
  title: 'Get the history of one row',
  description:
    'Every version of the row with this key, newest first: when it appeared, changed, disappeared and returned, with ' +
    'the values before and after. For keys: get_snapshot_rows or get_delta_rows.',
  hints: READS_ROWS,
  slowly: 'Reading versions',
  asTask: 'rerun',
  over: [operation],
  input: {
    key: Type.String({
      maxLength: 1_024,
      pattern: '^[^\\u0000]*$',
      description: 'The row’s key, as answers show it.',
    }),
    ...pageFields(ROW_VERSIONS),
    order: orderField,
  },
  output: answerOf(operation),
  items: 'rows',
  run: (ctx, { limit, ...rest }) =>
    operation.run(ctx, { limit: limitArgument(ROW_VERSIONS, limit), ...rest }),
});
