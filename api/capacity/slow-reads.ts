// Limits slow reads: they use a connection pool of their own, run a few at a time for each account, and have a statement
// timeout.
import { ApiError } from '../../core/errors.ts';
import type { Principal } from '../../core/principal.ts';
import type { Tier } from '../../core/tiers.ts';
import { runCancellable } from '../../db/driver/cancellable.ts';
import { type Database, isPostgresError } from '../../db/driver/knex.ts';
import type { RunRead } from '../../db/rows/selected-rows.ts';
import { type Capacity, callerShare } from './capacity.ts';

export interface SlowReader {
  /** Cancels statements of heavyDb, whose connections may all be busy. */
  db?: Database;
  heavyDb: Database;
  capacity: Pick<Capacity, 'slowReads'>;
  principal: Pick<Principal, 'kind' | 'accountId'>;
  /** Ends the read, or its wait for a turn. */
  cancelled?: AbortSignal;
}

/**
 * @throws ApiError query_too_expensive after the statement timeout of these connections, rate_limited when too many slow
 *   reads of the caller are waiting
 */
export function readSlowly<T>(
  { heavyDb, db: canceller = heavyDb, capacity, principal, cancelled: signal }: SlowReader,
  read: (db: Database) => Promise<T>,
): Promise<T> {
  const run = (): Promise<T> =>
    signal === undefined ? read(heavyDb) : runCancellable(heavyDb, { signal, canceller }, read);
  const options = signal === undefined ? {} : { signal };
  return capacity.slowReads.run(callerShare(principal), () => explainTimeout(run()), options);
}

async function explainTimeout<T>(reading: Promise<T>): Promise<T> {
  try {
    return await reading;
  } catch (cause) {
    if (!isPostgresError(cause, 'queryCancelled')) throw cause;
    throw new ApiError(
      'query_too_expensive',
      'This query takes too long. Filter for a value of the row key, name fewer columns, or download the snapshot and process the file.',
      { cause },
    );
  }
}

interface FileReader extends Pick<SlowReader, 'heavyDb' | 'capacity'> {
  /** Aborts when the process is about to end. */
  signal: AbortSignal;
}

/**
 * Reads a filtered file in parts, each of which is a slow read. Only the first part can be refused: once a file has begun,
 * the next parts wait however long the queue is.
 * @param owner of the rows, no matter who reads them
 */
export function readFileSlowly(
  { heavyDb, capacity, signal }: FileReader,
  { tier, accountId }: { tier: Tier; accountId: string },
): RunRead {
  const principal = { kind: tier === 'anonymous' ? 'ephemeral' : 'account', accountId } as const;
  let hasBegun = false;
  return async (read) => {
    const reading = (): ReturnType<typeof read> => explainTimeout(read(heavyDb));
    const options = { signal, ignoreQueueLimit: hasBegun };
    const found = await capacity.slowReads.run(callerShare(principal), reading, options);
    hasBegun = true;
    return found;
  };
}
