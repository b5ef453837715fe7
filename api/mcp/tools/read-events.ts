// The events since a time in which something changed, oldest first.
import type { Static } from 'typebox';
import type { Context } from '../../contract/context.ts';
import { listRecordEvents } from '../../operations/changes/deltas.ts';
import type { deltaEventSchema } from '../../resources/delta-event.ts';

export type ListedEvent = Static<typeof deltaEventSchema>;

/** As many as an hourly check that always finds something makes in a month. */
const MAX_PAGES = 4;
const PAGE = { changesOnly: true, order: 'asc', keysLimit: 0, limit: 200 } as const;

interface EventPage {
  events: ListedEvent[];
  nextCursor: string | null;
}

export async function readEvents(
  ctx: Context,
  since: string,
): Promise<{ events: ListedEvent[]; hasMore: boolean }> {
  const events: ListedEvent[] = [];
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
