// Counts of rate limits, which all API processes share.
import { type Database, rawRows } from '../driver/knex.ts';

export interface SharedCount {
  key: string;
  /** Of all processes. */
  points: number;
  /** Until the count begins at zero again. */
  leftMs: number;
}

export interface RateCounts {
  /** Adds points by key, all in one statement. @returns the count of each key */
  add: (points: ReadonlyMap<string, number>) => Promise<SharedCount[]>;
}

/** Old counts are deleted as often as this, once their window has been over for as long. */
const CLEARED_EVERY_MS = 300_000;
const NOW_MS = '(extract(epoch from now()) * 1000)::bigint';

/** Waits for no other statement: it finds the counts in another order than `ADD`. Counts in use are left for the next time. */
const CLEAR = `
  delete from rate_counts where ctid = any(array(
    select ctid from rate_counts where expire < ${NOW_MS} - ${CLEARED_EVERY_MS} for update skip locked
  ))`;

/** In the order of the keys, so that two processes never wait for each other. */
const ADD = `
  insert into rate_counts as known (key, points, expire)
  select key, points, ${NOW_MS} + :windowMs::bigint from unnest(:keys::text[], :points::integer[]) as given (key, points)
  order by key
  on conflict (key) do update set
    points = case when known.expire <= ${NOW_MS} then excluded.points else known.points + excluded.points end,
    expire = case when known.expire <= ${NOW_MS} then excluded.expire else known.expire end
  returning key, points, expire - ${NOW_MS} as "leftMs"`;

export function openRateCounts(db: Database, windowSeconds: number): RateCounts {
  let clearedMs = performance.now();
  const clear = async (): Promise<void> => {
    if (performance.now() - clearedMs < CLEARED_EVERY_MS) return;
    clearedMs = performance.now();
    await rawRows(db, CLEAR);
  };
  return {
    async add(points) {
      const given = { keys: [...points.keys()], points: [...points.values()] };
      const counts = await rawRows<SharedCount>(db, ADD, { ...given, windowMs: windowSeconds * 1_000 });
      // The counts are added. What was not deleted is deleted the next time.
      await clear().catch(() => undefined);
      return counts;
    },
  };
}
