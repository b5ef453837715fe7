// Deletes expired data in bounded steps: history beyond a tier's retention, orphaned bodies, old keys, counts,
// entries of the audit log and sessions.
import { Context } from '@temporalio/activity';
import { type Tier, TIERS } from '../../core/tiers.ts';
import { deleteOldAuditEntries } from '../../db/accounts/audit-log.ts';
import { deleteOldKeys } from '../../db/usage/idempotency-keys.ts';
import { pruneLogins } from '../../db/access/login-sessions.ts';
import { pruneOAuthObjects } from '../../db/access/oauth-objects.ts';
import { listPrunable, listRecordsOfTier, pruneRecord, pruneUnchanged } from '../../db/upkeep/retention.ts';
import { deleteOldCounts } from '../../db/usage/usage-counters.ts';
import type { Database } from '../../db/driver/knex.ts';
import type { ActivityDeps } from '../deps.ts';
import { removeOrphans } from './remove-orphans.ts';

const RECORDS_PER_PAGE = 500;
const ROWS_PER_STEP = 5_000;
/** Of each record of a page. */
const UNCHANGED_PER_STEP = 50;

/** The last record that is done of each tier; null: all are. An attempt leaves it to the next one in its heartbeats. */
type Progress = Partial<Record<Tier, string | null>>;

/** @returns how many rows were deleted */
export async function pruneHistory(
  deps: ActivityDeps,
  recordsPerPage: number = RECORDS_PER_PAGE,
): Promise<{ deleted: number }> {
  const { db } = deps;
  const { info } = Context.current();
  // A copy: the tiers of this attempt add to it.
  const progress: Progress = { ...(info.heartbeatDetails as Progress | undefined) };
  const beat = (): void => Context.current().heartbeat(progress);
  if (Object.keys(progress).length === 0) {
    await removeOrphans(deps).catch((err: unknown) => {
      deps.log.error({ err }, 'orphaned bodies could not be removed; the next run tries again');
    });
  }
  let deleted = await pruneTiers(db, progress, recordsPerPage, beat);
  deleted += await repeatUntilZero(() => deleteOldKeys(db, ROWS_PER_STEP), beat);
  deleted += await repeatUntilZero(() => deleteOldCounts(db, ROWS_PER_STEP), beat);
  deleted += await repeatUntilZero(() => deleteOldAuditEntries(db, ROWS_PER_STEP), beat);
  deleted += await repeatUntilZero(() => pruneOAuthObjects(db, ROWS_PER_STEP), beat);
  deleted += await repeatUntilZero(() => pruneLogins(db, ROWS_PER_STEP), beat);
  return { deleted };
}

/** A page of each tier in turn, so that none waits for the end of a larger one. */
async function pruneTiers(
  db: Database,
  progress: Progress,
  recordsPerPage: number,
  beat: () => void,
): Promise<number> {
  let deleted = 0;
  for (let isMore = true; isMore;) {
    isMore = false;
    for (const [name, { retentionDays }] of Object.entries(TIERS)) {
      const tier = name as Tier;
      const after = progress[tier];
      if (after === null) continue;
      const page = await listRecordsOfTier(db, tier, after ?? '', recordsPerPage);
      deleted += await prunePage(db, page, retentionDays, beat);
      progress[tier] = page.length < recordsPerPage ? null : (page.at(-1) ?? null);
      isMore ||= progress[tier] !== null;
      beat();
    }
  }
  return deleted;
}

async function prunePage(
  db: Database,
  recordIds: readonly string[],
  days: number,
  beat: () => void,
): Promise<number> {
  let deleted = await repeatUntilZero(() => pruneUnchanged(db, recordIds, days, UNCHANGED_PER_STEP), beat);
  for (const recordId of await listPrunable(db, recordIds, days)) {
    deleted += await repeatUntilZero(() => pruneRecord(db, recordId, days, ROWS_PER_STEP), beat);
  }
  return deleted;
}

/** Repeats a bounded step until it deletes nothing. @returns how many rows were deleted in all */
async function repeatUntilZero(step: () => Promise<number>, beat: () => void): Promise<number> {
  let total = 0;
  for (;;) {
    const deleted = await step();
    total += deleted;
    if (deleted === 0) return total;
    beat();
  }
}
