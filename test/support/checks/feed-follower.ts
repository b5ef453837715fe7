// Follows the feed of an account by long polls, whatever happens to the API, and remembers every event that it got.
import { setTimeout as pause } from 'node:timers/promises';
import { expect } from 'vitest';
import { rawRows } from '../../../db/driver/knex.ts';
import type { Subject } from './changing-records.ts';
import type { System } from '../servers/system.ts';

export interface FeedFollower {
  events: readonly Followed[];
  /** Reads on until there is nothing more, and ends. */
  stop: () => Promise<void>;
}

interface Followed {
  type: string;
  sourceId: string;
  deltaEventId: string | null;
  checkId?: string;
}

/** Between two calls while the API is away. */
const RETRY_MS = 100;

export function followFeed(system: Pick<System, 'call'>): FeedFollower {
  const events: Followed[] = [];
  let cursor: string | undefined;
  const ending = new AbortController();
  /** @returns whether there may be more */
  const readOn = async (wait: string): Promise<boolean> => {
    const since = cursor === undefined ? '' : `&since=${cursor}`;
    const answer = await system.call('GET', `/v1/events?limit=7${since}`, undefined, { prefer: wait });
    if (answer.status !== 200) throw new Error(answer.text);
    events.push(...(answer.body['events'] as Followed[]));
    cursor = String(answer.body['nextCursor']);
    return answer.body['hasMore'] === true;
  };
  const follow = async (): Promise<void> => {
    while (!ending.signal.aborted) {
      const isAnswered = await readOn('wait=2').then(
        () => true,
        (error: unknown) => {
          // A cursor that ends would be a fault.
          if (String(error).includes('"gone"')) throw error;
          return false;
        },
      );
      if (!isAnswered) await pause(RETRY_MS);
    }
    while (await readOn('wait=0')) continue;
  };
  const following = follow();
  return {
    events,
    stop: async () => {
      ending.abort();
      await following;
    },
  };
}

/** Whether a follower got each change and each failure of these records once, and those of a record in their order. */
export async function expectWholeFeed(
  { database }: Pick<Subject, 'database'>,
  { events }: FeedFollower,
  recordIds: readonly string[],
): Promise<void> {
  for (const recordId of recordIds) {
    const seen = events.filter(({ sourceId }) => sourceId === recordId);
    const committed = await rawRows<{ id: string }>(
      database.db,
      'select id from delta_events where record_id = ? and not is_no_change order by number',
      [recordId],
    );
    expect(seen.flatMap(({ deltaEventId }) => deltaEventId ?? [])).toEqual(committed.map(({ id }) => id));
    const turns = seen.map(({ type }) => type).filter((type) => /failed|recovered/.test(type));
    // A failure and its recovery take turns, beginning with a failure.
    expect(turns).toEqual(turns.map((_, index) => (index % 2 === 0 ? 'check.failed' : 'check.recovered')));
  }
}
