// A batch of a webhook's backlog: deliveries that were opened anew together, or that found their endpoint busy.
import { Context } from '@temporalio/activity';
import { nextAttemptInMs } from '../../core/delivery-schedule.ts';
import { durationInWords } from '../../core/durations.ts';
import type { BacklogResult, SendBacklogInput } from '../../workflows/contract.ts';
import { heartbeating } from '../heartbeating.ts';
import { attemptAndRelease, recordAndRetry } from './attempt-deliveries.ts';
import { backlogQueue, type QueuedDelivery } from './backlog-queue.ts';
import { SHARE_LIMITS } from './endpoint-shares.ts';
import type { MadeAttempt } from './make-attempt.ts';
import type { Sender } from './sender.ts';

/** An activity that goes on for longer tells the operator too little. */
const LONGEST_MS = 20_000;
const { perEndpointBacklog: AT_ONCE } = SHARE_LIMITS;
/** So many failures without one success end a batch: the endpoint is down, and the rest can wait. */
const HOPELESS_AFTER = 2 * AT_ONCE;
/** With so many sent and not recorded the database is what is slow, and it is waited for. */
const MAX_UNRECORDED = 400;

/** An endpoint that is back is noticed within the hour, whatever the schedule says of the later attempts of one delivery. */
const LONGEST_WAIT_MS = 3_600_000;

interface Tally {
  delivered: number;
  failed: number;
  /** Found the endpoint at its share, or the account at its. */
  refused: number;
  /** The longest time for which the endpoint asked to be left alone; 0 when it did not. */
  askedMs: number;
}

interface Batch {
  webhookId: string;
  deadlineMs: number;
  /** How many deliveries are taken from one queue. */
  limit: number;
  tally: Tally;
}

/**
 * Sends the oldest of the backlog, as many at once as the endpoint's share allows. What fails gets its own workflow. An
 * endpoint that takes nothing is given time before the next batch, as the schedule of deliveries has it, and one that asks
 * for time is sent no more of it until then.
 */
export async function sendBacklogBatch(sender: Sender, input: SendBacklogInput): Promise<BacklogResult> {
  // At an endpoint that took nothing last time.
  const isFirstLook = (input.failedBatches ?? 0) > 0;
  const batch: Batch = {
    webhookId: input.webhookId,
    deadlineMs: Date.now() + LONGEST_MS,
    limit: isFirstLook ? AT_ONCE : Infinity,
    tally: { delivered: 0, failed: 0, refused: 0, askedMs: 0 },
  };
  return heartbeating(async () => {
    while (!isOver(batch)) {
      const isEmpty = await sendQueue(sender, batch);
      if (isEmpty) return { kind: 'empty', words: `The backlog is empty; ${inWords(batch.tally)}` };
      if (isFirstLook) break;
    }
    return more(sender, input, batch.tally);
  });
}

const isOver = ({ deadlineMs, tally }: Batch): boolean =>
  Date.now() > deadlineMs || tally.refused > 0 || tally.askedMs > 0 || isHopeless(tally);

/** Sends until the queue ends, and comes back when all of it is recorded. @returns whether there was nothing in it */
async function sendQueue(sender: Sender, batch: Batch): Promise<boolean> {
  const underWay = new Set<string>();
  const queue = backlogQueue(sender, { ...batch, underWay });
  const recordings = new Set<Promise<void>>();
  const faults: unknown[] = [];
  const record = async (attempt: MadeAttempt): Promise<void> => {
    await recordAndRetry(sender, attempt).catch((error: unknown) => faults.push(error));
    underWay.delete(attempt.deliveryId);
  };
  let isEmpty = true;
  const sendInTurn = async (): Promise<void> => {
    while (faults.length === 0) {
      const { value } = await queue.next();
      if (value === undefined) return;
      isEmpty = false;
      const attempt = await sendOne(sender, batch.tally, value);
      if (attempt === undefined) return;
      const recording = record(attempt).finally(() => recordings.delete(recording));
      recordings.add(recording);
      // The next one need not wait until this one is recorded.
      if (recordings.size >= MAX_UNRECORDED) await recording;
      if (isOver(batch)) return;
    }
  };
  const inTurn = Array.from({ length: AT_ONCE }, () => sendInTurn().catch((error) => faults.push(error)));
  await Promise.all(inTurn);
  await Promise.all(recordings);
  if (faults.length > 0) throw faults[0];
  return isEmpty;
}

/** @returns undefined when there is no place for it */
async function sendOne(
  sender: Sender,
  tally: Tally,
  { delivery, prepare }: QueuedDelivery,
): Promise<MadeAttempt | undefined> {
  const release = sender.shares.take(delivery, true);
  if (release === undefined) {
    tally.refused += 1;
    return undefined;
  }
  const { cancellationSignal } = Context.current();
  const attempt = await attemptAndRelease(sender, prepare, release, cancellationSignal);
  tally[attempt.status === 'delivered' ? 'delivered' : 'failed'] += 1;
  tally.askedMs = Math.max(tally.askedMs, askedMsOf(attempt));
  return attempt;
}

/** The answers with which an endpoint speaks of itself, and not of one delivery: too many requests, unavailable. */
const askedMsOf = ({ statusCode, retryAfterMs }: MadeAttempt): number =>
  statusCode === 429 || statusCode === 503 ? (retryAfterMs ?? 0) : 0;

const isHopeless = ({ delivered, failed }: Tally): boolean => delivered === 0 && failed >= HOPELESS_AFTER;

function more({ config }: Sender, { failedBatches = 0 }: SendBacklogInput, tally: Tally): BacklogResult {
  const isDown = tally.delivered === 0 && tally.failed > 0;
  const waitMs = isDown ? scheduledMs(config.deliverySchedule, failedBatches + 1) : placeMs(tally);
  return {
    kind: 'more',
    waitMs: Math.min(Math.max(waitMs, tally.askedMs), LONGEST_WAIT_MS),
    failedBatches: isDown ? failedBatches + 1 : 0,
    words: inWords(tally),
  };
}

/** @param failedBatches in a row */
const scheduledMs = (waits: readonly number[], failedBatches: number): number =>
  nextAttemptInMs(waits, Math.min(failedBatches, waits.length), { spread: Math.random() }) ?? 0;

/** Places become free one after the other. */
const BUSY_MS = 2_000;
/** Not one was free: hundreds of backlogs that ask for one must not keep Temporal busy. */
const NO_PLACE_MS = 5_000;

function placeMs({ delivered, failed, refused }: Tally): number {
  if (refused === 0) return 0;
  return Math.round(delivered + failed > 0 ? BUSY_MS : NO_PLACE_MS * (1 + Math.random()));
}

function inWords({ delivered, failed, refused, askedMs }: Tally): string {
  const busy = refused > 0 ? ', the endpoint was busy' : '';
  const asked = askedMs > 0 ? `, the endpoint asked to wait ${durationInWords(askedMs)}` : '';
  return `${delivered} delivered, ${failed} failed${busy}${asked}.`;
}
