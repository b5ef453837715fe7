// Pages of an account's feed, and the cursors between them.
import type { Static } from 'typebox';
import type { Condition } from '../../core/conditions/condition.ts';
import { ApiError } from '../../core/errors.ts';
import {
  type Feed,
  type FeedEventRow,
  type FeedPage,
  type FeedPosition,
  type FeedSelection,
  findFeed,
  readFeed,
} from '../../db/feeds/feed-events.ts';
import { decideFeedEvents } from '../../db/feeds/met-events.ts';
import { readSlowly } from '../capacity/slow-reads.ts';
import type { Context } from '../contract/context.ts';
import { type feedEventSchema, presentFeedEvent } from '../resources/feed-event.ts';

type FeedContext = Pick<Context, 'db' | 'heavyDb' | 'capacity' | 'cursors' | 'config' | 'principal'>;

/** Which events a reader asks for. */
export interface EventChoice extends FeedSelection {
  /** On delta events; others pass. */
  condition: Condition | null;
}

/** The position of a reader in a feed; null before the oldest event. */
export type FeedCursor = (FeedPosition & Pick<Feed, 'tag'>) | null;

export interface PresentedPage {
  events: Static<typeof feedEventSchema>[];
  hasMore: boolean;
  /** Where to continue, and the same sealed. */
  end: FeedCursor;
  cursor: string;
}

export interface PageSize {
  limit: number;
  maxBytes: number;
}

/** Instead of a cursor: only what happens from now on. */
const NOW = 'now';

/** The characters of cursors. Times have others, or are shorter. */
export const CURSOR_PATTERN = '^[A-Za-z0-9_-]+$';
const NO_CURSOR = /^(?:\d{4}-\d{2}(?:-\d{2})?|\d{1,20})$|[^A-Za-z0-9_-]|^$/;

/**
 * Tells a caller's mistake from a place that is lost, whose reader has to begin again: whether no cursor looks like this text,
 * such as nothing or a time.
 */
export const isNoCursor = (since: string | undefined): boolean =>
  since !== undefined && NO_CURSOR.test(since);

/**
 * The position that `since` or `Last-Event-ID` names.
 * @throws ApiError gone when it is no cursor of this feed
 */
export async function readCursor(ctx: FeedContext, since: string | undefined): Promise<FeedCursor> {
  if (since === undefined) return null;
  if (since !== NOW) return openCursor(ctx, since);
  const feed = await findFeed(ctx.db, ctx.principal.accountId);
  if (feed === undefined) throw accountGone();
  return feed;
}

/** @throws ApiError gone when events after the cursor are no longer stored */
export async function readEvents(
  ctx: FeedContext,
  choice: EventChoice,
  after: FeedCursor,
  size: PageSize,
): Promise<PresentedPage> {
  const page = await readFeed(ctx.db, choice, after?.position ?? null, size);
  if (page === undefined) throw accountGone();
  if (after !== null && !isStill(after, page)) throw cursorGone();
  const { events, end, hasMore } = await keepMet(ctx, choice, page);
  const { tag } = page.feed;
  const cursorAt = ({ position, mark }: FeedPosition): string =>
    ctx.cursors.seal(bindingOf(ctx), [position, tag, mark ?? NO_MARK]);
  return {
    events: events.map(({ outcome, ...event }) =>
      presentFeedEvent(event, cursorAt(event), ctx.config.baseUrl, outcome),
    ),
    hasMore,
    end: { ...end, tag },
    cursor: cursorAt(end),
  };
}

interface MetPage extends Pick<FeedPage, 'end' | 'hasMore'> {
  /** With what the condition said of each, null without one. */
  events: (FeedEventRow & { outcome: 'met' | 'undecided' | null })[];
}

/** Leaves out the events that do not meet the condition. A page ends early when it would have to read too many rows. */
async function keepMet(ctx: FeedContext, { condition }: EventChoice, page: FeedPage): Promise<MetPage> {
  const { events, end, hasMore } = page;
  if (condition === null || events.length === 0) {
    return { events: events.map((event) => ({ ...event, outcome: null })), end, hasMore };
  }
  const outcomes = await readSlowly(ctx, (db) => decideFeedEvents(db, events, condition));
  const met = outcomes.flatMap((outcome, index) => {
    const event = events[index];
    return event === undefined || outcome === 'unmet' ? [] : [{ ...event, outcome }];
  });
  const last = events[outcomes.length - 1];
  if (outcomes.length === events.length || last === undefined) return { events: met, end, hasMore };
  return { events: met, end: last, hasMore: true };
}

/** Whether the feed still has everything after the position, and its event is the one that the reader has seen. */
function isStill(
  { position, mark, tag }: FeedPosition & Pick<Feed, 'tag'>,
  { feed, beginMark }: FeedPage,
): boolean {
  const isStored = position >= feed.keptAfter && position <= feed.position;
  const isSame = mark === null || beginMark === null || mark === beginMark;
  return tag === feed.tag && isStored && isSame;
}

/** In cursors, which have no null. */
const NO_MARK = 0;

/** Not bound to filters, so that a reader may change them. */
const bindingOf = ({ principal }: FeedContext) => ({
  listing: 'feed',
  filters: { accountId: principal.accountId },
});

function openCursor(ctx: FeedContext, cursor: string): FeedCursor {
  try {
    // Sealed by readEvents.
    const [position, tag, mark] = ctx.cursors.open(bindingOf(ctx), cursor) as [number, string, number];
    return { position, tag, mark: mark === NO_MARK ? null : mark };
  } catch (error) {
    if (error instanceof ApiError) throw cursorGone();
    throw error;
  }
}

function cursorGone(): ApiError {
  return new ApiError(
    'gone',
    'The feed cannot continue after this cursor: it is of another feed, events after it are no longer stored, or the service ' +
      'was restored from an older backup. ' +
      'Read the latest snapshots, and read the feed again without `since`.',
  );
}

function accountGone(): ApiError {
  return new ApiError('unauthenticated', 'This account was deleted.');
}
