// Adds up what all API processes count for a rate limit. Each process decides at once by the count that it knows, so a request
// costs no statement. Each process adds its counts to the database within a second and gets the sum of all processes back.
import { hash } from 'node:crypto';
import type { RateLimiterMemory } from 'rate-limiter-flexible';
import type { RateCounts, SharedCount } from '../../db/usage/rate-counts.ts';

const EXCHANGE_EVERY_MS = 1_000;
/** A subject that has used this share of a limit since the last exchange brings the next one forward. */
const LARGEST_UNSENT = 1 / 20;

export interface SharedCounts {
  /** Takes note of points that the limiter has counted for this subject. The store gets its hash: it keeps no names of accounts. */
  note: (limiter: RateLimiterMemory, subject: string, points: number) => void;
}

interface Unsent {
  limiter: RateLimiterMemory;
  subject: string;
  points: number;
}

/**
 * @param store counts of all processes, in windows of the same length as those of the limiters
 * @param onError called when the store fails, once until it works again. The limiters continue with their own counts.
 */
export function shareCounts(store: RateCounts, onError: (error: unknown) => void): SharedCounts {
  let unsent = new Map<string, Unsent>();
  let timer: NodeJS.Timeout | undefined;
  let isExchanging = false;
  let isFailing = false;

  const learn = async (batch: ReadonlyMap<string, Unsent>, sum: SharedCount): Promise<void> => {
    const sent = batch.get(sum.key);
    const since = unsent.get(sum.key)?.points ?? 0;
    // A duration of zero would never end.
    if (sent !== undefined && sum.leftMs > 0)
      await sent.limiter.set(sent.subject, sum.points + since, sum.leftMs / 1_000);
  };
  const exchange = async (): Promise<void> => {
    clearTimeout(timer);
    timer = undefined;
    isExchanging = true;
    const batch = unsent;
    unsent = new Map();
    try {
      // In one statement: while it runs, a process does not learn what the others count.
      const sums = await store.add(new Map([...batch].map(([key, { points }]) => [key, points])));
      isFailing = false;
      await Promise.all(sums.map((sum) => learn(batch, sum)));
    } catch (error) {
      if (!isFailing) onError(error);
      isFailing = true;
    }
    isExchanging = false;
    if (unsent.size > 0) schedule(EXCHANGE_EVERY_MS);
  };
  const schedule = (afterMs: number): void => {
    if (isExchanging || (timer !== undefined && afterMs > 0)) return;
    clearTimeout(timer);
    timer = setTimeout(() => void exchange(), afterMs).unref();
  };

  return {
    note: (limiter, subject, points) => {
      if (points === 0) return;
      const key = hash('sha256', `${limiter.keyPrefix}:${subject}`);
      const one = unsent.get(key) ?? { limiter, subject, points: 0 };
      one.points += points;
      unsent.set(key, one);
      schedule(one.points >= limiter.points * LARGEST_UNSENT ? 0 : EXCHANGE_EVERY_MS);
    },
  };
}
