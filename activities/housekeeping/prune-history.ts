// Deletes what is older than a record's tier keeps, record by record, and what is kept for a while only, in bounded steps.
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
const LINES_PER_STEP = 5_000;

/** @returns how many lines were deleted */
export async function pruneHistory(deps: ActivityDeps): Promise<{ deleted: number }> {
  const { db } = deps;
  await removeOrphans(deps).catch((err: unknown) => {
    deps.log.error({ err }, 'bodies that nobody needs could not be removed; the next run tries again');
  });
  let deleted = 0;
  for (const [tier, { retentionDays }] of Object.entries(TIERS)) {
    for await (const recordId of recordsOf(db, tier as Tier)) {
      deleted += await untilNothingIsLeft(() => pruneRecord(db, recordId, retentionDays, LINES_PER_STEP));
      Context.current().heartbeat(recordId);
    }
  }
  deleted += await untilNothingIsLeft(() => deleteOldKeys(db, LINES_PER_STEP));
  deleted += await untilNothingIsLeft(() => deleteOldCounts(db, LINES_PER_STEP));
  deleted += await untilNothingIsLeft(() => pruneOAuthObjects(db, LINES_PER_STEP));
  deleted += await untilNothingIsLeft(() => pruneLogins(db, LINES_PER_STEP));
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

/** Step after step, each bounded. @returns the sum of what they deleted */
async function untilNothingIsLeft(step: () => Promise<number>): Promise<number> {
  let total = 0;
  for (;;) {
    const deleted = await step();
    total += deleted;
    if (deleted === 0) return total;
    Context.current().heartbeat();
  }
}
