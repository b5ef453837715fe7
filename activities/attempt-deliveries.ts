// First attempts of an event's deliveries, side by side; and one later attempt of one delivery.
import { Context } from '@temporalio/activity';
import type { DueDelivery } from '../db/deliveries.ts';
import { cancelDelivery, findDelivery, listFirstAttempts, recordAttempts } from '../db/deliveries.ts';
import type { AttemptResult, FirstAttemptsResult } from '../workflows/contract.ts';
import type { ActivityDeps } from './deps.ts';
import { heartbeating } from './heartbeating.ts';
import { makeAttempt } from './make-attempt.ts';

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
  const made = await heartbeating(() =>
    Promise.all(due.map((delivery) => makeAttempt(deps, delivery, cancellationSignal))),
  );
  if (made.length > 0) await recordAttempts(deps.db, made);
  return {
    delivered: made.filter(({ status }) => status === 'delivered').length,
    retries: made.flatMap(({ deliveryId, nextAttemptInMs, words }) =>
      nextAttemptInMs === null ? [] : [{ deliveryId, waitMs: nextAttemptInMs, words }],
    ),
  };
}

/** Makes the next attempt of a delivery, unless Postgres says that it is done. */
export async function attemptDelivery(deps: ActivityDeps, deliveryId: string): Promise<AttemptResult> {
  const delivery = await findDelivery(deps.db, deliveryId);
  if (delivery?.status !== 'pending') return final(`Nothing to do: ${delivery?.status ?? 'deleted'}.`);
  const [due] = await withoutDisabled(deps, [delivery]);
  if (due === undefined) return final('Cancelled: the webhook is disabled.');
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
