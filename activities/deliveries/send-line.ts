// Sends the deliveries of a line, one after another: those of one record to an ordered webhook.
import type { LeasedDelivery, LineLease } from '../../db/webhooks/lines.ts';
import type { DeliveryDeps } from './delivery-deps.ts';
import { attemptAndRelease, type CompletedAttempt, prepareAttempts, recordAndRetry } from './make-attempt.ts';

interface LineOptions {
  signal: AbortSignal;
  /** Asked before each further delivery. */
  mayGoOn: () => boolean;
  note: (attempt: CompletedAttempt) => void;
}

/**
 * Sends a delivery, and those that wait for it. Ends when an attempt fails, because the others wait for its retry.
 * @returns false when the endpoint or the account is at its limit
 */
export async function sendLine(
  deps: DeliveryDeps,
  first: LeasedDelivery,
  { signal, mayGoOn, note }: LineOptions,
): Promise<boolean> {
  for (let due: LeasedDelivery | undefined = first; due !== undefined;) {
    const delivery: LeasedDelivery = due;
    const slot = deps.slots.take(delivery, true);
    if (slot === undefined) {
      await deps.passLease(delivery.lease, false);
      return false;
    }
    const prepare = async () => (await prepareAttempts(deps, [delivery]))(delivery);
    const attempt = await attemptAndRelease(deps, prepare, slot, signal, delivery.lease);
    note(attempt);
    await recordAndRetry(deps, attempt);
    due = await deps.passLease(delivery.lease, mayGoOn());
  }
  return true;
}

/** Then the webhook's backlog continues, which operators see. */
const LONGEST_MS = 20_000;

/**
 * Sends what waits in a line behind an attempt that is recorded. The process waits for it before it stops. An error leaves
 * the line to its backlog, or to reconciling.
 */
export function goOnInLine(deps: DeliveryDeps, lease: LineLease): void {
  const endsAtMs = Date.now() + LONGEST_MS;
  const mayGoOn = (): boolean => !deps.underWay.isClosed() && Date.now() < endsAtMs;
  const goOn = async (): Promise<void> => {
    const next = await deps.passLease(lease, mayGoOn());
    const options = { signal: new AbortController().signal, mayGoOn, note: () => undefined };
    const isDone = next === undefined || (await sendLine(deps, next, options));
    if (!isDone || !mayGoOn()) await deps.startBacklog(lease.webhookId);
  };
  deps.underWay.addWork(
    goOn().catch((err: unknown) => {
      deps.log.warn(
        { err, webhookId: lease.webhookId },
        'a line of deliveries stopped; its backlog continues',
      );
      return deps.startBacklog(lease.webhookId);
    }),
  );
}
