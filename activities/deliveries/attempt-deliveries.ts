// Makes the first attempts of a check's deliveries, in parallel.
import { setTimeout as pause } from 'node:timers/promises';
import type { PendingDeliveries } from '../../core/deliveries.ts';
import { Context } from '@temporalio/activity';
import {
  claimFirstAttempts,
  type DueDelivery,
  leaveToBacklog,
  listLaterAttempts,
} from '../../db/webhooks/deliveries.ts';
import type { CommittedCheck, FirstAttemptsResult } from '../../workflows/contract.ts';
import { waitingForOthers } from '../check-slots.ts';
import { heartbeating } from '../heartbeating.ts';
import {
  attemptAndRelease,
  type Prepare,
  prepareAttempts,
  prepareWith,
  recordAndRetry,
} from './make-attempt.ts';
import type { ClaimedDeliveries } from '../../db/webhooks/new-deliveries.ts';
import type { RecordedAttempt } from './batched-writes.ts';
import { leaseLines, type LineLease } from '../../db/webhooks/lines.ts';
import { ELSEWHERE, withoutDisabled } from './attempt-delivery.ts';
import { CLAIM_MS } from './attempts-under-way.ts';
import { takeClaim } from './claims.ts';
import type { DeliveryDeps } from './delivery-deps.ts';
import type { AttemptSlot } from './endpoint-slots.ts';
import { goOnInLine } from './send-line.ts';
import { startRetry } from './start-delivery-workflows.ts';

/** Awaits a check, and makes the first attempts of the deliveries that it committed. */
export async function withFirstAttempts<Result extends { kind: string }>(
  deps: DeliveryDeps,
  checking: Promise<Result | CommittedCheck>,
): Promise<Result | CommittedCheck> {
  const result = await checking;
  return isCommitted(result) ? attemptAtOnce(deps, result) : result;
}

const isCommitted = (result: { kind: string }): result is CommittedCheck => result.kind === 'committed';

/** How long an activity waits for the first attempts of the check that it committed. */
const AT_ONCE_MS = 1_000;

/**
 * Makes the first attempts of a check's deliveries in the activity that committed the check, which saves a step through
 * Temporal. Attempts that take longer continue in this process; the result counts them, and the workflow starts
 * `attemptDeliveries` for them. The workflow does the same after an error here, so that an error never repeats the check.
 */
export async function attemptAtOnce(deps: DeliveryDeps, committed: CommittedCheck): Promise<CommittedCheck> {
  const { deliver } = committed;
  if (deliver === null) return committed;
  const { claimed, conclude } = takeClaim(deliver);
  const [left] = await Promise.all([attemptWithin(deps, deliver, claimed), conclude()]);
  return { ...committed, deliver: left };
}

/** @returns the deliveries that are left to another activity; null when there are none */
async function attemptWithin(
  deps: DeliveryDeps,
  deliver: PendingDeliveries,
  claimed: ClaimedDeliveries | undefined,
): Promise<PendingDeliveries | null> {
  const withinMs = deps.firstAttemptsWithinMs ?? AT_ONCE_MS;
  if (withinMs === 0 || deps.underWay.isClosed()) return deliver;
  const { checkId } = deliver;
  try {
    // No signal to the workflow may cancel an attempt.
    const signal = new AbortController().signal;
    const count = await heartbeating(async () => {
      const { left, ended } = await beginFirstAttempts(deps, checkId, signal, claimed);
      await waitingForOthers(() => Promise.race([ended, pause(withinMs, undefined, { ref: false })]));
      return left.size;
    });
    return count === 0 ? null : { checkId, count };
  } catch (err) {
    deps.log.warn({ err, checkId }, 'first attempts failed; the next activity makes them');
    return deliver;
  }
}

/**
 * Makes the first attempt of every delivery of the check that has none yet. An attempt that is in flight in this process is
 * awaited; one of another process is left to it, and to a retry in case that process dies.
 */
export async function attemptDeliveries(deps: DeliveryDeps, checkId: string): Promise<FirstAttemptsResult> {
  const { cancellationSignal } = Context.current();
  const settled = await heartbeating(async () => {
    const { ended, joined } = await beginFirstAttempts(deps, checkId, cancellationSignal);
    await joined;
    return ended;
  });
  return { delivered: settled.filter((status) => status === 'delivered').length };
}

interface FirstAttempts {
  /** Ids of the deliveries whose attempts have not been recorded yet. */
  left: ReadonlySet<string>;
  /** The statuses of the deliveries. Rejects with the first error, once all attempts have ended. */
  ended: Promise<unknown[]>;
  /** Resolves once the backlogs that deliveries joined are started. */
  joined: Promise<unknown>;
}

