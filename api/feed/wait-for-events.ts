// Long polls of a feed: an empty page waits until there is an event.
import { requireWorking } from '../access/admission.ts';
import type { Context } from '../contract/context.ts';
import { ownerOf } from '../capacity/capacity.ts';
import {
  type EventChoice,
  type FeedCursor,
  type PageSize,
  type PresentedPage,
  readEvents,
} from './read-feed.ts';

/**
 * Returns the next page. If it is empty, waits for events until the caller's timeout.
 * @throws ApiError gone; rate_limited when the account has too many listeners; unauthenticated when the credential ends
 */
export async function waitForEvents(
  ctx: Context,
  choice: EventChoice,
  after: FeedCursor,
  size: PageSize,
): Promise<PresentedPage> {
  const { clock, signal, feeds } = ctx;
  const untilMs = clock() + ctx.waitMs;
  const first = await readEvents(ctx, choice, after, size);
  if (ctx.waitMs === 0 || first.events.length > 0) return first;
  const listener = feeds.open(ownerOf(ctx.principal), signal);
  try {
    let page = first;
    for (;;) {
      // Also the first time: an event may have come before the listener was open.
      page = await readEvents(ctx, choice, page.end, size);
      const restMs = untilMs - clock();
      if (page.events.length > 0 || restMs <= 0 || signal.aborted) return page;
      if (page.hasMore) continue;
      await listener.growth(Math.min(restMs, feeds.beatMs));
      await requireWorking(ctx);
    }
  } finally {
    listener.close();
  }
}
