// Makes the first attempts of a check's deliveries, in parallel, and single later attempts. Keeps what the commit of a check
// claimed for them.
import { setTimeout as pause } from 'node:timers/promises';
import type { PendingDeliveries } from '../../core/deliveries.ts';
import { Context } from '@temporalio/activity';
import {
  cancelDeliveries,
  claimFirstAttempts,
  type DueDelivery,
  findDelivery,
  leaveToBacklog,
  listLaterAttempts,
  postponeDelivery,
} from '../../db/webhooks/deliveries.ts';
import type { AttemptResult, CommittedCheck, FirstAttemptsResult } from '../../workflows/contract.ts';
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
import type { ActivityDeps } from '../deps.ts';
import { CLAIM_MS } from './attempts-under-way.ts';
import type { DeliveryDeps } from './delivery-deps.ts';
import type { AttemptSlot } from './endpoint-slots.ts';
import { goOnInLine } from './send-line.ts';
import { startRetry } from './start-delivery-workflows.ts';

interface Claim {
  claimed: ClaimedDeliveries;
  atMs: number;
  /** The rest of the check's work, which runs beside the attempts. */
  conclude: () => Promise<void>;
}

/**
 * What a commit claimed for this process, so that the first attempts need no query. It is kept beside the commit's result and
 * not in it, because Temporal stores results, and a claim holds sealed secrets.
 */
const claims = new WeakMap<PendingDeliveries, Claim>();

/** For how long a commit claims its deliveries; 0 when this process does not make their first attempts at once. */
export const claimMsOf = ({ firstAttemptsWithinMs, underWay }: ActivityDeps): number =>
  firstAttemptsWithinMs === 0 || underWay?.isClosed() === true ? 0 : CLAIM_MS;

export function keepClaim(
  deliver: PendingDeliveries,
  claimed: ClaimedDeliveries,
  conclude: () => Promise<void>,
): void {
  claims.set(deliver, { claimed, atMs: performance.now(), conclude });
}

interface TakenClaim {
  /** Undefined once half of the claim has expired. */
  claimed?: ClaimedDeliveries;
  conclude: () => Promise<void>;
}

/** The caller must always call `conclude`. */
function takeClaim(deliver: PendingDeliveries): TakenClaim {
  const claim = claims.get(deliver);
  claims.delete(deliver);
  if (claim === undefined) return { conclude: () => Promise.resolve() };
  const { claimed, atMs, conclude } = claim;
  return performance.now() - atMs < CLAIM_MS / 2 ? { claimed, conclude } : { conclude };
}

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
      await Promise.race([ended, pause(withinMs, undefined, { ref: false })]);
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

const ELSEWHERE = 'The first attempt is under way.';

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
  const lease = due.isOrdered ? (await leaseLines(deps.db, [due])).get(due.id) : undefined;
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
async function withoutDisabled<Delivery extends DueDelivery>(
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
