// The warnings about the rows of the latest snapshot, for a body that may have to be held.
import type { CheckWarning } from '../../core/checks.ts';
import type { Knex } from '../driver/knex.ts';
import { preparedRows } from '../driver/prepared.ts';
import type { LockedHead } from './commit-facts.ts';

/**
 * Reads the warnings of the last check that read the rows of the latest snapshot. A check of equal bytes read none, and
 * has no warnings. A later check that read the same rows has a full row only if it warned.
 * @returns undefined when that check is older than the retention
 */
export async function findEarlierWarnings(
  trx: Knex.Transaction,
  recordId: string,
  { snapshotId }: Pick<LockedHead, 'snapshotId'>,
): Promise<CheckWarning[] | undefined> {
  const [check] = await preparedRows<{ warnings: CheckWarning[] }>(
    trx,
    `select warnings from checks
     where record_id = $1 and snapshot_id = $2 and outcome in ('changed', 'unchanged') and (
       warnings::text <> '[]' or finished_at = (select created_at from snapshots where id = $2))
     order by number desc limit 1`,
    [recordId, snapshotId],
  );
  return check?.warnings;
}
