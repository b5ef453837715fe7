// Follows the feed until the user ends it, across broken connections and restarts of the service.
import type { FeedEvent } from '../../../clients/typescript/src/models.ts';
import { MemoryPlaceStore, type PlaceStore } from '../../../clients/typescript/src/feed/place-store.ts';
import type { Recordwatch } from '../../../clients/typescript/src/recordwatch.ts';
import { safeText } from '../../../core/text/safe-text.ts';
import { given } from '../calls/given.ts';
import type { FeedType } from './feed-types.ts';
import { type Followed, whenDeleted } from './when-deleted.ts';

export interface FeedChoice {
  /** A cursor, `now`, or `start` for the oldest kept event. */
  since: string;
  types: readonly FeedType[];
  labels: readonly string[];
  /** JSON text. */
  condition?: string | undefined;
}

const [NOW, BEGINNING] = ['now', 'start'];

/**
 * Each event once, in order. When it ends, it tells the cursor after the last event that was handled.
 * @param records which it is about; none: all. It ends when the last of them is deleted.
 * @param onReady called when no later event is missed
 * @throws ApiError the key was revoked, or events after `since` are gone @throws ServiceFault the records are deleted
 */
export async function* follow(
  client: Recordwatch,
  { records, ...choice }: FeedChoice & { records: readonly Followed[] },
  onReady: () => void,
  signal: AbortSignal,
): AsyncGenerator<FeedEvent, void, undefined> {
  const { since } = choice;
  let last = since === NOW || since === BEGINNING ? undefined : since;
  const ready = (place?: string): void => {
    last ??= place;
    onReady();
  };
  const over = new AbortController();
  const gone = whenDeleted(client, records, over.signal);
  const ids = records.map(({ id }) => id);
  const query = { ...choice, sourceId: ids.length === 1 ? ids[0] : undefined };
  try {
    for await (const event of readFeed(client, query, ready, AbortSignal.any([signal, gone]))) {
      if (ids.length === 0 || ids.includes(event.sourceId)) yield event;
      last = event.cursor;
    }
  } finally {
    over.abort();
    // A cursor that the user has given may be why it ends.
    if (!gone.aborted && last !== undefined && (signal.aborted || last !== since)) {
      console.error(`Ended. Continue with --since ${safeText(last)}`);
    }
  }
  gone.throwIfAborted();
}

function readFeed(
  client: Recordwatch,
  { since, sourceId, types, labels, condition }: FeedChoice & { sourceId: string | undefined },
  onReady: (place?: string) => void,
  signal: AbortSignal,
): AsyncGenerator<FeedEvent, void, undefined> {
  return client.events.follow({
    store: storeThatTells(since === NOW, onReady),
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
