// Tracks the first attempts of this process, and renews the claims on their deliveries while the attempts last: a later
// `next_attempt_at`, so that no other run attempts them. When the process dies, another one takes over.
import { withoutPulse } from '../../db/driver/pulse.ts';
import { postponeFirstAttempts } from '../../db/webhooks/deliveries.ts';
import type { ActivityDeps, AttemptsUnderWay } from '../deps.ts';

/** Delays the takeover after the death of a process, and bounds how long it may be silent before others send again. */
export const CLAIM_MS = 6_000;
const RENEW_EVERY_MS = 2_000;

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
      timer ??= withoutPulse(() => setInterval(() => void renew(), RENEW_EVERY_MS).unref());
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
