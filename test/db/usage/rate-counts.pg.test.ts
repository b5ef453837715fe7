// How old counts of rate limits are deleted while they are in use.
import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest';
import { openRateCounts, type RateCounts } from '../../../db/usage/rate-counts.ts';
import { createTestDatabase, type TestDatabase } from '../../support/servers/database.ts';

const CLEARED_EVERY_MS = 300_000;
let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterEach(async () => {
  vi.restoreAllMocks();
  await database.db.raw('delete from rate_counts');
});
afterAll(() => database.drop());

/** Its next `add` deletes old counts. */
function openOverdue(): RateCounts {
  vi.spyOn(performance, 'now').mockReturnValueOnce(performance.now() - CLEARED_EVERY_MS);
  return openRateCounts(database.db, 60);
}

const addOld = (keys: string[]) =>
  database.db.raw('insert into rate_counts (key, points, expire) select unnest(?::text[]), 1, 0', [keys]);
const remaining = () => database.db('rate_counts').orderBy('key').pluck<string[]>('key');

it('regression: deleting old counts waits for none that is in use, so that no two processes wait for each other', async () => {
  await addOld(['b', 'a']);
  const counts = openOverdue();
  await database.db.transaction(async (other) => {
    await other.raw(`select from rate_counts where key = 'a' for update`);
    expect(await counts.add(new Map([['c', 2]]))).toMatchObject([{ key: 'c', points: 2 }]);
    expect(await remaining()).toEqual(['a', 'c']);
  });
});

it('regression: counts are added although old ones cannot be deleted', async () => {
  await addOld(['a']);
  await database.db.raw(`
    create function refuse() returns trigger language plpgsql as $$ begin raise exception 'no'; end $$;
    create trigger refused before delete on rate_counts for each row execute function refuse()`);
  try {
    expect(await openOverdue().add(new Map([['c', 2]]))).toMatchObject([{ key: 'c', points: 2 }]);
    expect(await remaining()).toEqual(['a', 'c']);
  } finally {
    await database.db.raw('drop function refuse cascade');
  }
});
