// Deletes what is older than a record's tier keeps, record by record, in bounded steps.
import { Context } from '@temporalio/activity';
import { type Tier, TIERS } from '../core/tiers.ts';
import { listRecordsOfTier, pruneRecord } from '../db/retention.ts';
import type { ActivityDeps } from './deps.ts';

const RECORDS_PER_PAGE = 500;
const LINES_PER_STEP = 5_000;

/** @returns how many lines were deleted */
export async function pruneHistory({ db }: ActivityDeps): Promise<{ deleted: number }> {
  let deleted = 0;
  for (const [tier, { retentionDays }] of Object.entries(TIERS)) {
    for await (const recordId of recordsOf(db, tier as Tier)) {
      deleted += await pruneWhole(db, recordId, retentionDays);
      Context.current().heartbeat(recordId);
    }
  }
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

async function pruneWhole(db: ActivityDeps['db'], recordId: string, days: number): Promise<number> {
  let total = 0;
  for (;;) {
    const deleted = await pruneRecord(db, recordId, days, LINES_PER_STEP);
    total += deleted;
    if (deleted === 0) return total;
    Context.current().heartbeat(recordId);
  }
}
