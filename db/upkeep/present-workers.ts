// How many workers run now. Each worker renews a row, so that all of them can share a limit.
import { randomUUID } from 'node:crypto';
import { type Database, rawRows } from '../driver/knex.ts';

export interface PresentWorkers {
  /** How many workers ran when they were last counted, this one included. */
  count: () => number;
  /** Takes this worker from the others' count at once. */
  leave: () => Promise<void>;
}

export interface PresenceOptions {
  everyMs: number;
  /** A worker whose row is older than this was killed. */
  goneAfterMs: number;
}

const USUAL: PresenceOptions = { everyMs: 5_000, goneAfterMs: 20_000 };

/** Also deletes the rows of killed workers. */
const SAY_AND_COUNT = `
  with mine as (
    insert into present_workers (id, seen_at) values (:id, now()) on conflict (id) do update set seen_at = now()
  ), gone as (
    delete from present_workers where id <> :id and seen_at < now() - :goneAfterMs * interval '1 millisecond'
  )
  select count(*) + 1 as present from present_workers
  where id <> :id and seen_at >= now() - :goneAfterMs * interval '1 millisecond'`;

/**
 * Counts the workers, now and every few seconds. Resolves after the first count.
 * @param onError called when the database does not answer; the last count stays
 */
export async function joinWorkers(
  db: Database,
  onError: (error: unknown) => void,
  { everyMs, goneAfterMs }: PresenceOptions = USUAL,
): Promise<PresentWorkers> {
  const id = randomUUID();
  let present = 1;
  let isOver = false;
  const count = async (): Promise<void> => {
    try {
      const [row] = await rawRows<{ present: number }>(db, SAY_AND_COUNT, { id, goneAfterMs });
      present = row?.present ?? present;
    } catch (error) {
      if (!isOver) onError(error);
    }
  };
  let running = count();
  await running;
  const timer = setInterval(() => {
    running = count();
  }, everyMs).unref();
  return {
    count: () => present,
    leave: async () => {
      isOver = true;
      clearInterval(timer);
      try {
        await running;
        await rawRows(db, 'delete from present_workers where id = ?', [id]);
      } catch {
        // The others see that it is gone after a while.
      }
    },
  };
}
