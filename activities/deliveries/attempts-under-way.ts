// Tracks the first attempts of this process. It claims their deliveries by a later `next_attempt_at`, so that no other run
// attempts them, and renews the claims while the attempts last. When the process dies, another one takes over.
import type { PendingDeliveries } from '../../core/deliveries.ts';
import { postponeFirstAttempts } from '../../db/webhooks/deliveries.ts';
import type { ClaimedDeliveries } from '../../db/webhooks/new-deliveries.ts';
import type { ActivityDeps, AttemptsUnderWay } from '../deps.ts';

/** Delays the takeover after the death of a process, and bounds how long it may be silent before others send again. */
export const CLAIM_MS = 6_000;
const RENEW_EVERY_MS = 2_000;

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
export function takeClaim(deliver: PendingDeliveries): TakenClaim {
  const claim = claims.get(deliver);
  claims.delete(deliver);
  if (claim === undefined) return { conclude: () => Promise.resolve() };
  const { claimed, atMs, conclude } = claim;
  return performance.now() - atMs < CLAIM_MS / 2 ? { claimed, conclude } : { conclude };
}

export function createAttemptsUnderWay({ db, log }: Pick<ActivityDeps, 'db' | 'log'>): AttemptsUnderWay {
  const attempts = new Map<string, Promise<unknown>>();
  const works = new Set<Promise<unknown>>();
  let isClosed = false;
  let isRenewing = false;
  let timer: NodeJS.Timeout | undefined;
  const renew = async (): Promise<void> => {
    if (isRenewing) return;
    isRenewing = true;
    try {
      await postponeFirstAttempts(db, [...attempts.keys()], CLAIM_MS);
    } catch (err) {
      log.warn({ err }, 'the claims of attempts in flight could not be renewed');
    } finally {
      isRenewing = false;
    }
  };
  const remove = (deliveryId: string, attempt: Promise<unknown>): void => {
    if (attempts.get(deliveryId) === attempt) attempts.delete(deliveryId);
    if (attempts.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
  return {
    add: (deliveryId, attempt) => {
      attempts.set(deliveryId, attempt);
      const end = (): void => remove(deliveryId, attempt);
      attempt.then(end, end);
      timer ??= setInterval(() => void renew(), RENEW_EVERY_MS).unref();
    },
    find: (deliveryId) => attempts.get(deliveryId),
    addWork: (work) => {
      works.add(work);
      const end = (): void => void works.delete(work);
      work.then(end, end);
    },
    close: () => {
      isClosed = true;
    },
    isClosed: () => isClosed,
    ended: async () => {
      await Promise.allSettled([...attempts.values(), ...works]);
    },
  };
}
