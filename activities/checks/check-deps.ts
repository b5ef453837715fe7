// What checks share with the other checks of their process: places for comparing, turns for fetching.
import { Context } from '@temporalio/activity';
import { findRecord, type TrackedRecord } from '../../db/records/records.ts';
import { waiting } from '../../db/driver/pulse.ts';
import { withProgress } from '../blobs/with-progress.ts';
import type { ActivityDeps } from '../deps.ts';
import { heartbeating } from '../heartbeating.ts';
import { createOriginTurns, type OriginTurns } from '../outbound/origin-turns.ts';
import { createSpoolRoom, type SpoolRoom } from '../outbound/spool-room.ts';
import { createPlaces, mayHoldMore, type Places } from '../places.ts';
import { createGoneRecords, type GoneRecords } from './gone-records.ts';

export interface CheckDeps extends ActivityDeps {
  /** For reading, comparing, committing and erasing, which take processor time and a connection each. */
  comparing: Places;
  /** For decompressing as it comes what needs megabytes to do so. */
  windows: Places;
  /** By account: whose fetches are under way. */
  fetching: OriginTurns;
  /** On disk, for bodies that are being fetched. */
  spool: SpoolRoom;
  gone: GoneRecords;
}

/** Each holds a connection to the database while it commits. */
const COMPARED_AT_ONCE = 8;
/** Connections that quick statements keep for themselves. */
const QUICK_CONNECTIONS = 2;
/** Brotli takes 18 MB each, zstd 11 MB (measured), for as long as an origin sends. */
const LARGE_WINDOWS = 32;
/** Of which one account gets half at most. worker/run-worker.ts has more slots than this. */
const FETCHED_AT_ONCE = 600;

export function createCheckDeps(deps: ActivityDeps): CheckDeps {
  const comparedAtOnce = Math.min(COMPARED_AT_ONCE, deps.config.databasePoolSize - QUICK_CONNECTIONS);
  return {
    ...deps,
    blobs: withProgress(deps.blobs),
    comparing: createPlaces(Math.max(1, comparedAtOnce)),
    windows: createPlaces(LARGE_WINDOWS),
    fetching: createOriginTurns({ spacingMs: 0, atOnce: FETCHED_AT_ONCE, mayTake: mayHoldMore }),
    spool: createSpoolRoom(deps.spoolDir, deps.config.spoolMaxMb),
    gone: createGoneRecords(deps),
  };
}

/** Anonymous records have an account each, and share what one account gets. */
export const shareOf = ({ tier, accountId }: Pick<TrackedRecord, 'tier' | 'accountId'>): string =>
  tier === 'anonymous' ? tier : accountId;

/** Does what takes processor time and a connection, in turns of the accounts; heartbeats while it waits, too. */
export async function comparingInTurn<T>(
  deps: CheckDeps,
  recordId: string,
  work: () => Promise<T>,
): Promise<T> {
  const record = await findRecord(deps.db, recordId);
  const share = record === undefined ? '' : shareOf(record);
  const { cancellationSignal } = Context.current();
  return heartbeating(async (stuck) => {
    const giveBack = await waiting(() => deps.comparing.take(share, cancellationSignal));
    try {
      return await Promise.race([work(), stuck]);
    } finally {
      giveBack();
    }
  });
}
