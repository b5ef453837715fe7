// Follows the feed by long polls: they pass every proxy, and one lost answer loses nothing.
import { FeedGoneError, GoneError, isForeign } from '../errors.ts';
import type { WaitOptions } from '../http/options.ts';
import { pastProxies } from '../http/retry.ts';
import type { FeedEvent, QueryOf } from '../models.ts';
import { MemoryPlaceStore, type PlaceStore } from './place-store.ts';

/** A proxy in between may end calls that stay silent for a minute. */
const WAIT_SECONDS = 30;
/** Beyond the time that the API waits: then the connection is dead. */
const TIMEOUT_MS = 20_000;

export interface FollowOptions extends Pick<
  QueryOf<'listEvents'>,
  'sourceId' | 'type' | 'label' | 'condition' | 'limit'
> {
  /** Where the place is kept. In memory by default. */
  store?: PlaceStore | undefined;
  /** Where to begin if the store has no place: `now`, or a cursor. At the oldest kept event by default. */
  since?: string | undefined;
  /** Ends the loop, without an error. */
  signal?: AbortSignal | undefined;
  /** How long a call waits for an event: 1 to 60. */
  waitSeconds?: number | undefined;
}

type ReadPage = (
  query: QueryOf<'listEvents'>,
  options: WaitOptions,
) => Promise<{ events: FeedEvent[]; nextCursor: string; hasMore: boolean }>;

/** @param longestMs between two calls, after an answer that is not of the service */
export async function* followFeed(
  read: ReadPage,
  longestMs: number,
  { store = new MemoryPlaceStore(), since, signal, waitSeconds = WAIT_SECONDS, ...choice }: FollowOptions,
): AsyncGenerator<FeedEvent, void, undefined> {
  // A reader that follows the feed has nothing better to do than to try again.
  const options: WaitOptions = { waitSeconds, signal, maxRetries: Infinity, timeoutMs: TIMEOUT_MS };
  const isEnded = (): boolean => signal?.aborted === true;
  let place = (await store.load()) ?? since;
  let hasAnswered = false;
  try {
    while (!isEnded()) {
      // The first call only finds the place of `now`. Until it is stored, a crash would lose events.
      const call = place === 'now' ? { ...options, waitSeconds: undefined } : options;
      const query = { ...choice, ...(place === undefined ? {} : { since: place }) };
      const readNext = (): ReturnType<ReadPage> => read(query, call);
      const page = await (hasAnswered ? pastProxies(readNext, signal, longestMs) : readNext());
      hasAnswered = true;
      for (const event of page.events) {
        if (isEnded()) return;
        yield event;
        await store.save(event.cursor);
      }
      // Also without events: it passes those that were not asked for.
      if (page.nextCursor !== place && page.nextCursor !== page.events.at(-1)?.cursor) {
        await store.save(page.nextCursor);
      }
      place = page.nextCursor;
    }
  } catch (error) {
    if (isEnded()) return;
    throw error instanceof GoneError && !isForeign(error) ? new FeedGoneError(error) : error;
  }
}
