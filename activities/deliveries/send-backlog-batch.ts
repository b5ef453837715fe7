// A batch of a webhook's backlog: deliveries that were opened anew together, or that found their endpoint busy.
import { Context } from '@temporalio/activity';
import { nextAttemptInMs } from '../../core/delivery-schedule.ts';
import { cancelDeliveries } from '../../db/cancel-deliveries.ts';
import { type DueDelivery, listBacklog } from '../../db/deliveries.ts';
import type { BacklogResult, SendBacklogInput } from '../../workflows/contract.ts';
import { attemptAndRelease, recordAndRetry } from './attempt-deliveries.ts';
import { SHARE_LIMITS } from './endpoint-shares.ts';
import { heartbeating } from '../heartbeating.ts';
import { preparing } from './ready-delivery.ts';
import type { Sender } from './sender.ts';

/** Each may be about an event with 300 KB of keys, and many backlogs are sent at once. */
const PAGE = 100;
/** What was read is acted on for so long: by then the webhook may be disabled, deleted, or have another URL or secret. */
const FRESH_MS = 500;
/** An activity that goes on for longer tells the operator too little. */
const LONGEST_MS = 20_000;
const { perEndpointBacklog: AT_ONCE } = SHARE_LIMITS;
/** So many failures without one success end a batch: the endpoint is down, and the rest can wait. */
const HOPELESS_AFTER = 2 * AT_ONCE;

/** An endpoint that is back is noticed within the hour, whatever the schedule says of the later attempts of one delivery. */
const LONGEST_WAIT_MS = 3_600_000;

interface Tally {
  delivered: number;
  failed: number;
  /** Found the endpoint at its share, or the account at its. */
  refused: number;
}

/**
 * Sends the oldest of the backlog, as many at once as the endpoint's share allows. What fails gets its own workflow. An
 * endpoint that takes nothing is given time before the next batch, as the schedule of deliveries has it.
 */
export async function sendBacklogBatch(sender: Sender, input: SendBacklogInput): Promise<BacklogResult> {
  const deadline = Date.now() + LONGEST_MS;
  const tally: Tally = { delivered: 0, failed: 0, refused: 0 };
  // A first look at an endpoint that took nothing last time.
  const limit = (input.failedBatches ?? 0) > 0 ? AT_ONCE : PAGE;
  return heartbeating(async () => {
    while (Date.now() < deadline) {
      const page = await listBacklog(sender.db, input.webhookId, limit);
      if (page.length === 0) return { kind: 'empty', words: `The backlog is empty; ${inWords(tally)}` };
      await sendPage(sender, page, tally);
      if (tally.refused > 0 || isHopeless(tally) || limit < PAGE) break;
    }
    return more(sender, input, tally);
  });
}

async function sendPage(sender: Sender, page: readonly DueDelivery[], tally: Tally): Promise<void> {
  if (page.some(({ isWebhookEnabled }) => !isWebhookEnabled)) {
    // Disabled after its deliveries were read; they are cancelled with it, all but those that came in between.
    await cancelDeliveries(
      sender.db,
      page.map(({ id }) => id),
    );
    return;
  }
  const freshUntil = Date.now() + FRESH_MS;
  const prepare = await preparing(sender, page);
  const { cancellationSignal } = Context.current();
  const rest = page.values();
  const recording: Promise<unknown>[] = [];
  const sendInTurn = async (): Promise<void> => {
    for (const delivery of rest) {
      const release = sender.shares.take(delivery, true);
      if (release === undefined) {
        tally.refused += 1;
        return;
      }
      const attempt = await attemptAndRelease(sender, () => prepare(delivery), release, cancellationSignal);
      tally[attempt.status === 'delivered' ? 'delivered' : 'failed'] += 1;
      // The next one need not wait until this one is recorded.
      recording.push(recordAndRetry(sender, attempt));
      if (isHopeless(tally) || Date.now() > freshUntil) return;
    }
  };
  const sending = await Promise.allSettled(Array.from({ length: AT_ONCE }, sendInTurn));
  const settled = [...sending, ...(await Promise.allSettled(recording))];
  for (const one of settled) if (one.status === 'rejected') throw one.reason;
}

const isHopeless = ({ delivered, failed }: Tally): boolean => delivered === 0 && failed >= HOPELESS_AFTER;

function more({ config }: Sender, { failedBatches = 0 }: SendBacklogInput, tally: Tally): BacklogResult {
  const { delivered, failed, refused } = tally;
  const words = inWords(tally);
  if (delivered === 0 && failed > 0) {
    const waits = config.deliverySchedule;
    const made = Math.min(failedBatches + 1, waits.length);
    const waitMs = nextAttemptInMs(waits, made, { spread: Math.random() }) ?? 0;
    return {
      kind: 'more',
      waitMs: Math.min(waitMs, LONGEST_WAIT_MS),
      failedBatches: failedBatches + 1,
      words,
    };
  }
  const busyMs = delivered + failed > 0 ? BUSY_MS : NO_PLACE_MS * (1 + Math.random());
  return { kind: 'more', waitMs: refused > 0 ? Math.round(busyMs) : 0, failedBatches: 0, words };
}

/** Places become free one after the other. */
const BUSY_MS = 2_000;
/** Not one was free: hundreds of backlogs that ask for one must not keep Temporal busy. */
const NO_PLACE_MS = 5_000;

function inWords({ delivered, failed, refused }: Tally): string {
  const busy = refused > 0 ? ', the endpoint was busy' : '';
  return `${delivered} delivered, ${failed} failed${busy}.`;
}
