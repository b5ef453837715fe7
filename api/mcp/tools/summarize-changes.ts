// summarize_changes
import { type Static, Type } from 'typebox';
import type { Context } from '../../contract/context.ts';
import { listRecordEvents } from '../../operations/changes/deltas.ts';
import { type deltaEventSchema, deltaRowSchema } from '../../resources/delta-event.ts';
import { ApiError } from '../../../core/errors.ts';
import { compareTwoSnapshots, listCompareRows } from '../../operations/changes/compare.ts';
import { comparisonSchema } from '../../resources/comparison.ts';
import { nullable, time } from '../../resources/shapes.ts';
import { defineTool, READS_ROWS, statedAs } from './tool.ts';
import { sinceField } from './tool-fields.ts';

type SummarizedEvent = Static<typeof deltaEventSchema>;

/** The events of a month of hourly checks that all find changes. */
const MAX_PAGES = 4;
const PAGE = { changesOnly: true, order: 'asc', keysLimit: 0, limit: 200 } as const;

interface EventPage {
  events: SummarizedEvent[];
  nextCursor: string | null;
}

async function readEvents(
  ctx: Context,
  since: string,
): Promise<{ events: SummarizedEvent[]; hasMore: boolean }> {
  const events: SummarizedEvent[] = [];
  let cursor: string | undefined;
  for (let pages = 0; pages < MAX_PAGES; pages += 1) {
    const query = { ...PAGE, since, ...(cursor === undefined ? {} : { cursor }) };
    // The operation's output.
    const page = (await listRecordEvents.run(ctx, query)) as EventPage;
    events.push(...page.events);
    if (page.nextCursor === null) return { events, hasMore: false };
    cursor = page.nextCursor;
  }
  return { events, hasMore: true };
}

type DeltaRow = Static<typeof deltaRowSchema>;

export interface NetChange {
  comparison: Static<typeof comparisonSchema> | null;
  /** Why there is no comparison although something happened. Null if there is one, or if nothing happened. */
  missing: string | null;
  /** The first rows that differ, by key. */
  rows: DeltaRow[];
  changedRows: DeltaRow[];
}

/** Changed rows to count columns in: enough to see which columns changed. */
const MAX_COUNTED_ROWS = 500;
const FEW_KEYS = 10;
const MAX_COLUMNS = 30;

const NONE = { comparison: null, missing: null, rows: [], changedRows: [] };

/** @param events oldest first */
async function readNet(ctx: Context, events: readonly SummarizedEvent[], limit: number): Promise<NetChange> {
  const from = events[0]?.previousSnapshotId ?? null;
  const to = events.at(-1)?.snapshotId;
  if (from === null || to === undefined) return NONE;
  try {
    // One after the other, because an account may run only a few slow reads at a time.
    const comparison = await compareTwoSnapshots.run(ctx, { from, to, keysLimit: FEW_KEYS });
    const rows = limit === 0 ? [] : await rowsOf(ctx, { from, to, limit });
    const changedRows = await rowsOf(ctx, { from, to, limit: MAX_COUNTED_ROWS, changeType: 'changed' });
    // The operation's output.
    return { ...NONE, comparison: comparison as NetChange['comparison'], rows, changedRows };
  } catch (error) {
    // The key has changed meanwhile, or a snapshot was pruned. The events can be listed, but not compared as a whole.
    if (error instanceof ApiError && ['different_keys', 'not_found', 'gone'].includes(error.code)) {
      return { ...NONE, missing: error.message };
    }
    throw error;
  }
}

async function rowsOf(ctx: Context, query: object): Promise<DeltaRow[]> {
  // The operation's output.
  const { rows } = (await listCompareRows.run(ctx, query)) as { rows: DeltaRow[] };
  return rows;
}

/** The columns that changed in most rows, first. */
function changedColumns(rows: readonly DeltaRow[]): { column: string; rows: number }[] {
  const counts = new Map<string, number>();
  for (const column of rows.flatMap(({ changedFields }) => changedFields)) {
    counts.set(column, (counts.get(column) ?? 0) + 1);
  }
  return Array.from(counts, ([column, count]) => ({ column, rows: count }))
    .sort((a, b) => b.rows - a.rows || (a.column < b.column ? -1 : 1))
    .slice(0, MAX_COLUMNS);
}

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
    'All changes of a source since a time in one answer: the number of events, the sum of their counts (a row that ' +
    'changed twice counts twice), the difference between the data then and now, which columns changed in how many ' +
    'rows, and the first rows. Use it for "what changed since Monday, and does it matter". For more rows: ' +
    'compare_snapshots with the two snapshots of net.',
  hints: READS_ROWS,
  slowly: 'Comparing',
  asTask: 'rerun',
  over: [listRecordEvents, compareTwoSnapshots, listCompareRows],
  input: {
    since: sinceField,
    limit: Type.Optional(
      Type.Integer({
        minimum: 0,
        description: `Rows to show: ${ROWS.fallback} by default, ${ROWS.max} at most.`,
      }),
    ),
  },
  output: Type.Object({
    since: Type.String(),
    eventCount: Type.Integer({ description: 'Events with changes.' }),
    hasMoreEvents: Type.Boolean({ description: 'Later events exist: ask again since the last of these.' }),
    firstAt: nullable(time),
    lastAt: nullable(time),
    sum: Type.Object(threeCounts, { description: 'Over all events.' }),
    net: nullable(statedAs(comparisonSchema, 'As comparison of compare_snapshots.')),
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

function sumOf(events: readonly SummarizedEvent[]) {
  const total = (name: keyof typeof threeCounts): number =>
    events.reduce((sum, event) => sum + event[name], 0);
  return {
    newCount: total('newCount'),
    changedCount: total('changedCount'),
    deletedCount: total('deletedCount'),
  };
}

function brief(event: SummarizedEvent): Static<typeof eventSchema> {
  const { id: deltaEventId, detectedAt, newCount, changedCount, deletedCount } = event;
  return { deltaEventId, detectedAt, newCount, changedCount, deletedCount };
}
