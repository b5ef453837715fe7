// A feed as server-sent events (https://html.spec.whatwg.org/multipage/server-sent-events.html).
import type { Context } from '../contract/context.ts';
import { type EventStream, eventStream } from '../http/event-stream.ts';
import { type EventChoice, type FeedCursor, type PresentedPage, readEvents } from './read-feed.ts';
import { ownerOf } from '../capacity/capacity.ts';
import type { FeedListener } from '../capacity/feed-listeners.ts';

/** A page is in memory until the client has read it, and no other is read before. */
const PAGE = { limit: 50, maxBytes: 256 * 1024 };
/** How long a client waits before it connects again. */
const RETRY_MS = 2_000;

/**
 * Begins a stream. The first page is read before the answer, so that its faults are answered as usual.
 * @throws ApiError gone; rate_limited when the account has too many listeners
 */
export async function streamEvents(
  ctx: Context,
  choice: EventChoice,
  after: FeedCursor,
): Promise<EventStream> {
  const listener = ctx.feeds.open(ownerOf(ctx.principal), ctx.signal);
  try {
    const first = await readEvents(ctx, choice, after, PAGE);
    return eventStream(pieces(ctx, choice, listener, first));
  } catch (error) {
    listener.close();
    throw error;
  }
}

/** Ends with the credential, with the process, and on an error: clients connect again and continue after the last event. */
async function* pieces(
  ctx: Context,
  choice: EventChoice,
  listener: FeedListener,
  first: PresentedPage,
): AsyncGenerator<string> {
  const { signal, feeds, stillWorks } = ctx;
  let page = first;
  let spokeAtMs = performance.now();
  try {
    // A client that has seen no event has a cursor too.
    yield `retry: ${RETRY_MS}\n${page.events.length === 0 ? idOnly(page) : '\n'}`;
    for (;;) {
      if (page.events.length > 0) {
        yield page.events.map(message).join('');
        spokeAtMs = performance.now();
      }
      if (!page.hasMore) await listener.growth(Math.max(0, spokeAtMs + feeds.beatMs - performance.now()));
      if (performance.now() - spokeAtMs >= feeds.beatMs) {
        // The cursor moves past events that the stream does not show.
        yield `: still here\n${idOnly(page)}`;
        spokeAtMs = performance.now();
      }
      if (signal.aborted || !(await stillWorks())) return;
      page = await readEvents(ctx, choice, page.end, PAGE);
    }
  } catch (error) {
    ctx.log.warn({ err: error }, 'a stream of events was ended');
  } finally {
    listener.close();
  }
}

const message = (event: PresentedPage['events'][number]): string =>
  `id: ${event.cursor}\ndata: ${JSON.stringify(event)}\n\n`;

/** Sets the cursor of the client, without an event. */
const idOnly = ({ cursor }: PresentedPage): string => `id: ${cursor}\n\n`;
