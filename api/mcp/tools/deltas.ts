// list_deltas, get_latest_delta and get_delta_rows
import { type Static, Type } from 'typebox';
import { previousKeysOf } from '../../../core/delivery-payload.ts';
import { FEED_EVENT_TYPES } from '../../../db/feeds/feed-events.ts';
import { invalidField } from '../../contract/errors.ts';
import { isNoCursor } from '../../feed/read-feed.ts';
import { listEvents } from '../../operations/changes/events.ts';
import { deltaEventSchema } from '../../resources/delta-event.ts';
import { feedEventSchema } from '../../resources/feed-event.ts';
import { getLatestDeltaEvent, listRecordEvents } from '../../operations/changes/deltas.ts';
import { answerOf, defineTool, READS_ROWS, statedAs } from './tool.ts';
import {
  changeType,
  eventField,
  labelQueryOf,
  labelsArgument,
  limitArgument,
  orderField,
  pageFields,
  sinceField,
} from './tool-fields.ts';
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

const typesField = Type.Optional(
  Type.Array(Type.Enum([...FEED_EVENT_TYPES]), { minItems: 1, description: 'With feed: only these.' }),
);

const { event: _sameAsType, ...feedMembers } = feedEventSchema.properties;

export const listDeltas = defineTool({
  name: 'list_deltas',
  title: 'List delta events',
  description:
    'What the checks of a source found, one event each, newest first: counts of new, changed and deleted rows and ' +
    'the first of their keys. Only events with changes, unless changesOnly is false. For a whole period in one ' +
    'answer: summarize_changes; for the rows of an event: get_delta_rows. With feed: what happened in all sources ' +
    '(or one) since you last asked: changes, and checks that failed, recovered or are held.',
  hints: READS_ROWS,
  over: [listRecordEvents, listEvents],
  allSourcesBy: 'feed',
  input: {
    feed: Type.Optional(
      Type.Boolean({
        description:
          'true: all sources unless source is given, oldest first. Keep nextCursor, and ask again with it as cursor. ' +
          'since may only be now: nothing yet, but a cursor.',
      }),
    ),
    types: typesField,
    labels: labelsArgument,
    since: Type.Optional(sinceField),
    changesOnly: Type.Optional(Type.Boolean({ description: 'false: include events without changes.' })),
    keysLimit: keysField,
    ...pageFields(EVENTS),
    order: orderField,
  },
  output: Type.Object({
    ...answerOf(listRecordEvents).properties,
    events: Type.Array(Type.Object({ ...feedMembers, ...deltaEventSchema.properties })),
  }),
  items: 'events',
  run: (ctx, { feed = false, ...given }) => (feed ? readFeed(ctx, given) : readDeltas(ctx, given)),
});

interface Given {
  types?: (typeof FEED_EVENT_TYPES)[number][];
  labels?: Record<string, string>;
  since?: string;
  cursor?: string;
  order?: 'asc' | 'desc';
  changesOnly?: boolean;
  keysLimit?: number;
  limit?: number;
}

function readDeltas(
  ctx: Context,
  { types, labels, limit, keysLimit, changesOnly = true, ...rest }: Given,
): Promise<unknown> {
  refuse({ types, labels }, 'needs feed');
  return listRecordEvents.run(ctx, {
    limit: limitArgument(EVENTS, limit),
    keysLimit: keysLimitOf(keysLimit),
    changesOnly,
    ...rest,
  });
}

async function readFeed(
  ctx: Context,
  { types: type, labels, since, cursor = since, limit, keysLimit, ...others }: Given,
): Promise<unknown> {
  refuse(others, 'cannot be used with feed');
  if (since !== undefined && since !== 'now') {
    throw invalidField('/since', 'invalid_value', 'can only be now with feed: to continue, give cursor');
  }
  if (isNoCursor(cursor)) throw invalidField('/cursor', 'invalid_value', 'must be the nextCursor of a page');
  // The operation's output: it is no stream, because the call has none.
  const page = (await listEvents.run(ctx, {
    limit: limitArgument(EVENTS, limit),
    ...(ctx.record === null ? {} : { sourceId: ctx.record.id }),
    ...(type === undefined ? {} : { type }),
    ...(cursor === undefined ? {} : { since: cursor }),
    ...labelQueryOf(labels),
  })) as { events: FeedEvent[] };
  const shown = keysLimitOf(keysLimit);
  return { ...page, events: page.events.map((event) => withFewKeys(event, shown)) };
}

type FeedEvent = Static<typeof feedEventSchema>;

function withFewKeys(event: FeedEvent, atMost: number): FeedEvent {
  const { previousKeys, truncated } = event;
  if (truncated === undefined) return event;
  const keys = {
    newKeys: event.newKeys ?? [],
    changedKeys: event.changedKeys ?? [],
    deletedKeys: event.deletedKeys ?? [],
  };
  const changedKeys = keys.changedKeys.slice(0, atMost);
  const isCut = (name: keyof typeof keys): boolean => truncated[name] || keys[name].length > atMost;
  return {
    ...event,
    newKeys: keys.newKeys.slice(0, atMost),
    changedKeys,
    ...(previousKeys && { previousKeys: previousKeysOf(previousKeys, changedKeys) }),
    deletedKeys: keys.deletedKeys.slice(0, atMost),
    truncated: {
      newKeys: isCut('newKeys'),
      changedKeys: isCut('changedKeys'),
      deletedKeys: isCut('deletedKeys'),
    },
  };
}

/** @throws ApiError validation_failed for the first of these arguments that is given */
function refuse(args: Readonly<Record<string, unknown>>, detail: string): void {
  const [name] = Object.keys(args).filter((each) => args[each] !== undefined);
  if (name !== undefined) throw invalidField(`/${name}`, 'invalid_value', detail);
}

export const getLatestDelta = defineTool({
  name: 'get_latest_delta',
  title: 'Get the latest delta event',
  description:
    'What the last successful check found; isNoChange if nothing changed. For the last change, however long ago: ' +
    'list_deltas with limit 1.',
  hints: READS_ROWS,
  over: [getLatestDeltaEvent],
  input: { keysLimit: keysField },
  output: statedAs(answerOf(getLatestDeltaEvent), 'An event, as in list_deltas.'),
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
  slowly: 'Reading rows',
  asTask: 'rerun',
  over: [listEventRows, listRecordEvents],
  input: {
    deltaEventId: Type.Optional({
      ...eventField,
      description: 'Id of a delta event; by default the last one with changes.',
    }),
    changeType,
    ...pageFields(EVENT_ROWS),
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

/** There may have been changes: the retention deletes old events. */
const NO_CHANGE_STORED =
  'No event with changes is stored. Older events may be deleted: describe_snapshot shows the present data.';

/** @throws ApiError not_found */
async function lastChange(ctx: Context): Promise<string> {
  const query = { changesOnly: true, limit: 1, keysLimit: 0 };
  // The operation's output.
  const { events } = (await listRecordEvents.run(ctx, query)) as { events: { id: string }[] };
  const [last] = events;
  if (last === undefined) throw new ApiError('not_found', NO_CHANGE_STORED);
  return last.id;
}
