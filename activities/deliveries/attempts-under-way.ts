// First attempts that outlast the activity that began them. While this process makes them, they are postponed in the database,
// so that no other process makes them too. When it dies, another process takes them over once the postponement ends.
import { postponeFirstAttempts } from '../../db/webhooks/deliveries.ts';
import type { ActivityDeps, AttemptsUnderWay } from '../deps.ts';

/** Delays the takeover after the death of a process, and bounds how long it may be silent before others send again. */
const POSTPONED_MS = 6_000;
const RENEW_EVERY_MS = 2_000;

export function createAttemptsUnderWay({ db, log }: Pick<ActivityDeps, 'db' | 'log'>): AttemptsUnderWay {
  const kept = new Map<string, Promise<unknown>>();
  let timer: NodeJS.Timeout | undefined;
  const renew = (): Promise<void> => postponeFirstAttempts(db, [...kept.keys()], POSTPONED_MS);
  const renewAll = (): void =>
    void renew().catch((err: unknown) => log.warn({ err }, 'attempts in flight could not be postponed'));
  return {
    keep: async (attempts) => {
      for (const [deliveryId, attempt] of attempts) {
        const ended = attempt
          .catch((err: unknown) =>
            log.warn({ err, deliveryId }, 'a first attempt failed; it will be repeated'),
          )
          .finally(() => {
            kept.delete(deliveryId);
            if (kept.size > 0) return;
            clearInterval(timer);
            timer = undefined;
          });
        kept.set(deliveryId, ended);
      }
      if (kept.size > 0) timer ??= setInterval(renewAll, RENEW_EVERY_MS).unref();
      await renew();
    },
    find: (deliveryId) => kept.get(deliveryId),
    ended: async () => {
      await Promise.all(kept.values());
    },
  };
}
