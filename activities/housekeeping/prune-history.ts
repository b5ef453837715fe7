// Deletes expired data in bounded steps: history beyond a tier's retention, orphaned bodies, old keys, counts,
// entries of the audit log, events of feeds, previews, tasks and sessions.
import { ApplicationFailure, Context } from '@temporalio/activity';
import { Limiter } from '../../core/limiter.ts';
import { type Tier, TIERS } from '../../core/tiers.ts';
import { deleteOldAuditEntries } from '../../db/accounts/audit-log.ts';
import { deleteOldKeys } from '../../db/usage/idempotency-keys.ts';
import { pruneLogins } from '../../db/access/login-sessions.ts';
import { pruneOAuthObjects } from '../../db/access/oauth-objects.ts';
import { deleteOldFeedEvents } from '../../db/upkeep/old-feed-events.ts';
import { deleteOldPreviews } from '../../db/upkeep/old-previews.ts';
import { listPrunable, listRecordsOfTier, pruneRecords } from '../../db/upkeep/retention.ts';
import { deleteOldTasks } from '../../db/usage/mcp-tasks.ts';
import { deleteOldCounts } from '../../db/usage/usage-counters.ts';
import type { Database } from '../../db/driver/knex.ts';
import type { ActivityDeps } from '../deps.ts';
import { heartbeating, recordHeartbeatDetails } from '../heartbeating.ts';
import { removeOrphans } from './remove-orphans.ts';

const RECORDS_PER_PAGE = 1_000;
/** A page's records are pruned in this many parts at once. */
const PARTS = 4;
/** Rows of each table, shared by the records of a part. */
const ROWS_PER_STEP = 5_000;
/** Statements at once over all tiers, so that checks find free connections. */
const STEPS_AT_ONCE = 4;

/** The last finished record of each tier, or null when the tier is finished. Heartbeats hand it to the next attempt. */
type Progress = Partial<Record<Tier, string | null>>;

/**
 * Prunes the tiers and the other kinds of data independently: a large or failing one does not delay the others, and neither does
 * a record whose history cannot be deleted.
 * @returns how many rows were deleted
 * @throws ApplicationFailure that is not retried when there are such records: the next run tries them again
 */
export async function pruneHistory(
  deps: ActivityDeps,
  recordsPerPage: number = RECORDS_PER_PAGE,
): Promise<{ deleted: number }> {
  const { db, log } = deps;
  const faulty: string[] = [];
  const onFault: TierPass['onFault'] = (recordId, err) => {
    log.error({ err, recordId }, 'the history of a record could not be deleted');
    faulty.push(recordId);
  };
  // A copy: the tiers of this attempt add to it.
  const progress: Progress = { ...(Context.current().info.heartbeatDetails as Progress | undefined) };
  const isFirstAttempt = Object.keys(progress).length === 0;
  const steps = new Limiter({ total: STEPS_AT_ONCE });
  const tiers = Object.keys(TIERS) as Tier[];
  const small = [
    deleteOldKeys,
    deleteOldCounts,
    deleteOldAuditEntries,
    deleteOldFeedEvents,
    deleteOldTasks,
    pruneOAuthObjects,
    pruneLogins,
    deleteOldPreviews,
  ];
  return heartbeating(async () => {
    const ways = await Promise.allSettled([
      ...tiers.map((tier) => pruneTier(db, { tier, recordsPerPage, progress, steps, onFault })),
      ...small.map((deleteSome) =>
        repeatUntilZero(() => steps.run('small', () => deleteSome(db, ROWS_PER_STEP))),
      ),
      isFirstAttempt ? removeOrphansIfPossible(deps) : 0,
    ]);
    if (faulty.length > 0) {
      const words = `The history of ${faulty.length} records could not be deleted, such as that of ${faulty[0]}`;
      throw ApplicationFailure.nonRetryable(words, 'HistoryNotDeleted');
    }
    let deleted = 0;
    for (const way of ways) {
      if (way.status === 'rejected') throw way.reason;
      deleted += way.value;
    }
    return { deleted };
  });
}

/** @returns 0, because bodies are no rows */
async function removeOrphansIfPossible(deps: ActivityDeps): Promise<number> {
  await removeOrphans(deps).catch((err: unknown) => {
    deps.log.error({ err }, 'orphaned bodies could not be removed; the next run tries again');
  });
  return 0;
}

interface TierPass {
  tier: Tier;
  recordsPerPage: number;
  progress: Progress;
  steps: Limiter;
  onFault: (recordId: string, error: unknown) => void;
}

async function pruneTier(db: Database, pass: TierPass): Promise<number> {
  const { tier, recordsPerPage, progress, steps, onFault } = pass;
  const days = TIERS[tier].retentionDays;
  const step = <T>(work: () => Promise<T>): Promise<T> => steps.run(tier, work);
  let deleted = 0;
  while (progress[tier] !== null) {
    const after = progress[tier] ?? '';
    const page = await step(() => listRecordsOfTier(db, tier, after, recordsPerPage));
    const size = Math.ceil(page.length / PARTS);
    const parts = Array.from({ length: PARTS }, (_, at) => page.slice(at * size, (at + 1) * size));
    const prune = (ids: readonly string[]): Promise<number> => prunePart(db, ids, days, step);
    const counts = await Promise.all(parts.map((part) => aroundFaults(part, prune, onFault)));
    deleted += counts.reduce((sum, count) => sum + count, 0);
    progress[tier] = page.length < recordsPerPage ? null : (page.at(-1) ?? null);
    recordHeartbeatDetails(progress);
  }
  return deleted;
}

/** Tries the halves of records that fail together, so that one faulty record leaves out no other. */
async function aroundFaults(
  recordIds: readonly string[],
  prune: (recordIds: readonly string[]) => Promise<number>,
  onFault: TierPass['onFault'],
): Promise<number> {
  try {
    return await prune(recordIds);
  } catch (error) {
    const [first] = recordIds;
    if (recordIds.length > 1) {
      const middle = Math.ceil(recordIds.length / 2);
      const before = await aroundFaults(recordIds.slice(0, middle), prune, onFault);
      return before + (await aroundFaults(recordIds.slice(middle), prune, onFault));
    }
    if (first === undefined) throw error;
    onFault(first, error);
    return 0;
  }
}

async function prunePart(
  db: Database,
  recordIds: readonly string[],
  days: number,
  step: <T>(work: () => Promise<T>) => Promise<T>,
): Promise<number> {
  let left = recordIds;
  return repeatUntilZero(async () => {
    left = await step(() => listPrunable(db, left, days));
    if (left.length === 0) return 0;
    return step(() => pruneRecords(db, left, days, Math.ceil(ROWS_PER_STEP / left.length)));
  });
}

/** Repeats a bounded step until it deletes nothing. @returns how many rows were deleted in all */
async function repeatUntilZero(step: () => Promise<number>): Promise<number> {
  let total = 0;
  for (;;) {
    const deleted = await step();
    if (deleted === 0) return total;
    total += deleted;
  }
}
