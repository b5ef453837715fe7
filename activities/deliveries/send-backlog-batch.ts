// Sends a batch of a webhook's backlog: deliveries that were reopened together, or whose endpoint was at its limit.
import { Context } from '@temporalio/activity';
import { nextAttemptInMs } from '../../core/deliveries.ts';
import { durationInWords } from '../../core/durations.ts';
import type { BacklogResult, SendBacklogInput } from '../../workflows/contract.ts';
import { heartbeating } from '../heartbeating.ts';
import { type DueInTurn, takeLines } from '../../db/webhooks/lines.ts';
import { backlogQueue, type QueuedDelivery } from './backlog-queue.ts';
import { SHARE_LIMITS } from './endpoint-shares.ts';
import { attemptAndRelease, type CompletedAttempt, recordAndRetry } from './make-attempt.ts';
import type { DeliveryDeps } from './delivery-deps.ts';
import { sendLine } from './send-line.ts';

/** Longer activities would hide the progress from operators. */
const LONGEST_MS = 20_000;
const { perEndpointBacklog: AT_ONCE } = SHARE_LIMITS;
/** A batch with this many failures and no success ends: the endpoint is down. */
const HOPELESS_AFTER = 2 * AT_ONCE;
/** With this many unrecorded attempts the database is slow, and sending waits for it. */
const MAX_UNRECORDED = 400;

/** An endpoint that recovers is noticed within the hour, although the schedule of a single delivery has longer waits. */
const LONGEST_WAIT_MS = 3_600_000;

interface Tally {
  delivered: number;
  failed: number;
  /** Not sent, because the endpoint or the account was at its limit. */
  refused: number;
  /** The longest Retry-After; 0 without one. */
  askedMs: number;
}

interface Batch {
  webhookId: string;
  deadlineMs: number;
  /** The most deliveries taken from one queue. */
  limit: number;
  tally: Tally;
}

/**
 * Sends the oldest deliveries of the backlog, as many at once as the endpoint's limit allows. A failed delivery gets its own
 * retry workflow. After a batch without success, the next one waits as the schedule of deliveries says. An endpoint that
 * sends Retry-After gets no more of the backlog until then.
 */
export async function sendBacklogBatch(deps: DeliveryDeps, input: SendBacklogInput): Promise<BacklogResult> {
  // After a batch without success, try a few deliveries first.
  const isProbe = (input.failedBatches ?? 0) > 0;
  const batch: Batch = {
    webhookId: input.webhookId,
    deadlineMs: Date.now() + LONGEST_MS,
    limit: isProbe ? AT_ONCE : Infinity,
    tally: { delivered: 0, failed: 0, refused: 0, askedMs: 0 },
  };
  return heartbeating(async () => {
    while (!isOver(batch)) {
      const lines = await sendLines(deps, batch);
      const isEmpty = await sendQueue(deps, batch);
      if (isEmpty && lines.heldForMs !== null) return waitForTurn(lines.heldForMs, batch.tally);
      if (isEmpty && lines.areEmpty)
        return { kind: 'empty', words: `The backlog is empty; ${inWords(batch.tally)}` };
      if (isProbe) break;
    }
    return more(deps, input, batch.tally);
  });
}

const isOver = ({ deadlineMs, tally }: Batch): boolean =>
  Date.now() > deadlineMs || tally.refused > 0 || tally.askedMs > 0 || isHopeless(tally);

/** Another process sends what waits, or it died: then its turn ends by itself. */
const waitForTurn = (heldForMs: number, tally: Tally): BacklogResult => ({
  kind: 'more',
  waitMs: Math.ceil(heldForMs) + TURN_SLACK_MS,
  failedBatches: 0,
  words: `Another process sends the first of a line; ${inWords(tally)}`,
});

/** The clocks of PostgreSQL and Temporal differ a little. */
const TURN_SLACK_MS = 100;

interface SentLines {
  areEmpty: boolean;
  /** Milliseconds until another process's lease of a waiting line ends; null if no process holds one, or others were sent. */
  heldForMs: number | null;
}

