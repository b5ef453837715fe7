// Makes the deliveries of the digests that are due.
import { listDueDigests, mergeDigest } from '../../db/webhooks/digests.ts';
import type { ActivityDeps } from '../deps.ts';

/**
 * Safe to run twice: merged events are no longer `collecting`. A failure is logged, does not stop the others, and is tried again in the
 * next run.
 * @param limit the most of one run
 * @returns the ids of the deliveries
 */
export async function makeDueDigests(
  { db, config, log }: Pick<ActivityDeps, 'db' | 'config' | 'log'>,
  limit: number,
  beat: () => void,
): Promise<string[]> {
  const made: string[] = [];
  for (const webhookId of (await listDueDigests(db)).slice(0, limit)) {
    try {
      const id = await mergeDigest({ db, baseUrl: config.baseUrl }, webhookId);
      if (id !== undefined) made.push(id);
    } catch (err) {
      log.error({ err, webhookId }, 'a digest could not be made; the next run tries again');
    }
    beat();
  }
  return made;
}
