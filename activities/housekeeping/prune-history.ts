// Deletes expired data in bounded steps: history beyond a tier's retention, orphaned bodies, old keys, counts and sessions.
import { Context } from '@temporalio/activity';
import { type Tier, TIERS } from '../../core/tiers.ts';
import { deleteOldKeys } from '../../db/usage/idempotency-keys.ts';
import { pruneLogins } from '../../db/access/login-sessions.ts';
import { pruneOAuthObjects } from '../../db/access/oauth-objects.ts';
import { listRecordsOfTier, pruneRecord } from '../../db/upkeep/retention.ts';
import { deleteOldCounts } from '../../db/usage/usage-counters.ts';
import type { ActivityDeps } from '../deps.ts';
import { removeOrphans } from './remove-orphans.ts';

const RECORDS_PER_PAGE = 500;
const ROWS_PER_STEP = 5_000;

/** @returns how many rows were deleted */
export async function pruneHistory(deps: ActivityDeps): Promise<{ deleted: number }> {
  const { db } = deps;
  await removeOrphans(deps).catch((err: unknown) => {
    deps.log.error({ err }, 'orphaned bodies could not be removed; the next run tries again');
  });
  let deleted = 0;
  for (const [tier, { retentionDays }] of Object.entries(TIERS)) {
    for await (const recordId of recordsOf(db, tier as Tier)) {
      deleted += await repeatUntilZero(() => pruneRecord(db, recordId, retentionDays, ROWS_PER_STEP));
      Context.current().heartbeat(recordId);
    }
  }
  deleted += await repeatUntilZero(() => deleteOldKeys(db, ROWS_PER_STEP));
  deleted += await repeatUntilZero(() => deleteOldCounts(db, ROWS_PER_STEP));
  deleted += await repeatUntilZero(() => pruneOAuthObjects(db, ROWS_PER_STEP));
  deleted += await repeatUntilZero(() => pruneLogins(db, ROWS_PER_STEP));
  return { deleted };
}

async function* recordsOf(db: ActivityDeps['db'], tier: Tier): AsyncGenerator<string> {
  let after = '';
  for (;;) {
    const page = await listRecordsOfTier(db, tier, after, RECORDS_PER_PAGE);
    yield* page;
    const last = page.at(-1);
    if (last === undefined || page.length < RECORDS_PER_PAGE) return;
    after = last;
  }
}

/** Repeats a bounded step until it deletes nothing. @returns how many rows were deleted in all */
async function repeatUntilZero(step: () => Promise<number>): Promise<number> {
  let total = 0;
  for (;;) {
    const deleted = await step();
    total += deleted;
    if (deleted === 0) return total;
    Context.current().heartbeat();
  }
}
