// list_snapshots
import { listRecordSnapshots } from '../../operations/snapshots/snapshots.ts';
import { answerOf, defineTool, READS } from './tool.ts';
import { limitOf, orderField, page } from './tool-fields.ts';

const LIMITS = { fallback: 20, max: 100 } as const;

export const listSnapshots = defineTool({
  name: 'list_snapshots',
  title: 'List snapshots',
  description:
    'The distinct versions of a source’s data that are kept, newest first: when each appeared, how many rows and which columns it has. Use it to pick two for compare_snapshots. For what happened between them: list_deltas.',
  hints: READS,
  over: [listRecordSnapshots],
  input: { ...page(LIMITS), order: orderField },
  output: answerOf(listRecordSnapshots),
  items: 'snapshots',
  run: (ctx, { limit, ...rest }) => listRecordSnapshots.run(ctx, { limit: limitOf(LIMITS, limit), ...rest }),
});
