// Makes the first attempts of a check's deliveries, in parallel, and single later attempts.
import { Context } from '@temporalio/activity';
import {
  cancelDeliveries,
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
import { type MadeAttempt, makeAttempt, prepareAttempts, type ReadyDelivery } from './make-attempt.ts';
import type { RecordedAttempt } from './record-attempt.ts';
import type { DeliveryDeps } from './delivery-deps.ts';
import { startRetry } from './start-retry.ts';

/**
 * Makes the first attempt of every delivery of the check that has none yet. Each attempt is recorded, and its retry
 * started, as soon as it ends; it does not wait for the others. Deliveries to an endpoint at its limit join the webhook's
 * backlog. A second run skips recorded attempts. An attempt that was sent but not recorded is sent again under the same
 * webhook-id.
 */
export async function attemptDeliveries(deps: DeliveryDeps, checkId: string): Promise<FirstAttemptsResult> {
  if (Context.current().info.attempt > 1) await startLaterAttempts(deps, checkId);
  const due = await withoutDisabled(deps, await listFirstAttempts(deps.db, checkId));
  const prepare = await prepareAttempts(deps, due);
  const taken = due.map((delivery) => ({ delivery, release: deps.shares.take(delivery) }));
  const deferred = taken.flatMap(({ delivery, release }) => (release === undefined ? [delivery] : []));
  const { cancellationSignal } = Context.current();
  const settled = await heartbeating(() =>
    Promise.allSettled([
      joinBacklogs(deps, deferred),
      ...taken.map(async ({ delivery, release }) => {
        if (release === undefined) return null;
        const attempt = await attemptAndRelease(deps, () => prepare(delivery), release, cancellationSignal);
        return recordAndRetry(deps, attempt);
      }),
    ]),
  );
  for (const one of settled) if (one.status === 'rejected') throw one.reason;
  const delivered = settled.filter((one) => one.status === 'fulfilled' && one.value === 'delivered').length;
  return { delivered };
}

/** Starts the retries of attempts that an earlier run recorded, in case it died before it started them. */
async function startLaterAttempts(deps: DeliveryDeps, checkId: string): Promise<void> {
  const later = await listLaterAttempts(deps.db, checkId);
  await Promise.all(
    later.map(({ id, attemptCount, dueInMs }) =>
      startRetry(deps, {
        deliveryId: id,
        waitMs: Math.ceil(dueInMs),
        words: `Attempt ${attemptCount} failed.`,
      }),
    ),
  );
}

async function joinBacklogs(deps: DeliveryDeps, deferred: readonly DueDelivery[]): Promise<void> {
  if (deferred.length === 0) return;
  await leaveToBacklog(
    deps.db,
    deferred.map(({ id }) => id),
  );
  const webhookIds = new Set(deferred.map(({ webhookId }) => webhookId));
  await Promise.all([...webhookIds].map(deps.startBacklog));
}

/** Makes one attempt. Releases the endpoint's slot as soon as the endpoint has answered. */
export async function attemptAndRelease(
  deps: DeliveryDeps,
  prepare: () => ReadyDelivery,
  release: () => void,
  signal: AbortSignal,
): Promise<MadeAttempt> {
  try {
    return await makeAttempt(deps, prepare(), signal);
  } finally {
    noteProgress();
    release();
  }
}

/** @returns the delivery's status after the attempt */
export async function recordAndRetry(
  deps: DeliveryDeps,
  attempt: MadeAttempt,
): Promise<RecordedAttempt['status']> {
  const { status } = await deps.record(attempt);
  const { deliveryId, nextAttemptInMs, words } = attempt;
  if (status === 'pending' && nextAttemptInMs !== null) {
    await startRetry(deps, { deliveryId, waitMs: nextAttemptInMs, words });
  }
  return status;
}

/**
 * Makes the next attempt of a delivery, unless it is done or not due: an earlier run, or a workflow that reconciling
 * started, may have made it. When the endpoint is at its limit, the workflow waits, not this activity.
 */
export async function attemptDelivery(deps: DeliveryDeps, deliveryId: string): Promise<AttemptResult> {
  const delivery = await findDelivery(deps.db, deliveryId);
  if (delivery?.status !== 'pending') return final(`Nothing to do: ${delivery?.status ?? 'deleted'}.`);
  const [due] = await withoutDisabled(deps, [delivery]);
  if (due === undefined) return final('Cancelled: the webhook is disabled.');
  if (due.dueInMs > 0) {
    return { kind: 'wait', waitMs: Math.ceil(due.dueInMs), words: `Attempt ${due.attemptCount} failed.` };
  }
  const prepare = await prepareAttempts(deps, [due]);
  const release = deps.shares.take(due);
  if (release === undefined) return busy(deps, due);
  const signal = Context.current().cancellationSignal;
  const attempt = await heartbeating(() => attemptAndRelease(deps, () => prepare(due), release, signal));
  const { status, disabledReason } = await deps.record(attempt);
  const { nextAttemptInMs, words } = attempt;
  // Another run recorded this attempt. The next run of this activity reads the result.
  if (status === null) return { kind: 'wait', waitMs: 0, words };
  if (status === 'pending' && nextAttemptInMs !== null)
    return { kind: 'wait', waitMs: nextAttemptInMs, words };
  return final(disabledReason === null ? words : `${words} The webhook was disabled: ${disabledReason}`);
}

const final = (words: string): AttemptResult => ({ kind: 'final', words });

async function busy(deps: DeliveryDeps, due: DueDelivery): Promise<AttemptResult> {
  const waitMs = deps.shares.waitMs(due);
  await postponeDelivery(deps.db, due.id, waitMs);
  return {
    kind: 'wait',
    waitMs,
    words: 'The endpoint is busy: it has as many attempts in flight as allowed.',
  };
}

/** Cancels deliveries of webhooks that were disabled meanwhile. @returns the others */
async function withoutDisabled({ db }: DeliveryDeps, due: readonly DueDelivery[]): Promise<DueDelivery[]> {
  const ended = due.filter(({ isWebhookEnabled }) => !isWebhookEnabled);
  if (ended.length > 0)
    await cancelDeliveries(
      db,
      ended.map(({ id }) => id),
    );
  return due.filter(({ isWebhookEnabled }) => isWebhookEnabled);
}
