// What the checks of one process share: its limits on comparing and fetching, and the watch for deleted records.
import { Context } from '@temporalio/activity';
import { isFairShare, Limiter, type Release } from '../../core/limiter.ts';
import { listDeletedOrEnded } from '../../db/access/ephemeral-sessions.ts';
import { findRecord, type TrackedRecord } from '../../db/records/records.ts';
import { waiting, withoutPulse } from '../../db/driver/pulse.ts';
import { notingProgress } from '../blobs/noting-progress.ts';
import { waitingForOthers } from '../check-slots.ts';
import type { ActivityDeps } from '../deps.ts';
import { heartbeating } from '../heartbeating.ts';
import { observeLimits } from '../../telemetry/checks.ts';
import { createOriginTurns, type OriginTurns } from '../fetch/origin-turns.ts';
import { createSpoolQuota, type SpoolQuota } from '../fetch/spool-quota.ts';

export interface CheckDeps extends ActivityDeps {
  /** Limits reading, comparing, committing and erasing, each of which takes processor time and a connection. */
  comparing: Limiter;
  /** Limits the comparisons that may take long, so that brief ones always find a slot soon. Long ones need both. */
  comparingLong: Limiter;
  /** Limits the statements with which checks begin and end. */
  brief: Limiter;
  /** Limits decompression with large windows, each of which takes megabytes. */
  windows: Limiter;
  /** Limits fetches by account. */
  fetching: OriginTurns;
  /** Limits the disk space of bodies that are being fetched. */
  spool: SpoolQuota;
  gone: DeletedRecordWatch;
  /** When records that wait for a turn at their origin may come, in milliseconds since the epoch, by id and host. */
  turnsAtMs: Map<string, number>;
}

/** Each comparison holds a database connection while it commits. */
export const COMPARED_AT_ONCE = 8;
/** Left to brief comparisons. */
const BRIEF_COMPARISONS = 2;
/** Connections reserved for short statements. */
const QUICK_CONNECTIONS = 2;
/** Brotli takes 18 MB each, zstd 11 MB (measured), for as long as an origin sends. */
const LARGE_WINDOWS = 32;
/** One account gets at most half of it. worker/run-worker.ts has more activity slots than this. */
const FETCHED_AT_ONCE = 600;

export function createCheckDeps(deps: ActivityDeps): CheckDeps {
  const comparedAtOnce = Math.min(COMPARED_AT_ONCE, deps.config.databasePoolSize - QUICK_CONNECTIONS);
  const comparing = new Limiter({ total: Math.max(1, comparedAtOnce), perKey: 'fair' });
  const comparingLong = new Limiter({
    total: Math.max(1, comparedAtOnce - BRIEF_COMPARISONS),
    perKey: 'fair',
  });
  const spool = createSpoolQuota(deps.spoolDir, deps.config.spoolMaxMb);
  observeLimits(() => {
    const { running, waiting: waitingAtAll } = comparing.load;
    return {
      comparing: { running, waiting: waitingAtAll + comparingLong.load.waiting },
      spool: spool.usage(),
    };
  });
  return {
    ...deps,
    blobs: notingProgress(deps.blobs),
    comparing,
    comparingLong,
    brief: new Limiter({ total: deps.config.databasePoolSize, perKey: 'fair' }),
    windows: new Limiter({ total: LARGE_WINDOWS, perKey: 'fair' }),
    fetching: createOriginTurns({ spacingMs: 0, atOnce: FETCHED_AT_ONCE, mayTake: isFairShare }),
    spool,
    gone: createDeletedRecordWatch(deps),
    turnsAtMs: new Map(),
  };
}

/** The key that limits are fair by: the account. All anonymous records share one, although each has an account of its own. */
export const fairnessKeyOf = ({ tier, accountId }: Pick<TrackedRecord, 'tier' | 'accountId'>): string =>
  tier === 'anonymous' ? tier : accountId;

/**
 * Runs short statements, fairly by account. A pool serves its callers in their order, so hundreds of checks of one account would
 * have the connections before a check of another.
 */
