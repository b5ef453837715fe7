// The backlog of a webhook as those who send it take from it: page after page, the next one read while this one is sent.
import { cancelDeliveries } from '../../db/webhooks/cancel-deliveries.ts';
import { type DueDelivery, listBacklog } from '../../db/webhooks/deliveries.ts';
import type { ReadyDelivery } from './make-attempt.ts';
import { preparing } from './ready-delivery.ts';
import type { Sender } from './sender.ts';

/** Each may be about an event with 300 KB of keys, two pages are in memory, and many backlogs are sent at once. */
const PAGE = 100;
/** What was read is acted on for so long: by then the webhook may be disabled, deleted, or have another URL or secret. */
const FRESH_MS = 500;

/** A delivery, and what makes it ready when its turn has come. */
export interface QueuedDelivery {
  delivery: DueDelivery;
  prepare: () => ReadyDelivery;
}

interface Page {
  queued: readonly QueuedDelivery[];
  freshUntilMs: number;
}

interface QueueOptions {
  webhookId: string;
  /** It ends after so many. */
  limit: number;
  /** Ids that were taken; whoever took one removes it once its attempt is recorded. */
  underWay: Set<string>;
}

/**
 * The oldest first. Ends when nothing is left but what is under way, and when what was read is too old to act on: whoever
 * wants more begins anew, once what is under way is recorded.
 */
export async function* backlogQueue(
  sender: Sender,
  options: QueueOptions,
): AsyncGenerator<QueuedDelivery, void, undefined> {
  let left = options.limit;
  let page = await readPage(sender, options, []);
  for (;;) {
    const { queued, freshUntilMs } = page;
    let next: Promise<Page> | undefined;
    for (const [index, one] of queued.entries()) {
      if (left === 0 || Date.now() > freshUntilMs) return;
      // Not sooner: what is left of a slow endpoint's page will be read anew anyway.
      if (index === queued.length >> 1 && left > queued.length) {
        next = readPage(sender, options, queued.slice(index));
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

/** @param waiting read already, and not taken yet */
async function readPage(
  sender: Sender,
  { webhookId, limit, underWay }: QueueOptions,
  waiting: readonly QueuedDelivery[],
): Promise<Page> {
  const except = [...underWay, ...waiting.map(({ delivery }) => delivery.id)];
  for (;;) {
    const due = await listBacklog(sender.db, webhookId, Math.min(PAGE, limit), except);
    const freshUntilMs = Date.now() + FRESH_MS;
    if (due.every(({ isWebhookEnabled }) => isWebhookEnabled)) {
      const prepare = await preparing(sender, due);
      const queued = due.map((delivery) => ({ delivery, prepare: () => prepare(delivery) }));
      return { queued, freshUntilMs };
    }
    // Disabled after its deliveries were read; they are cancelled with it, all but those that came in between.
    await cancelDeliveries(
      sender.db,
      due.map(({ id }) => id),
    );
  }
}
