// Reads that may be slow: on connections of their own, of which nobody gets all, and cut off in time with advice.
import { ApiError } from '../../core/errors.ts';
import type { Principal } from '../../core/principal.ts';
import type { Database } from '../../db/driver/knex.ts';
import { isPostgresError } from '../../db/driver/postgres-errors.ts';
import { createTurns, type Turns } from './turns.ts';

/** Half of the connections (api/main.ts). What waits is answered within the time that a request has. */
const LIMITS = {
  atOnce: 2,
  waiting: 6,
  words: 'Of searches, filters, profiles, queries and comparisons 2 are answered at a time.',
} as const;

export interface HeavyReader {
  heavyDb: Database;
  principal: Pick<Principal, 'kind' | 'accountId'>;
}

/** By pool: of each process, and of each application in a test. */
const turnsOf = new WeakMap<Database, Turns>();

/**
 * @throws ApiError query_too_expensive when the statement timeout of these connections ended it, rate_limited when the
 *   caller has too many of these reads under way
 */
export async function heavyRead<T>(
  { heavyDb, principal }: HeavyReader,
  read: (db: Database) => Promise<T>,
): Promise<T> {
  const turns = turnsOf.get(heavyDb) ?? createTurns(LIMITS);
  turnsOf.set(heavyDb, turns);
  const leave = await turns.take(subjectOf(principal));
  try {
    return await read(heavyDb);
  } catch (cause) {
    if (!isPostgresError(cause, 'queryCancelled')) throw cause;
    throw new ApiError(
      'query_too_expensive',
      'Answering this takes too long. Filter for a value of the row key, name fewer columns, or download the snapshot and work on the file.',
      { cause },
    );
  } finally {
    leave();
  }
}

/** Sessions share what one account gets: anybody can have as many as they have addresses. */
const subjectOf = ({ kind, accountId }: HeavyReader['principal']): string =>
  kind === 'ephemeral' ? 'sessions' : accountId;