/**
 * Each attempt is recorded, and its retry started, as soon as it ends; it does not wait for the others. Deliveries to an
 * endpoint at its limit join the webhook's backlog. A second run skips recorded attempts. An attempt that was sent but not
 * recorded is sent again under the same webhook-id, once its claim is over.
 */
async function beginFirstAttempts(
  deps: DeliveryDeps,
  checkId: string,
  signal: AbortSignal,
  committed?: ClaimedDeliveries,
): Promise<FirstAttempts> {
  const { pending, leases, prepare } =
    committed === undefined
      ? await claimAttempts(deps, checkId)
      : {
          pending: committed.deliveries.map((delivery) => ({ ...delivery, isClaimed: true })),
          leases: committed.leases,
          prepare: prepareWith(deps, new Map([[committed.event.deltaEventId, committed.event]])),
        };
  const attempts = new Map<string, Promise<unknown>>();
  const deferred: DueDelivery[] = [];
  for (const delivery of pending) {
    const lease = leases.get(delivery.id);
    if (!delivery.isClaimed) attempts.set(delivery.id, awaitOrRetry(deps, delivery));
    else {
      const slot = delivery.isOrdered && lease === undefined ? undefined : deps.slots.take(delivery);
      if (slot === undefined) deferred.push(delivery);
      else attempts.set(delivery.id, attemptFirst(deps, delivery, { prepare, slot, lease, signal }));
    }
  }
  const left = new Set(attempts.keys());
  const ended = allEnded(
    [...attempts].map(async ([id, attempt]) => {
      const status = await attempt;
      left.delete(id);
      return status;
    }),
  );
  // The caller may look at it later, or never.
  ended.catch(() => undefined);
  const { started: joined } = await joinBacklogs(deps, deferred, leases);
  return { left, ended, joined };
}

async function claimAttempts(deps: DeliveryDeps, checkId: string) {
  if (Context.current().info.attempt > 1) await startLaterAttempts(deps, checkId);
  const pending = await withoutDisabled(deps, await claimFirstAttempts(deps.db, checkId, CLAIM_MS));
  const claimed = pending.filter(({ isClaimed }) => isClaimed);
  const prepare = await prepareAttempts(deps, claimed);
  const ordered = claimed.filter(({ isOrdered }) => isOrdered);
  return { pending, leases: await leaseLines(deps.db, ordered), prepare };
}

/** @returns the delivery's status, once the attempt is recorded */
function attemptFirst(
  deps: DeliveryDeps,
  delivery: DueDelivery,
  { prepare, slot, lease, signal }: FirstAttemptOptions,
): Promise<RecordedAttempt['status']> {
  const attempt = attemptAndRelease(deps, () => prepare(delivery), slot, signal, lease).then(async (made) => {
    const status = await recordAndRetry(deps, made);
    if (lease !== undefined) goOnInLine(deps, lease);
    return status;
  });
  deps.underWay.add(delivery.id, attempt);
  return attempt;
}

interface FirstAttemptOptions {
  prepare: Prepare;
  slot: AttemptSlot;
  /** Of a delivery that is sent only under a lease. */
  lease: LineLease | undefined;
  signal: AbortSignal;
}

/** A first attempt that another run makes. */
async function awaitOrRetry(deps: DeliveryDeps, { id, dueInMs }: DueDelivery): Promise<unknown> {
  const waitMs = Math.ceil(dueInMs) || CLAIM_MS;
  return deps.underWay.find(id) ?? startRetry(deps, { deliveryId: id, waitMs, words: ELSEWHERE });
}

/** @returns the results, once all have ended. @throws the first error */
async function allEnded(promises: readonly Promise<unknown>[]): Promise<unknown[]> {
  const settled = await Promise.allSettled(promises);
  return settled.map((one) => {
    if (one.status === 'rejected') throw one.reason;
    return one.value;
  });
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

/**
 * @param leases of ordered webhooks. The leases of deferred deliveries end, so that their backlogs can take them
 * @returns a promise that resolves once the backlogs are started; their signals are gathered for a second
 */
async function joinBacklogs(
  deps: DeliveryDeps,
  deferred: readonly DueDelivery[],
  leases: ReadonlyMap<string, LineLease>,
): Promise<{ started: Promise<unknown> }> {
  const ids = deferred.map(({ id }) => id);
  if (ids.length > 0) await leaveToBacklog(deps.db, ids);
  for (const id of ids) {
    const lease = leases.get(id);
    if (lease !== undefined) await deps.passLease(lease, false);
  }
  const webhookIds = new Set(deferred.map(({ webhookId }) => webhookId));
  const started = Promise.all([...webhookIds].map(deps.startBacklog));
  deps.underWay.addWork(started);
  return { started };
}
