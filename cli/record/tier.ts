// `record tier`
import { changesBetween } from '../../core/audit.ts';
import { TIERS } from '../../core/tiers.ts';
import { setTier } from '../../db/access/account-overviews.ts';
import type { Knex } from '../../db/driver/knex.ts';
import { lockRecord } from '../../db/records/lock-record.ts';
import type { TrackedRecord } from '../../db/records/records.ts';
import { auditOperator } from '../operator/audit.ts';
import { noSuchThing } from '../operator/fail.ts';
import { intervalInWords, print, type Printing } from '../operator/print.ts';
import { tellWorkflows } from '../operator/tell-workflows.ts';
import { withDatabase } from '../operator/with-database.ts';
import { findNamedRecord } from './find-record.ts';
import type { GivenTier } from './tiers.ts';

export interface TierOptions extends Printing {
  account?: string;
}

/** The same tier again only signals the workflow again. @throws CommanderError when there is no such record */
export async function tier(
  reference: string,
  to: GivenTier,
  { account, ...printing }: TierOptions,
): Promise<void> {
  const { record, settings } = await withDatabase(async (db, found) => {
    const named = await findNamedRecord(db, reference, account);
    return { record: await db.transaction((trx) => changeTier(trx, named, to)), settings: found };
  });
  const reason = await tellWorkflows(settings, (workflows) => workflows.tell(record.id, 'settingsChanged'));
  const notes = [...whatChanges(record, to), ...(reason === undefined ? [] : [untold(record, reason)])];
  const { id, slug, accountId, tier: previousTier } = record;
  const result = { id, slug, accountId, tier: to, previousTier, isWorkflowTold: reason === undefined, notes };
  print(printing, result, () =>
    [`${id} (${slug}) is on ${to}; it was on ${previousTier}.`, ...notes].join('\n'),
  );
}

/** @returns the record as it was before, read under a lock: another command may have changed its tier meanwhile */
async function changeTier(
  trx: Knex.Transaction,
  named: TrackedRecord,
  to: GivenTier,
): Promise<TrackedRecord> {
  const locked = await lockRecord(trx, named);
  if (locked === undefined) throw noSuchThing(`record ${named.id}`);
  if (!(await setTier(trx, named.id, to))) {
    throw new Error('A record of an anonymous session has no tier to set: keep it in an account first.');
  }
  const record = { ...named, ...locked };
  const changes = changesBetween({ tier: record.tier }, { tier: to });
  if (changes.length > 0) {
    const { accountId } = record;
    await auditOperator(trx, { action: 'record.set_tier', accountId, target: record, changes });
  }
  return record;
}

/** What somebody who lowers a tier should know. */
function whatChanges(record: TrackedRecord, to: GivenTier): string[] {
  const [before, after] = [TIERS[record.tier], TIERS[to]];
  const { checkIntervalSeconds, totalRows } = record;
  const notes: string[] = [];
  if (checkIntervalSeconds < after.minIntervalSeconds) {
    notes.push(
      `It asks for a check every ${intervalInWords(checkIntervalSeconds)}; on ${to} it gets one every ${intervalInWords(after.minIntervalSeconds)}, unless MIN_CHECK_SECONDS allows less.`,
    );
  }
  if (totalRows > after.maxRows) {
    notes.push(`It has ${totalRows} rows; ${to} takes ${after.maxRows}: its next check will fail.`);
  }
  if (after.retentionDays < before.retentionDays) {
    notes.push(`History older than ${after.retentionDays} days will be deleted within the hour.`);
  }
  return notes;
}

function untold({ nextCheckAt }: TrackedRecord, reason: string): string {
  const when = nextCheckAt === null ? 'when it is resumed' : `at ${nextCheckAt.toISOString()}`;
  return `The workflow could not be notified (${reason}): the next check comes as planned, ${when}, and those after it follow the tier. Repeat the command to notify it.`;
}
