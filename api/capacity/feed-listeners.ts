// Long polls and streams that wait for new events in an account's feed. All of a process share one LISTEN connection.
import type { FastifyBaseLogger } from 'fastify';
import type { Database } from '../../db/driver/knex.ts';
import { listenForNotifications, type Listening } from '../../db/driver/notifications.ts';
import type { Capacity } from './capacity.ts';
import type { Owner } from './slots.ts';

export interface FeedListener {
  /**
   * Waits until the feed has grown since the last call, for at most this long. Returns at once when nobody waits any more.
   * A notification may be missed, so look at the feed in any case.
   */
  growth: (maxMs: number) => Promise<void>;
  close: () => void;
}

export interface FeedListeners {
  /** The interval of keep-alive messages on streams, and of the check whether the credential is still valid. */
  beatMs: number;
  /**
   * @param signal closes the listener
   * @throws ApiError rate_limited when the account has too many
   */
  open: (owner: Owner, signal: AbortSignal) => FeedListener;
  close: () => Promise<void>;
}

interface Waiting {
  hasGrown: boolean;
  /** Ends the present wait. */
  wake: () => void;
}

const BEAT_MS = 15_000;

export function createFeedListeners(
  db: Database,
  log: FastifyBaseLogger,
  capacity: Capacity,
  beatMs: number = BEAT_MS,
): FeedListeners {
  const open = new Map<string, Set<Waiting>>();
  let listening: Listening | undefined;
  const tell = (those: Iterable<Waiting>): void => {
    for (const waiting of those) {
      waiting.hasGrown = true;
      waiting.wake();
    }
  };
  const tellAll = (): void => {
    for (const those of open.values()) tell(those);
  };
  const listen = (): Listening => {
    const started = listenForNotifications(db, 'feed_grew', {
      onNotification: (accountId) => tell(open.get(accountId) ?? []),
      onGap: tellAll,
      onError: (err) => log.error({ err }, 'feeds are looked at less often for now'),
    });
    // Events committed before then sent no notification.
    void started.ready.then(tellAll);
    return started;
  };
  return {
    beatMs,
    open: (owner, signal) => {
      const release = capacity.takeListener(owner);
      listening ??= listen();
      const those = open.get(owner.accountId) ?? new Set();
      open.set(owner.accountId, those);
      const waiting: Waiting = { hasGrown: false, wake: () => undefined };
      those.add(waiting);
      const close = (): void => {
        signal.removeEventListener('abort', close);
        those.delete(waiting);
        if (those.size === 0 && open.get(owner.accountId) === those) open.delete(owner.accountId);
        release();
        waiting.wake();
      };
      signal.addEventListener('abort', close);
      if (signal.aborted) close();
      return { growth: (maxMs) => waitForGrowth(waiting, maxMs, signal), close };
    },
    close: async () => listening?.close(),
  };
}

async function waitForGrowth(waiting: Waiting, maxMs: number, signal: AbortSignal): Promise<void> {
  if (!waiting.hasGrown && !signal.aborted) {
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, maxMs);
      waiting.wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }
  waiting.hasGrown = false;
}
