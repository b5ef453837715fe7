// Makes a later attempt of one delivery.
import { Context } from '@temporalio/activity';
import {
  cancelDeliveries,
  type DueDelivery,
  findDelivery,
  leaveToBacklog,
  postponeDelivery,
} from '../../db/webhooks/deliveries.ts';
import { leaseLines, type LineLease } from '../../db/webhooks/lines.ts';
import type { AttemptResult } from '../../workflows/contract.ts';
import { heartbeating } from '../heartbeating.ts';
import type { DeliveryDeps } from './delivery-deps.ts';
import type { AttemptSlot } from './endpoint-slots.ts';
import { attemptAndRelease, prepareAttempts } from './make-attempt.ts';
import { goOnInLine } from './send-line.ts';

export const ELSEWHERE = 'The first attempt is under way.';

/**
 * Makes the next attempt of a delivery, unless it is done or not due: an earlier run, or a workflow that reconciling
 * started, may have made it. When the endpoint is at its limit, the workflow waits, not this activity.
 */
export function attemptDelivery(deps: DeliveryDeps, deliveryId: string): Promise<AttemptResult> {
  return heartbeating(() => attemptOne(deps, deliveryId));
}

/** How soon to ask again about an attempt that is in flight in this process. */
const ASK_AGAIN_MS = 1_000;

async function attemptOne(deps: DeliveryDeps, deliveryId: string): Promise<AttemptResult> {
  if (deps.underWay.find(deliveryId) !== undefined)
    return { kind: 'wait', waitMs: ASK_AGAIN_MS, words: ELSEWHERE };
  const delivery = await findDelivery(deps.db, deliveryId);
  if (delivery?.status !== 'pending') return final(`Nothing to do: ${delivery?.status ?? 'deleted'}.`);
  const [due] = await withoutDisabled(deps, [delivery]);
  if (due === undefined) return final('Cancelled: the webhook is disabled.');
  if (due.dueInMs > 0) {
    const words = due.attemptCount === 0 ? ELSEWHERE : `Attempt ${due.attemptCount} failed.`;
    return { kind: 'wait', waitMs: Math.ceil(due.dueInMs), words };
  }
  const prepare = await prepareAttempts(deps, [due]);
  const slot = deps.slots.take(due);
  if (slot === undefined) return busy(deps, due);
  const lease = due.isOrdered ? await leaseLine(deps, due, slot) : undefined;
  if (due.isOrdered && lease === undefined) {
    slot.release();
    return waitInLine(deps, due);
  }
  const signal = Context.current().cancellationSignal;
  const attempt = await attemptAndRelease(deps, () => prepare(due), slot, signal, lease);
  const { status, disabledReason } = await deps.record(attempt);
  if (lease !== undefined) goOnInLine(deps, lease);
  const { nextAttemptInMs, words } = attempt;
  // Another run recorded this attempt. The next run of this activity reads the result.
  if (status === null) return { kind: 'wait', waitMs: 0, words };
  if (status === 'pending' && nextAttemptInMs !== null)
    return { kind: 'wait', waitMs: nextAttemptInMs, words };
  return final(disabledReason === null ? words : `${words} The webhook was disabled: ${disabledReason}`);
}

/** Gives the slot back where the database fails. */
async function leaseLine(
  { db }: DeliveryDeps,
  due: DueDelivery,
  slot: AttemptSlot,
): Promise<LineLease | undefined> {
  try {
    return (await leaseLines(db, [due])).get(due.id);
  } catch (error) {
    slot.release();
    throw error;
  }
}

/** Ends the workflow. The process that holds the lease of the line, or the webhook's backlog, sends the delivery. */
async function waitInLine(deps: DeliveryDeps, due: DueDelivery): Promise<AttemptResult> {
  await leaveToBacklog(deps.db, [due.id]);
  await deps.startBacklog(due.webhookId);
  return final('Waits in line: the webhook gets the events of a record one at a time.');
}

const final = (words: string): AttemptResult => ({ kind: 'final', words });

async function busy(deps: DeliveryDeps, due: DueDelivery): Promise<AttemptResult> {
  const waitMs = deps.slots.waitMs(due);
  await postponeDelivery(deps.db, due.id, waitMs);
  return {
    kind: 'wait',
    waitMs,
    words: 'The endpoint is busy: it has as many attempts in flight as allowed.',
  };
}

/** Cancels deliveries of webhooks that were disabled meanwhile. @returns the others */
export async function withoutDisabled<Delivery extends DueDelivery>(
  { db }: DeliveryDeps,
  due: readonly Delivery[],
): Promise<Delivery[]> {
  const ended = due.filter(({ isWebhookEnabled }) => !isWebhookEnabled);
  if (ended.length > 0)
    await cancelDeliveries(
      db,
      ended.map(({ id }) => id),
    );
  return due.filter(({ isWebhookEnabled }) => isWebhookEnabled);
}
