// list_deltas
import { Type } from 'typebox';
import { listRecordEvents } from '../../operations/changes/deltas.ts';
import { answerOf, defineTool, READS_ROWS } from './tool.ts';
import { limitOf, orderField, page, sinceField } from './tool-fields.ts';

const LIMITS = { fallback: 20, max: 200 } as const;
const KEYS = { fallback: 5, max: 100 } as const;

export const keysField = Type.Optional(
  Type.Integer({
    minimum: 0,
    description: `How many row keys of each kind to show: ${KEYS.fallback} unless given, ${KEYS.max} at most.`,
  }),
);

export const keysLimitOf = (limit?: number): number => limitOf(KEYS, limit);

export const listDeltas = defineTool({
  name: 'list_deltas',
  title: 'List delta events',
  description:
    'What the checks of a source found, one event each, newest first: counts of new, changed and deleted rows and the first of their keys. Only events in which something changed, unless changesOnly is false. For all of a time in one answer: summarize_changes; for the rows of an event: get_delta_rows.',
  hints: READS_ROWS,
  over: [listRecordEvents],
  input: {
    since: Type.Optional(sinceField),
    changesOnly: Type.Optional(Type.Boolean({ description: 'false: also events in which nothing changed.' })),
    keysLimit: keysField,
    ...page(LIMITS),
    order: orderField,
  },
  output: answerOf(listRecordEvents),
  items: 'events',
  run: (ctx, { limit, keysLimit, changesOnly = true, ...rest }) =>
    listRecordEvents.run(ctx, {
      limit: limitOf(LIMITS, limit),
      keysLimit: keysLimitOf(keysLimit),
      changesOnly,
      ...rest,
    }),
});
