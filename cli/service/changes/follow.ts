// Follows the feed until the user ends it, across broken connections and restarts of the service.
import type { FeedEvent } from '../../../clients/typescript/src/models.ts';
import { MemoryPlaceStore, type PlaceStore } from '../../../clients/typescript/src/feed/place-store.ts';
import type { Recordwatch } from '../../../clients/typescript/src/recordwatch.ts';
import { given } from '../calls/given.ts';
import type { FeedType } from './feed-types.ts';

export interface FeedChoice {
  /** A cursor, `now`, or `start` for the oldest kept event. */
  since: string;
  sourceId?: string | undefined;
  types: readonly FeedType[];
  labels: readonly string[];
  /** JSON text. */
  condition?: string | undefined;
}

const BEGINNING = 'start';

/**
 * Each event once, in order.
 * @param onReady gets the place from which it waits, as a cursor, unless `since` says it: no later event is missed
 * @throws ApiError the key was revoked, or events after `since` are gone
 */
export function follow(
  client: Recordwatch,
  { since, sourceId, types, labels, condition }: FeedChoice,
  onReady: (place?: string) => void,
  signal: AbortSignal,
): AsyncGenerator<FeedEvent, void, undefined> {
  return client.events.follow({
    store: storeThatTells(since === 'now', onReady),
    signal,
    type: [...types],
    label: [...labels],
    ...(since !== BEGINNING && { since }),
    ...given({ sourceId, condition }),
  });
}

/** @param isNow the first answer has the place; otherwise it is known already */
function storeThatTells(isNow: boolean, onReady: (place?: string) => void): PlaceStore {
  const memory = new MemoryPlaceStore();
  let isReady = !isNow;
  if (isReady) onReady();
  return {
    load: () => memory.load(),
    clear: () => memory.clear(),
    save: (place) => {
      memory.save(place);
      if (isReady) return;
      isReady = true;
      onReady(place);
    },
  };
}

/** Ends with Ctrl-C, and with a closed terminal. */
export function untilInterrupted(): AbortSignal {
  const ended = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => ended.abort());
  return ended.signal;
}
