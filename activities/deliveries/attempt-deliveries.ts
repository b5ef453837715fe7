// First attempts of what a check gave rise to, side by side; and one later attempt of one delivery.
import { Context } from '@temporalio/activity';
import { cancelDeliveries } from '../../db/webhooks/cancel-deliveries.ts';
import {
  type DueDelivery,
  findDelivery,
  leaveToBacklog,
  listFirstAttempts,
  listLaterAttempts,
  postponeDelivery,
} from '../../db/webhooks/deliveries.ts';
import type { AttemptResult, FirstAttemptsResult } from '../../workflows/contract.ts';
import { noteProgress } from '../../db/driver/pulse.ts';
import { heartbeating } from '../heartbeating.ts';
import { makeAttempt, type MadeAttempt, type ReadyDelivery } from './make-attempt.ts';
import { preparing } from './ready-delivery.ts';
import type { RecordedAttempt } from './record-attempt.ts';
import type { Sender } from './sender.ts';
import { startRetry } from './start-retry.ts';

/**
 * Makes the first attempt of every delivery of the check that has none yet. Each is recorded, and its retrying started,
 * as soon as it is over, however long a neighbour takes. Deliveries to an endpoint that is busy join its backlog. Run
 * twice, it leaves out what was recorded; an attempt that was sent and not recorded is sent again under the same
 * webhook-id.
 */
export async function attemptDeliveries(sender: Sender, checkId: string): Promise<FirstAttemptsResult> {
  if (Context.current().info.attempt > 1) await startLaterAttempts(sender, checkId);
  const due = await withoutDisabled(sender, await listFirstAttempts(sender.db, checkId));
  const prepare = await preparing(sender, due);
  const taken = due.map((delivery) => ({ delivery, release: sender.shares.take(delivery) }));
  const deferred = taken.flatMap(({ delivery, release }) => (release === undefined ? [delivery] : []));
  const { cancellationSignal } = Context.current();
  const settled = await heartbeating(() =>
    Promise.allSettled([
      joinBacklogs(sender, deferred),
      ...taken.map(async ({ delivery, release }) => {
        if (release === undefined) return null;
        const attempt = await attemptAndRelease(sender, () => prepare(delivery), release, cancellationSignal);
        return recordAndRetry(sender, attempt);
      }),
    ]),
  );
  for (const one of settled) if (one.status === 'rejected') throw one.reason;
  const delivered = settled.filter((one) => one.status === 'fulfilled' && one.value === 'delivered').length;
  return { delivered };
}

/** Of an earlier run: one that recorded its attempts and died has perhaps started nothing. */
async function startLaterAttempts(sender: Sender, checkId: string): Promise<void> {
  const later = await listLaterAttempts(sender.db, checkId);
  await Promise.all(
    later.map(({ id, attemptCount, dueInMs }) =>
      startRetry(sender, {
        deliveryId: id,
        waitMs: Math.ceil(dueInMs),
        words: `Attempt ${attemptCount} failed.`,
      }),
    ),
  );
}

async function joinBacklogs(sender: Sender, deferred: readonly DueDelivery[]): Promise<void> {
  if (deferred.length === 0) return;
  await leaveToBacklog(
    sender.db,
    deferred.map(({ id }) => id),
  );
  const webhookIds = new Set(deferred.map(({ webhookId }) => webhookId));
  await Promise.all([...webhookIds].map(sender.startBacklog));
}

/** One attempt. The endpoint's place is free as soon as the endpoint has answered. */
export async function attemptAndRelease(
  sender: Sender,
  prepare: () => ReadyDelivery,
  release: () => void,
  signal: AbortSignal,
): Promise<MadeAttempt> {
  try {
    return await makeAttempt(sender, prepare(), signal);
  } finally {
    noteProgress();
    release();
  }
}

/** @returns what became of the delivery */
export async function recordAndRetry(
  sender: Sender,
  attempt: MadeAttempt,
): Promise<RecordedAttempt['status']> {
  const { status } = await sender.record(attempt);
  const { deliveryId, nextAttemptInMs, words } = attempt;
  if (status === 'pending' && nextAttemptInMs !== null) {
    await startRetry(sender, { deliveryId, waitMs: nextAttemptInMs, words });
  }
  return status;
}

/**
 * Makes the next attempt of a delivery, unless Postgres says that it is done or not yet due: an earlier run, or a
 * twin that reconciling started, may have made it. Where the endpoint is busy, nothing waits here: the workflow does.
 */
export async function attemptDelivery(sender: Sender, deliveryId: string): Promise<AttemptResult> {
  const delivery = await findDelivery(sender.db, deliveryId);
  if (delivery?.status !== 'pending') return final(`Nothing to do: ${delivery?.status ?? 'deleted'}.`);
  const [due] = await withoutDisabled(sender, [delivery]);
  if (due === undefined) return final('Cancelled: the webhook is disabled.');
  if (due.dueInMs > 0) {
    return { kind: 'wait', waitMs: Math.ceil(due.dueInMs), words: `Attempt ${due.attemptCount} failed.` };
  }
  const prepare = await preparing(sender, [due]);
  const release = sender.shares.take(due);
  if (release === undefined) return busy(sender, due);
  const signal = Context.current().cancellationSignal;
  const attempt = await heartbeating(() => attemptAndRelease(sender, () => prepare(due), release, signal));
  const { status, disabledReason } = await sender.record(attempt);
  const { nextAttemptInMs, words } = attempt;
  // Recorded by a twin: what it made of the delivery is what the next look tells.
  if (status === null) return { kind: 'wait', waitMs: 0, words };
  if (status === 'pending' && nextAttemptInMs !== null)
    return { kind: 'wait', waitMs: nextAttemptInMs, words };
  return final(disabledReason === null ? words : `${words} The webhook was disabled: ${disabledReason}`);
}

const final = (words: string): AttemptResult => ({ kind: 'final', words });

async function busy(sender: Sender, due: DueDelivery): Promise<AttemptResult> {
  const waitMs = sender.shares.waitMs(due);
  await postponeDelivery(sender.db, due.id, waitMs);
  return {
    kind: 'wait',
    waitMs,
    words: 'The endpoint is busy: as many attempts as it may have are in flight.',
  };
}

/** Deliveries of a webhook that was disabled meanwhile are cancelled, not made. */
async function withoutDisabled({ db }: Sender, due: readonly DueDelivery[]): Promise<DueDelivery[]> {
  const ended = due.filter(({ isWebhookEnabled }) => !isWebhookEnabled);
  if (ended.length > 0)
    await cancelDeliveries(
      db,
      ended.map(({ id }) => id),
    );
  return due.filter(({ isWebhookEnabled }) => isWebhookEnabled);
}
