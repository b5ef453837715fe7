// get_delta_rows
import { Type } from 'typebox';
import { ApiError } from '../../../core/errors.ts';
import type { Context } from '../../contract/context.ts';
import { listEventRows } from '../../operations/changes/delta-rows.ts';
import { listRecordEvents } from '../../operations/changes/deltas.ts';
import { answerOf, defineTool, READS_ROWS } from './tool.ts';
import { changeType, eventField, limitOf, page } from './tool-fields.ts';

const LIMITS = { fallback: 50, max: 200 } as const;

export const getDeltaRows = defineTool({
  name: 'get_delta_rows',
  title: 'Get the rows of a delta event',
  description:
    'The new, changed and deleted rows of one event by key, each as it was before and after, and which columns changed. For several events at once: compare_snapshots from the snapshot before the first to the one after the last.',
  hints: READS_ROWS,
  over: [listEventRows, listRecordEvents],
  input: {
    deltaEventId: Type.Optional({
      ...eventField,
      description: 'Id of a delta event; the last one in which something changed unless given.',
    }),
    changeType,
    ...page(LIMITS),
  },
  output: Type.Object({ deltaEventId: Type.String(), ...answerOf(listEventRows).properties }),
  items: 'rows',
  run: async (ctx, { deltaEventId: given, limit, ...rest }) => {
    const deltaEventId = given ?? (await lastChange(ctx));
    const query = { deltaEventId, limit: limitOf(LIMITS, limit), ...rest };
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