export const briefly = <T>({ brief }: CheckDeps, fairnessKey: string, work: () => Promise<T>): Promise<T> =>
  waiting(() => brief.run(fairnessKey, work));

/** Runs work that may take long, takes processor time and a connection, fairly by account. */
export async function withComparisonSlot<T>(
  deps: CheckDeps,
  recordId: string,
  work: () => Promise<T>,
): Promise<T> {
  const record = await findRecord(deps.db, recordId);
  const fairnessKey = record === undefined ? '' : fairnessKeyOf(record);
  return withSlot(() => takeLongSlot(deps, fairnessKey, Context.current().cancellationSignal), work);
}

/** The same without heartbeats. @param signal ends the wait for a slot */
export async function runLong<T>(
  deps: CheckDeps,
  fairnessKey: string,
  signal: AbortSignal,
  work: () => Promise<T>,
): Promise<T> {
  const release = await takeLongSlot(deps, fairnessKey, signal);
  try {
    return await work();
  } finally {
    release();
  }
}

const takeLongSlot = (
  { comparing, comparingLong }: CheckDeps,
  fairnessKey: string,
  signal: AbortSignal,
): Promise<Release> =>
  waitingForOthers(async () => {
    const releaseLong = await comparingLong.take(fairnessKey, { signal });
    try {
      const release = await comparing.take(fairnessKey, { signal });
      return () => {
        release();
        releaseLong();
      };
    } catch (error) {
      releaseLong();
      throw error;
    }
  });

/** Comparisons of the account that wait for a slot. */
export const uncompared = ({ comparing, comparingLong }: CheckDeps, fairnessKey: string): number =>
  comparing.waiting(fairnessKey) + comparingLong.waiting(fairnessKey);

/** The same for brief work. @param signal ends the wait for a slot */
export const withBriefComparisonSlot = <T>(
  deps: CheckDeps,
  fairnessKey: string,
  signal: AbortSignal,
  work: () => Promise<T>,
): Promise<T> => withSlot(() => deps.comparing.take(fairnessKey, { signal }), work);

/** Heartbeats while it waits. */
const withSlot = <T>(take: () => Promise<Release>, work: () => Promise<T>): Promise<T> =>
  heartbeating(async (stuck) => {
    const release = await waiting(take);
    try {
      return await Promise.race([work(), stuck]);
    } finally {
      release();
    }
  });

/** Tells running fetches that their record was deleted or its session ended. */
interface DeletedRecordWatch {
  /** Returns a signal that aborts within seconds of the record's end, until `forget` is called. */
  watch: (recordId: string) => { signal: AbortSignal; forget: () => void };
}

/** One statement covers all fetches that have run for this long. Most end before. */
const EVERY_MS = 500;

function createDeletedRecordWatch({ db, log }: Pick<ActivityDeps, 'db' | 'log'>): DeletedRecordWatch {
  const watched = new Map<AbortController, { recordId: string; sinceMs: number }>();
  let timer: NodeJS.Timeout | undefined;
  const look = async (): Promise<void> => {
    const beforeMs = performance.now() - EVERY_MS;
    const slow = [...watched].filter(([, { sinceMs }]) => sinceMs <= beforeMs);
    if (slow.length === 0) return;
    const gone = new Set(
      await listDeletedOrEnded(db, [...new Set(slow.map(([, { recordId }]) => recordId))]),
    );
    for (const [controller, { recordId }] of slow) if (gone.has(recordId)) controller.abort();
  };
  const lookAgain = (): void => {
    timer = setTimeout(() => {
      look()
        .catch((err: unknown) => log.warn({ err }, 'looking for deleted records failed'))
        .finally(() => (watched.size > 0 ? lookAgain() : (timer = undefined)));
    }, EVERY_MS).unref();
  };
  return {
    watch: (recordId) => {
      const controller = new AbortController();
      watched.set(controller, { recordId, sinceMs: performance.now() });
      if (timer === undefined) withoutPulse(lookAgain);
      return { signal: controller.signal, forget: () => void watched.delete(controller) };
    },
  };
}
