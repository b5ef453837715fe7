// describe_snapshot
import { Type } from 'typebox';
import { getSnapshotProfile } from '../../operations/snapshots/profile.ts';
import { answerOf, defineTool, READS_ROWS } from './tool.ts';
import { snapshotField } from './tool-fields.ts';

export const describeSnapshot = defineTool({
  name: 'describe_snapshot',
  title: 'Describe the columns of a snapshot',
  description:
    'What each column holds: type, how many rows have a value, how many values differ, least and greatest, the most frequent. Use it before query_snapshot or a filter, to know the columns and how values are written.',
  hints: READS_ROWS,
  over: [getSnapshotProfile],
  input: {
    snapshotId: snapshotField,
    columns: Type.Optional(
      Type.Array(Type.String(), { maxItems: 100, description: 'Only these columns; all unless given.' }),
    ),
  },
  output: answerOf(getSnapshotProfile),
  run: (ctx, { snapshotId = 'latest', columns }) =>
    getSnapshotProfile.run(ctx, { snapshotId, ...(columns === undefined ? {} : { field: columns }) }),
});