/** Sends the lines of an ordered webhook, each one delivery at a time. */
async function sendLines(deps: DeliveryDeps, batch: Batch): Promise<SentLines> {
  const { webhookId, tally } = batch;
  const { firsts, heldForMs } = await takeLines(deps.db, webhookId, AT_ONCE);
  if (firsts.length === 0) return { areEmpty: heldForMs === null, heldForMs };
  const { cancellationSignal: signal } = Context.current();
  const mayGoOn = (): boolean => !isOver(batch);
  const send = async (first: DueInTurn): Promise<void> => {
    const note = (attempt: CompletedAttempt): void => count(tally, attempt);
    for (let line: DueInTurn | undefined = first; line !== undefined;) {
      if (!(await sendLine(deps, line, { signal, mayGoOn, note }))) tally.refused += 1;
      [line] = mayGoOn() ? (await takeLines(deps.db, webhookId, 1)).firsts : [];
    }
  };
  await allEnded(firsts.map(send));
  return { areEmpty: false, heldForMs: null };
}

/** Waits for all. @throws the first error */
async function allEnded(promises: readonly Promise<void>[]): Promise<void> {
  const failed = (await Promise.allSettled(promises)).find(({ status }) => status === 'rejected');
  if (failed?.status === 'rejected') throw failed.reason;
}

function count(tally: Tally, attempt: CompletedAttempt): void {
  tally[attempt.status === 'delivered' ? 'delivered' : 'failed'] += 1;
  tally.askedMs = Math.max(tally.askedMs, askedMsOf(attempt));
}

/** Sends until the queue ends, and waits until all attempts are recorded. @returns whether the queue was empty */
async function sendQueue(deps: DeliveryDeps, batch: Batch): Promise<boolean> {
  const underWay = new Set<string>();
  const queue = backlogQueue(deps, { ...batch, underWay });
  const recordings = new Set<Promise<void>>();
  const faults: unknown[] = [];
  const record = async (attempt: CompletedAttempt): Promise<void> => {
    await recordAndRetry(deps, attempt).catch((error: unknown) => faults.push(error));
    underWay.delete(attempt.deliveryId);
  };
  let isEmpty = true;
  const sendInTurn = async (): Promise<void> => {
    while (faults.length === 0) {
      const { value } = await queue.next();
      if (value === undefined) return;
      isEmpty = false;
      const attempt = await sendOne(deps, batch.tally, value);
      if (attempt === undefined) return;
      const recording = record(attempt).finally(() => recordings.delete(recording));
      recordings.add(recording);
      // Sending continues while attempts are recorded.
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

/** @returns undefined when the endpoint is at its limit */
async function sendOne(
  deps: DeliveryDeps,
  tally: Tally,
  { delivery, prepare }: QueuedDelivery,
): Promise<CompletedAttempt | undefined> {
  const place = deps.shares.take(delivery, true);
  if (place === undefined) {
    tally.refused += 1;
    return undefined;
  }
  const { cancellationSignal } = Context.current();
  const attempt = await attemptAndRelease(deps, prepare, place, cancellationSignal);
  count(tally, attempt);
  return attempt;
}

/** Retry-After of a status that is about the endpoint, not about one delivery. */
const askedMsOf = ({ statusCode, retryAfterMs }: CompletedAttempt): number =>
  statusCode === 429 || statusCode === 503 ? (retryAfterMs ?? 0) : 0;

const isHopeless = ({ delivered, failed }: Tally): boolean => delivered === 0 && failed >= HOPELESS_AFTER;

function more(
  { config }: DeliveryDeps,
  { failedBatches = 0 }: SendBacklogInput,
  tally: Tally,
): BacklogResult {
  const isDown = tally.delivered === 0 && tally.failed > 0;
  const waitMs = isDown ? scheduledMs(config.deliverySchedule, failedBatches + 1) : busyMs(tally);
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

/** Some slots were free. */
const BUSY_MS = 2_000;
/** No slot was free. Longer, because hundreds of backlogs may ask at once. */
const NO_SLOT_MS = 5_000;

function busyMs({ delivered, failed, refused }: Tally): number {
  if (refused === 0) return 0;
  return Math.round(delivered + failed > 0 ? BUSY_MS : NO_SLOT_MS * (1 + Math.random()));
}

function inWords({ delivered, failed, refused, askedMs }: Tally): string {
  const busy = refused > 0 ? ', the endpoint was busy' : '';
  const asked = askedMs > 0 ? `, the endpoint asked to wait ${durationInWords(askedMs)}` : '';
  return `${delivered} delivered, ${failed} failed${busy}${asked}.`;
}
