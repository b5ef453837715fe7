// summarize_changes
import { type Static, Type } from 'typebox';
import { deltaRowSchema } from '../../resources/delta-event.ts';
import { comparisonSchema } from '../../resources/comparison.ts';
import { nullable, time } from '../../resources/shapes.ts';
import { compareTwoSnapshots, listCompareRows } from '../../operations/changes/compare.ts';
import { listRecordEvents } from '../../operations/changes/deltas.ts';
import { changedColumns, MAX_COUNTED_ROWS, readNet } from './net-change.ts';
import { type ListedEvent, readEvents } from './read-events.ts';
import { defineTool, READS_ROWS } from './tool.ts';
import { sinceField } from './tool-fields.ts';

const ROWS = { fallback: 10, max: 50 } as const;
const RECENT_EVENTS = 10;

const threeCounts = {
  newCount: Type.Integer(),
  changedCount: Type.Integer(),
  deletedCount: Type.Integer(),
};

const eventSchema = Type.Object({ deltaEventId: Type.String(), detectedAt: time, ...threeCounts });

const columnSchema = Type.Object({ column: Type.String(), rows: Type.Integer() });

export const summarizeChanges = defineTool({
  name: 'summarize_changes',
  title: 'Summarize what changed since a time',
  description:
    'All changes of a source since a time in one answer: how many events, their counts summed up (a row that changed twice counts twice), what differs in the end between the data then and now, which columns changed in how many rows, and the first rows. Use it for "what changed since Monday, and does it matter". For more rows: compare_snapshots with the two snapshots of net.',
  hints: READS_ROWS,
  over: [listRecordEvents, compareTwoSnapshots, listCompareRows],
  input: {
    since: sinceField,
    limit: Type.Optional(
      Type.Integer({
        minimum: 0,
        description: `Rows to show: ${ROWS.fallback} unless given, ${ROWS.max} at most.`,
      }),
    ),
  },
  output: Type.Object({
    since: Type.String(),
    eventCount: Type.Integer({ description: 'Events with changes.' }),
    hasMoreEvents: Type.Boolean({ description: 'Later ones exist: ask since the last of these.' }),
    firstAt: nullable(time),
    lastAt: nullable(time),
    sum: Type.Object(threeCounts, { description: 'Over all events.' }),
    net: nullable(comparisonSchema),
    netMissing: Type.Optional(Type.String({ description: 'Why net is null.' })),
    changedColumns: Type.Array(columnSchema, {
      description: `In how many of the first ${MAX_COUNTED_ROWS} changed rows of net.`,
    }),
    rows: Type.Array(deltaRowSchema, { description: 'The first rows of net, by key.' }),
    recentEvents: Type.Array(eventSchema, { description: 'Newest first.' }),
  }),
  items: 'rows',
  run: async (ctx, { since, limit = ROWS.fallback }) => {
    const { events, hasMore } = await readEvents(ctx, since);
    const net = await readNet(ctx, events, Math.min(limit, ROWS.max));
    return {
      since,
      eventCount: events.length,
      hasMoreEvents: hasMore,
      firstAt: events[0]?.detectedAt ?? null,
      lastAt: events.at(-1)?.detectedAt ?? null,
      sum: sumOf(events),
      net: net.comparison,
      ...(net.missing === null ? {} : { netMissing: net.missing }),
      changedColumns: changedColumns(net.changedRows),
      rows: net.rows,
      recentEvents: events.slice(-RECENT_EVENTS).toReversed().map(brief),
    };
  },
});

function sumOf(events: readonly ListedEvent[]) {
  const total = (name: keyof typeof threeCounts): number =>
    events.reduce((sum, event) => sum + event[name], 0);
  return {
    newCount: total('newCount'),
    changedCount: total('changedCount'),
    deletedCount: total('deletedCount'),
  };
}

function brief(event: ListedEvent): Static<typeof eventSchema> {
  const { id: deltaEventId, detectedAt, newCount, changedCount, deletedCount } = event;
  return { deltaEventId, detectedAt, newCount, changedCount, deletedCount };
}
