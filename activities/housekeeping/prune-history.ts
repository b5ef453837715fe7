// Deletes expired data in bounded steps: history beyond a tier's retention, orphaned bodies, old keys, counts,
// entries of the audit log, events of feeds, previews, tasks and sessions.
import { Context } from '@temporalio/activity';
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
 * Prunes the tiers and the other kinds of data independently: a large or failing one does not delay the others.
 * @returns how many rows were deleted
 */
export async function pruneHistory(
  deps: ActivityDeps,
  recordsPerPage: number = RECORDS_PER_PAGE,
): Promise<{ deleted: number }> {
  const { db } = deps;
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
      ...tiers.map((tier) => pruneTier(db, { tier, recordsPerPage, progress, steps })),
      ...small.map((deleteSome) =>
        repeatUntilZero(() => steps.run('small', () => deleteSome(db, ROWS_PER_STEP))),
      ),
      isFirstAttempt ? removeOrphansIfPossible(deps) : 0,
    ]);
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
}

async function pruneTier(db: Database, { tier, recordsPerPage, progress, steps }: TierPass): Promise<number> {
  const days = TIERS[tier].retentionDays;
  const step = <T>(work: () => Promise<T>): Promise<T> => steps.run(tier, work);
  let deleted = 0;
  while (progress[tier] !== null) {
    const after = progress[tier] ?? '';
    const page = await step(() => listRecordsOfTier(db, tier, after, recordsPerPage));
    const size = Math.ceil(page.length / PARTS);
    const parts = Array.from({ length: PARTS }, (_, at) => page.slice(at * size, (at + 1) * size));
    const counts = await Promise.all(parts.map((part) => prunePart(db, part, days, step)));
    deleted += counts.reduce((sum, count) => sum + count, 0);
    progress[tier] = page.length < recordsPerPage ? null : (page.at(-1) ?? null);
    recordHeartbeatDetails(progress);
  }
  return deleted;
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
