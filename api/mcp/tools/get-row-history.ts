// get_row_history
import { Type } from 'typebox';
import { getRowHistory as operation } from '../../operations/snapshots/row-history.ts';
import { answerOf, defineTool, READS_ROWS } from './tool.ts';
import { limitOf, orderField, page } from './tool-fields.ts';

const LIMITS = { fallback: 20, max: 200 } as const;

export const getRowHistory = defineTool({
  name: 'get_row_history',
  title: 'Get the history of one row',
  description:
    'Every version of the row with this key, newest first: when it came, changed, went and came back, with the values before and after. For keys: get_snapshot_rows or get_delta_rows.',
  hints: READS_ROWS,
  over: [operation],
  input: {
    key: Type.String({
      maxLength: 1_024,
      pattern: '^[^\\u0000]*$',
      description: 'The row’s key, as answers show it.',
    }),
    ...page(LIMITS),
    order: orderField,
  },
  output: answerOf(operation),
  items: 'rows',
  run: (ctx, { limit, ...rest }) => operation.run(ctx, { limit: limitOf(LIMITS, limit), ...rest }),
});
