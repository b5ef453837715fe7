// list_deltas, get_latest_delta and get_delta_rows
import { Type } from 'typebox';
import { getLatestDeltaEvent, listRecordEvents } from '../../operations/changes/deltas.ts';
import { answerOf, defineTool, READS_ROWS } from './tool.ts';
import { changeType, eventField, limitArgument, orderField, page, sinceField } from './tool-fields.ts';
import { ApiError } from '../../../core/errors.ts';
import type { Context } from '../../contract/context.ts';
import { listEventRows } from '../../operations/changes/delta-rows.ts';

const EVENTS = { fallback: 20, max: 200 } as const;
const KEYS = { fallback: 5, max: 100 } as const;

const keysField = Type.Optional(
  Type.Integer({
    minimum: 0,
    description: `Row keys of each kind to show: ${KEYS.fallback} by default, ${KEYS.max} at most.`,
  }),
);

const keysLimitOf = (limit?: number): number => limitArgument(KEYS, limit);

export const listDeltas = defineTool({
  name: 'list_deltas',
  title: 'List delta events',
  description:
    'What the checks of a source found, one event each, newest first: counts of new, changed and deleted rows and ' +
    'the first of their keys. Only events with changes, unless changesOnly is false. For a whole period in one ' +
    'answer: summarize_changes; for the rows of an event: get_delta_rows.',
  hints: READS_ROWS,
  over: [listRecordEvents],
  input: {
    since: Type.Optional(sinceField),
    changesOnly: Type.Optional(Type.Boolean({ description: 'false: include events without changes.' })),
    keysLimit: keysField,
    ...page(EVENTS),
    order: orderField,
  },
  output: answerOf(listRecordEvents),
  items: 'events',
  run: (ctx, { limit, keysLimit, changesOnly = true, ...rest }) =>
    listRecordEvents.run(ctx, {
      limit: limitArgument(EVENTS, limit),
      keysLimit: keysLimitOf(keysLimit),
      changesOnly,
      ...rest,
    }),
});

export const getLatestDelta = defineTool({
  name: 'get_latest_delta',
  title: 'Get the latest delta event',
  description:
    'What the last successful check found; isNoChange if nothing changed. For the last change, however long ago: ' +
    'list_deltas with limit 1.',
  hints: READS_ROWS,
  over: [getLatestDeltaEvent],
  input: { keysLimit: keysField },
  output: answerOf(getLatestDeltaEvent),
  run: (ctx, { keysLimit }) => getLatestDeltaEvent.run(ctx, { keysLimit: keysLimitOf(keysLimit) }),
});

const EVENT_ROWS = { fallback: 50, max: 200 } as const;

export const getDeltaRows = defineTool({
  name: 'get_delta_rows',
  title: 'Get the rows of a delta event',
  description:
    'The new, changed and deleted rows of one event by key, each before and after, and which columns changed. For ' +
    'several events at once: compare_snapshots from the snapshot before the first to the one after the last.',
  hints: READS_ROWS,
  over: [listEventRows, listRecordEvents],
  input: {
    deltaEventId: Type.Optional({
      ...eventField,
      description: 'Id of a delta event; by default the last one with changes.',
    }),
    changeType,
    ...page(EVENT_ROWS),
  },
  output: Type.Object({ deltaEventId: Type.String(), ...answerOf(listEventRows).properties }),
  items: 'rows',
  run: async (ctx, { deltaEventId: given, limit, ...rest }) => {
    const deltaEventId = given ?? (await lastChange(ctx));
    const query = { deltaEventId, limit: limitArgument(EVENT_ROWS, limit), ...rest };
    // The operation's output is an object.
    return { deltaEventId, ...((await listEventRows.run(ctx, query)) as object) };
  },
});

/** @throws ApiError not_found */
async function lastChange(ctx: Context): Promise<string> {
  const query = { changesOnly: true, limit: 1, keysLimit: 0 };
  // The operation's output.
  const { events } = (await listRecordEvents.run(ctx, query)) as { events: { id: string }[] };
  const [last] = events;
  if (last === undefined) throw new ApiError('not_found', 'Nothing has changed yet.');
  return last.id;
}
