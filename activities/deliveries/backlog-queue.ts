// The backlog of a webhook, as a queue: read page by page, the next page while the current one is sent.
import { cancelDeliveries, type DueDelivery, listBacklog } from '../../db/webhooks/deliveries.ts';
import { prepareAttempts, type ReadyDelivery } from './make-attempt.ts';
import type { DeliveryDeps } from './delivery-deps.ts';

/** An event may have 300 KB of keys, two pages are in memory at a time, and many backlogs are sent at once. */
const PAGE = 100;
/** After this time a page is read again, because the webhook may have been disabled, deleted or changed. */
const FRESH_MS = 500;

/** A delivery, and the function that prepares it to be sent. */
export interface QueuedDelivery {
  delivery: DueDelivery;
  prepare: () => Promise<ReadyDelivery>;
}

interface Page {
  queued: readonly QueuedDelivery[];
  freshUntilMs: number;
}

interface QueueOptions {
  webhookId: string;
  /** The most deliveries that the queue yields. */
  limit: number;
  /** Ids that were taken. The taker removes an id once its attempt is recorded. */
  underWay: Set<string>;
}

/**
 * Yields the oldest deliveries first. Ends when all that remains is under way, or when the page is too old. To continue, the
 * caller waits until its attempts are recorded and starts a new queue.
 */
export async function* backlogQueue(
  deps: DeliveryDeps,
  options: QueueOptions,
): AsyncGenerator<QueuedDelivery, void, undefined> {
  let left = options.limit;
  let page = await readPage(deps, options, []);
  for (;;) {
    const { queued, freshUntilMs } = page;
    let next: Promise<Page> | undefined;
    for (const [index, one] of queued.entries()) {
      if (left === 0 || Date.now() > freshUntilMs) return;
      // Reading earlier would be wasted for a slow endpoint, whose page becomes too old.
      if (index === queued.length >> 1 && left > queued.length) {
        next = readPage(deps, options, queued.slice(index));
        next.catch(() => undefined);
      }
      options.underWay.add(one.delivery.id);
      left -= 1;
      yield one;
    }
    if (next === undefined) return;
    page = await next;
  }
}

/** @param waiting read but not taken yet */
async function readPage(
  deps: DeliveryDeps,
  { webhookId, limit, underWay }: QueueOptions,
  waiting: readonly QueuedDelivery[],
): Promise<Page> {
  const except = [...underWay, ...waiting.map(({ delivery }) => delivery.id)];
  for (;;) {
    const due = await listBacklog(deps.db, webhookId, Math.min(PAGE, limit), except);
    const freshUntilMs = Date.now() + FRESH_MS;
    if (due.every(({ isWebhookEnabled }) => isWebhookEnabled)) {
      const prepare = await prepareAttempts(deps, due);
      const queued = due.map((delivery) => ({ delivery, prepare: () => prepare(delivery) }));
      return { queued, freshUntilMs };
    }
    // The webhook was disabled. Disabling cancels its deliveries, but these may have been added during that.
    await cancelDeliveries(
      deps.db,
      due.map(({ id }) => id),
    );
  }
}
