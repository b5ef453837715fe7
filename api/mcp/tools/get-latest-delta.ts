// get_latest_delta
import { getLatestDeltaEvent } from '../../operations/changes/deltas.ts';
import { answerOf, defineTool, READS_ROWS } from './tool.ts';
import { keysField, keysLimitOf } from './list-deltas.ts';

export const getLatestDelta = defineTool({
  name: 'get_latest_delta',
  title: 'Get the latest delta event',
  description:
    'What the last check that read the data found; isNoChange when that was nothing. For the last change, however long ago: list_deltas with limit 1.',
  hints: READS_ROWS,
  over: [getLatestDeltaEvent],
  input: { keysLimit: keysField },
  output: answerOf(getLatestDeltaEvent),
  run: (ctx, { keysLimit }) => getLatestDeltaEvent.run(ctx, { keysLimit: keysLimitOf(keysLimit) }),
});
