// First attempts of an event's deliveries, side by side; and one later attempt of one delivery.
import { Context } from '@temporalio/activity';
import type { DueDelivery } from '../db/deliveries.ts';
import {
  cancelDelivery,
  findDelivery,
  listFirstAttempts,
  listLaterAttempts,
  recordAttempts,
} from '../db/deliveries.ts';
import type { AttemptResult, FirstAttemptsResult, RetryDeliveryInput } from '../workflows/contract.ts';
import type { ActivityDeps } from './deps.ts';
import { heartbeating } from './heartbeating.ts';
import { makeAttempt, type MadeAttempt } from './make-attempt.ts';

/**
 * Makes the first attempt of every delivery of the event that has none yet, and records them in one statement.
 * Run twice, it leaves out what was recorded; an attempt that was sent and not recorded is sent again under
 * the same webhook-id.
 */
export async function attemptDeliveries(
  deps: ActivityDeps,
  deltaEventId: string,
): Promise<FirstAttemptsResult> {
  const due = await withoutDisabled(deps, await listFirstAttempts(deps.db, deltaEventId));
  const { cancellationSignal } = Context.current();
  const settled = await heartbeating(() =>
    Promise.allSettled(due.map((delivery) => makeAttempt(deps, delivery, cancellationSignal))),
  );
  // What was sent is recorded also when another one could not be made, so that it is not sent again.
  const made = settled.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
  if (made.length > 0) await recordAttempts(deps.db, made);
  for (const one of settled) if (one.status === 'rejected') throw one.reason;
  return {
    delivered: made.filter(({ status }) => status === 'delivered').length,
    retries: await listRetries(deps, deltaEventId, made),
  };
}

/** Of an earlier run as well: one that recorded its attempts and died has started nothing. */
async function listRetries(
  { db }: ActivityDeps,
  deltaEventId: string,
  made: readonly MadeAttempt[],
): Promise<RetryDeliveryInput[]> {
  const isFirstRun = Context.current().info.attempt === 1;
  if (isFirstRun && made.every(({ nextAttemptInMs }) => nextAttemptInMs === null)) return [];
  const words = new Map(made.map((attempt) => [attempt.deliveryId, attempt.words]));
  return (await listLaterAttempts(db, deltaEventId)).map(({ id, attemptCount, dueInMs }) => ({
    deliveryId: id,
    waitMs: Math.ceil(dueInMs),
    words: words.get(id) ?? `Attempt ${attemptCount} failed.`,
  }));
}

/**
 * Makes the next attempt of a delivery, unless Postgres says that it is done or not yet due: an earlier run, or a
 * twin that reconciling started, may have made it.
 */
export async function attemptDelivery(deps: ActivityDeps, deliveryId: string): Promise<AttemptResult> {
  const delivery = await findDelivery(deps.db, deliveryId);
  if (delivery?.status !== 'pending') return final(`Nothing to do: ${delivery?.status ?? 'deleted'}.`);
  const [due] = await withoutDisabled(deps, [delivery]);
  if (due === undefined) return final('Cancelled: the webhook is disabled.');
  if (due.dueInMs > 0) {
    return { kind: 'wait', waitMs: Math.ceil(due.dueInMs), words: `Attempt ${due.attemptCount} failed.` };
  }
  const attempt = await makeAttempt(deps, due, Context.current().cancellationSignal);
  await recordAttempts(deps.db, [attempt]);
  const { nextAttemptInMs, words, disableReason } = attempt;
  if (nextAttemptInMs !== null) return { kind: 'wait', waitMs: nextAttemptInMs, words };
  return final(disableReason === null ? words : `${words} The webhook was disabled: ${disableReason}`);
}

const final = (words: string): AttemptResult => ({ kind: 'final', words });

/** Deliveries of a webhook that was disabled meanwhile are cancelled, not made. */
async function withoutDisabled({ db }: ActivityDeps, due: readonly DueDelivery[]): Promise<DueDelivery[]> {
  for (const { id, isWebhookEnabled } of due) if (!isWebhookEnabled) await cancelDelivery(db, id);
  return due.filter(({ isWebhookEnabled }) => isWebhookEnabled);
}
