// What the commit of a check claimed for its process, so that the first attempts of its deliveries need no query.
import type { PendingDeliveries } from '../../core/deliveries.ts';
import type { ClaimedDeliveries } from '../../db/webhooks/new-deliveries.ts';
import type { ActivityDeps } from '../deps.ts';
import { CLAIM_MS } from './attempts-under-way.ts';

interface Claim {
  claimed: ClaimedDeliveries;
  atMs: number;
  /** The rest of the check's work, which runs beside the attempts. */
  conclude: () => Promise<void>;
}

/** Beside the commit's result and not in it, because Temporal stores results, and a claim holds sealed secrets. */
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
export function takeClaim(deliver: PendingDeliveries): TakenClaim {
  const claim = claims.get(deliver);
  claims.delete(deliver);
  if (claim === undefined) return { conclude: () => Promise.resolve() };
  const { claimed, atMs, conclude } = claim;
  return performance.now() - atMs < CLAIM_MS / 2 ? { claimed, conclude } : { conclude };
}
